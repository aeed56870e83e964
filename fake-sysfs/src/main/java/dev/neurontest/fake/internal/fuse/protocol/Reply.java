package dev.neurontest.fake.internal.fuse.protocol;

import java.nio.ByteBuffer;
import org.apiguardian.api.API;

/** An answer that is being written, or a notification ({@code fuse_out_header} and what follows). */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Reply {

    /** In bytes. */
    public static final int HEADER = 16;

    private final ByteBuffer out;
    private int error;
    private boolean silent;

    /**
     * Writes into a buffer.
     *
     * @param out in the machine's byte order, used from its beginning
     */
    public Reply(ByteBuffer out) {
        this.out = out;
    }

    /** Begins an answer: empty and successful. */
    public void begin() {
        out.clear();
        out.position(HEADER);
        error = 0;
        silent = false;
    }

    /**
     * What follows the header.
     *
     * @return the buffer, at the place where to go on
     */
    public ByteBuffer body() {
        return out;
    }

    /**
     * Turns the answer into an error.
     *
     * @param errno a number of Linux, positive
     */
    public void fail(int errno) {
        out.position(HEADER);
        error = -errno;
    }

    /** Says that the request has no answer. */
    public void none() {
        silent = true;
    }

    /**
     * Whether there is something to send.
     *
     * @return false after {@link #none()}
     */
    public boolean wanted() {
        return !silent;
    }

    /**
     * Ends an answer.
     *
     * @param unique of the request
     * @return the length of the answer in bytes
     */
    public int end(long unique) {
        return end(unique, error);
    }

    /**
     * Ends a notification.
     *
     * @param notification which one
     * @return its length in bytes
     */
    public int end(Notification notification) {
        return end(0, notification.code());
    }

    private int end(long unique, int code) {
        int length = out.position();
        out.putInt(0, length);
        out.putInt(4, code);
        out.putLong(8, unique);
        return length;
    }
}
