package dev.neurontest.fake.internal.neff;

import java.util.List;
import org.apiguardian.api.API;

/**
 * An input or output of a model.
 *
 * @param bytes size in bytes
 * @param dtype name of the element type; empty if it is not declared
 * @param shape dimensions; only the size in bytes if they are not declared
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record NeffTensor(long bytes, String dtype, List<Long> shape) {

    /** Creates a tensor with a copy of the dimensions. */
    public NeffTensor {
        shape = List.copyOf(shape);
    }

    /**
     * Creates a tensor of known size without an element type.
     *
     * @param bytes size in bytes
     */
    public static NeffTensor ofBytes(long bytes) {
        return new NeffTensor(bytes, "", List.of(bytes));
    }
}
