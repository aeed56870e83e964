package dev.neurontest.tensor;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apiguardian.api.API;

/**
 * The bytes of a tensor, in memory or, for a large tensor, in a file. They are little-endian, as written by the device. A read copies only
 * the requested value.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface TensorBytes {

    /**
     * Returns the number of bytes.
     *
     * @return may exceed the maximum size of an array
     */
    long size();

    /**
     * Returns one byte.
     *
     * @param offset position of the byte, from 0
     * @return the byte
     * @throws IndexOutOfBoundsException when it is outside the tensor
     */
    byte byteAt(long offset);

    /**
     * Returns two bytes as one number.
     *
     * @param offset position of the lowest byte; need not be aligned
     * @return the number
     * @throws IndexOutOfBoundsException when the bytes are outside the tensor
     */
    short shortAt(long offset);

    /**
     * Returns four bytes as one number.
     *
     * @param offset position of the lowest byte; need not be aligned
     * @return the number
     * @throws IndexOutOfBoundsException when the bytes are outside the tensor
     */
    int intAt(long offset);

    /**
     * Returns eight bytes as one number.
     *
     * @param offset position of the lowest byte; need not be aligned
     * @return the number
     * @throws IndexOutOfBoundsException when the bytes are outside the tensor
     */
    long longAt(long offset);

    /**
     * Writes all bytes to a stream.
     *
     * @param out the stream, which is not closed
     * @throws IOException when the stream cannot be written, or the file of the bytes no longer exists
     */
    void copyTo(OutputStream out) throws IOException;

    /**
     * Creates a view of bytes in memory without copying them.
     *
     * @param bytes the bytes, which must not change afterwards
     * @return a view of them
     */
    static TensorBytes of(byte[] bytes) {
        return of(ByteBuffer.wrap(bytes));
    }

    /**
     * Creates a view of bytes in memory, on or off the heap, without copying them.
     *
     * @param bytes the bytes from position to limit, which must not change or be released afterwards
     * @return a view of them
     */
    static TensorBytes of(ByteBuffer bytes) {
        return new BufferBytes(bytes.slice().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN));
    }
}
