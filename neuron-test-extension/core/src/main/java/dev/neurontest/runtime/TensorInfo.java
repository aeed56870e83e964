package dev.neurontest.runtime;

import com.sun.jna.Pointer;
import dev.neurontest.internal.runtime.library.NativeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * An input or output of a model as reported by the runtime ({@code nrt_tensor_info_t}). Its data type is unreliable: it is often unknown,
 * and 8-bit floats may be reported as {@code int8}. Its shape is reliable. Its size is reliable except for packed types ({@code _x4}): up
 * to runtime 2.32, the reported size is a quarter of the actual size.
 *
 * @param name name of the tensor in a tensor set
 * @param usage input or output
 * @param dtypeCode the runtime's number of the data type
 * @param dtype name of the data type, spelled as in device prints; {@code unknown} if the runtime reports none, or an unsupported number
 * @param shape row-major
 * @param bytes size in bytes as reported by the runtime
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TensorInfo(String name, Usage usage, int dtypeCode, String dtype, List<Long> shape, long bytes) {

    private static final List<String> DTYPES = List.of(
            "unknown",
            "uint64",
            "int8",
            "uint8",
            "int16",
            "uint16",
            "bfloat16",
            "float16",
            "int32",
            "uint32",
            "float32",
            "float32r",
            "int64",
            "float8e3m4",
            "float8e4m3",
            "float8e5m2");

    private static final int ARRAY = 8;
    private static final int STRIDE = 296;
    private static final int NAME_LENGTH = 256;
    private static final int USAGE = 256;
    private static final int SIZE = 264;
    private static final int DTYPE = 272;
    private static final int SHAPE = 280;
    private static final int DIMENSIONS = 288;
    private static final long MOST_TENSORS = 1 << 20;
    private static final int MOST_DIMENSIONS = 64;
    private static final int FIRST_RIGHT_SIZES = 33;

    /** The usage of a tensor by a model. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Usage {
        /** A tensor that the model reads. */
        INPUT,
        /** A tensor that the model writes. */
        OUTPUT,
        /** A usage with an unsupported number. */
        UNKNOWN;

        static Usage of(int code) {
            return code == 0 ? INPUT : code == 1 ? OUTPUT : UNKNOWN;
        }
    }

    /**
     * Creates an info with its own copy of the shape.
     *
     * @param name name of the tensor in a tensor set
     * @param usage input or output
     * @param dtypeCode the runtime's number of the data type
     * @param dtype name of the data type
     * @param shape row-major
     * @param bytes size in bytes as reported by the runtime
     */
    public TensorInfo {
        shape = List.copyOf(shape);
    }

    /** Reads {@code nrt_tensor_info_array_t}; empty when its content is invalid. */
    static Optional<List<TensorInfo>> read(Pointer array) {
        long count = array.getLong(0);
        if (count < 0 || count > MOST_TENSORS) {
            return Optional.empty();
        }
        List<TensorInfo> tensors = new ArrayList<>();
        for (long index = 0; index < count; index++) {
            Pointer each = array.share(ARRAY + index * STRIDE);
            int dimensions = each.getInt(DIMENSIONS);
            if (dimensions < 0 || dimensions > MOST_DIMENSIONS) {
                return Optional.empty();
            }
            int dtype = each.getInt(DTYPE);
            tensors.add(new TensorInfo(
                    NativeText.bounded(each, 0, NAME_LENGTH),
                    Usage.of(each.getInt(USAGE)),
                    dtype,
                    dtype >= 0 && dtype < DTYPES.size() ? DTYPES.get(dtype) : DTYPES.get(0),
                    shape(each, dimensions),
                    each.getLong(SIZE)));
        }
        return Optional.of(tensors);
    }

    /**
     * Returns whether the size may be a quarter of the actual size. The runtime has no number for packed types and reports them as
     * unknown. Before 2.33 it counted a unit of four 8-bit values as one byte, and a unit of four 4-bit values as half a byte.
     */
    boolean mayBeQuarter(RuntimeVersion runtime) {
        boolean exact = runtime.major() > 2 || (runtime.major() == 2 && runtime.minor() >= FIRST_RIGHT_SIZES);
        long units = shape.stream().mapToLong(Long::longValue).reduce(1, (a, b) -> a * b);
        return !exact && dtype.equals(DTYPES.get(0)) && units > 0 && (bytes == units || bytes * 2 == units);
    }

    private static List<Long> shape(Pointer info, int dimensions) {
        Pointer shape = info.getPointer(SHAPE);
        List<Long> sizes = new ArrayList<>();
        for (int index = 0; shape != null && index < dimensions; index++) {
            sizes.add(Integer.toUnsignedLong(shape.getInt((long) index * Integer.BYTES)));
        }
        return sizes;
    }

    /**
     * Returns a description for human readers.
     *
     * @return such as {@code a (float32 4x4, 64 bytes)}
     */
    @Override
    public String toString() {
        String shaped = shape.stream().map(String::valueOf).collect(Collectors.joining("x"));
        return "%s (%s%s, %s bytes)".formatted(name, dtype, shaped.isEmpty() ? "" : " " + shaped, bytes);
    }
}
