package dev.neurontest.fake.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apiguardian.api.API;

/**
 * The payload of a tensor that was read on the device: a fixed part of 1024 bytes, then the tensor.
 *
 * @param prefix at most 512 bytes
 * @param core the logical core
 * @param pipe 0 for standard output, 1 for standard error
 * @param dtype the name of the element type, at most 16 bytes
 * @param shape at most 8 dimensions
 * @param dataSize how many bytes the fixed part says that there are
 * @param reserved at most 416 bytes behind it
 * @param data the tensor
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record PrintPayload(
        byte[] prefix, long core, int pipe, String dtype, long[] shape, long dataSize, byte[] reserved, byte[] data) {

    /** Where the tensor begins. */
    public static final int DATA = 1024;

    /** The most bytes of a prefix. */
    public static final int PREFIX = 512;

    /** The most bytes of the reserved part. */
    public static final int RESERVED = 416;

    private static final int CORE_AT = 512;
    private static final int PIPE_AT = 516;
    private static final int DTYPE_AT = 520;
    private static final int DTYPE = 16;
    private static final int SHAPE_AT = 536;
    private static final int DIMENSIONS = 8;
    private static final int DATA_SIZE_AT = 600;
    private static final int RESERVED_AT = 608;

    /**
     * Lays it out.
     *
     * @return the fixed part and the tensor
     */
    public byte[] toBytes() {
        byte[] bytes = new byte[Math.addExact(DATA, data.length)];
        ByteBuffer payload = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        payload.put(0, prefix, 0, Math.min(prefix.length, PREFIX));
        payload.putInt(CORE_AT, (int) core).putInt(PIPE_AT, pipe);
        byte[] name = Arrays.copyOf(dtype.getBytes(StandardCharsets.UTF_8), DTYPE);
        payload.put(DTYPE_AT, name, 0, DTYPE);
        for (int i = 0; i < Math.min(shape.length, DIMENSIONS); i++) {
            payload.putLong(SHAPE_AT + i * Long.BYTES, shape[i]);
        }
        payload.putLong(DATA_SIZE_AT, dataSize);
        payload.put(RESERVED_AT, reserved, 0, Math.min(reserved.length, RESERVED));
        payload.put(DATA, data, 0, data.length);
        return bytes;
    }
}
