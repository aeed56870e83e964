package dev.neurontest.tensor;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apiguardian.api.API;

/**
 * The bytes of a tensor wherever they lie: in memory, or in a file when there are too many. Little-endian, as the device
 * writes them. Reading them copies nothing but the value that is read.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface TensorBytes {

    /**
     * How many there are.
     *
     * @return may be more than an array holds
     */
    long size();

    /**
     * One byte.
     *
     * @param offset from 0
     * @return the byte
     * @throws IndexOutOfBoundsException when it is not inside
     */
    byte byteAt(long offset);

    /**
     * Two bytes as one number.
     *
     * @param offset of the lowest one; need not be aligned
     * @return the number
     * @throws IndexOutOfBoundsException when they are not inside
     */
    short shortAt(long offset);

    /**
     * Four bytes as one number.
     *
     * @param offset of the lowest one; need not be aligned
     * @return the number
     * @throws IndexOutOfBoundsException when they are not inside
     */
    int intAt(long offset);

    /**
     * Eight bytes as one number.
     *
     * @param offset of the lowest one; need not be aligned
     * @return the number
     * @throws IndexOutOfBoundsException when they are not inside
     */
    long longAt(long offset);

    /**
     * Writes all of them.
     *
     * @param out is not closed
     * @throws IOException when it cannot be written, or the bytes are in a file that is gone
     */
    void copyTo(OutputStream out) throws IOException;

    /**
     * Bytes in memory. They are not copied.
     *
     * @param bytes not to be changed any more
     * @return a view of them
     */
    static TensorBytes of(byte[] bytes) {
        return of(ByteBuffer.wrap(bytes));
    }

    /**
     * Bytes in memory, on the heap or outside it. They are not copied.
     *
     * @param bytes from position to limit; not to be changed or released any more
     * @return a view of them
     */
    static TensorBytes of(ByteBuffer bytes) {
        return new BufferBytes(bytes.slice().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN));
    }
}
