package dev.neurontest.fake.internal.fuse.protocol;

import java.nio.ByteBuffer;
import org.apiguardian.api.API;

/**
 * What every request begins with ({@code fuse_in_header}).
 *
 * @param length of the whole request in bytes, with this header
 * @param opcode a number of {@link Opcode}, or one that a newer kernel knows
 * @param unique names the request in its answer
 * @param node what the request is about
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RequestHeader(int length, int opcode, long unique, long node) {

    /** In bytes. */
    public static final int SIZE = 40;

    /**
     * Takes the header from a request.
     *
     * @param in at the beginning of the request; afterwards behind the header
     * @return the header
     */
    public static RequestHeader take(ByteBuffer in) {
        int start = in.position();
        RequestHeader header = new RequestHeader(in.getInt(), in.getInt(), in.getLong(), in.getLong());
        // Who asks does not matter: the kernel checks permissions itself.
        in.position(start + SIZE);
        return header;
    }
}
