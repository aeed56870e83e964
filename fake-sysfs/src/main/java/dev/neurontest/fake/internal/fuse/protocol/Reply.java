package dev.neurontest.fake.internal.fuse.protocol;

import java.nio.ByteBuffer;
import org.apiguardian.api.API;

/** A buffer for an answer or a notification ({@code fuse_out_header} and a body). */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Reply {

    /** Size of the header in bytes. */
    public static final int HEADER = 16;

    private final ByteBuffer out;
    private int error;
    private boolean silent;

    /**
     * Creates a reply in a buffer.
     *
     * @param out a buffer in the machine's byte order, used from its beginning
     */
    public Reply(ByteBuffer out) {
        this.out = out;
    }

    /** Begins an answer, which is empty and successful. */
    public void begin() {
        out.clear();
        out.position(HEADER);
        error = 0;
        silent = false;
    }

    /**
     * Returns the body.
     *
     * @return the buffer, at the position where to continue
     */
    public ByteBuffer body() {
        return out;
    }

    /**
     * Replaces the answer with an error.
     *
     * @param errno a positive error number of Linux
     */
    public void fail(int errno) {
        out.position(HEADER);
        error = -errno;
    }

    /** Marks the request as one without an answer. */
    public void none() {
        silent = true;
    }

    /**
     * Returns whether there is an answer to send.
     *
     * @return false after {@link #none()}
     */
    public boolean isAwaited() {
        return !silent;
    }

    /**
     * Ends an answer.
     *
     * @param unique number of the request
     * @return length of the answer in bytes
     */
    public int end(long unique) {
        return end(unique, error);
    }

    /**
     * Ends a notification.
     *
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
