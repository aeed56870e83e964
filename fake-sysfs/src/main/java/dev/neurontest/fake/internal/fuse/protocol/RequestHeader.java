package dev.neurontest.fake.internal.fuse.protocol;

import java.nio.ByteBuffer;
import org.apiguardian.api.API;

/**
 * The header of every request ({@code fuse_in_header}).
 *
 * @param length length in bytes of the whole request with this header
 * @param opcode a number of {@link Opcode}, or one of a newer kernel
 * @param unique number that identifies the request in its answer
 * @param node the node of the request
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RequestHeader(int length, int opcode, long unique, long node) {

    /** Size of the header in bytes. */
    public static final int SIZE = 40;

    /**
     * Decodes the header of a request.
     *
     * @param in the request; afterwards positioned after the header
     */
    public static RequestHeader take(ByteBuffer in) {
        int start = in.position();
        RequestHeader header = new RequestHeader(in.getInt(), in.getInt(), in.getLong(), in.getLong());
        // The user of the request is skipped, because the kernel checks permissions itself.
        in.position(start + SIZE);
        return header;
    }
}
