package dev.neurontest.fake.internal.neff;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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

    private static final int MOST_LISTED = 10;

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

    /**
     * Returns tensors for a message.
     *
     * @param kind the kind of the tensors, such as {@code outputs}
     * @param tensors tensors by name
     * @return such as {@code the outputs y (float32 128x512, 262144 bytes), z (16 bytes)}
     */
    public static String listed(String kind, Map<String, NeffTensor> tensors) {
        if (tensors.isEmpty()) {
            return "no " + kind;
        }
        String more = tensors.size() > MOST_LISTED ? " and " + (tensors.size() - MOST_LISTED) + " more" : "";
        return tensors.entrySet().stream()
                .limit(MOST_LISTED)
                .map(each -> each.getKey() + " (" + each.getValue() + ")")
                .collect(Collectors.joining(", ", "the " + kind + " ", more));
    }

    /** Returns the type, the shape and the size, as far as they are declared. */
    @Override
    public String toString() {
        String size = bytes + " bytes";
        if (dtype.isEmpty()) {
            return size;
        }
        String dimensions = shape.stream().map(String::valueOf).collect(Collectors.joining("x"));
        return dtype + " " + (dimensions.isEmpty() ? "-" : dimensions) + ", " + size;
    }
}
