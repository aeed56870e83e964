package dev.neurontest.fake.internal.neff;

import java.util.List;
import org.apiguardian.api.API;

/**
 * An input or output of a model.
 *
 * @param bytes its size
 * @param dtype the name of its element type; empty when it is not declared
 * @param shape its dimensions; its size in bytes alone when they are not declared
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record NeffTensor(long bytes, String dtype, List<Long> shape) {

    /**
     * Copies the dimensions.
     *
     * @param bytes its size
     * @param dtype the name of its element type
     * @param shape its dimensions
     */
    public NeffTensor {
        shape = List.copyOf(shape);
    }

    /**
     * One of which only the size is known.
     *
     * @param bytes its size
     * @return a tensor without an element type
     */
    public static NeffTensor ofBytes(long bytes) {
        return new NeffTensor(bytes, "", List.of(bytes));
    }
}
