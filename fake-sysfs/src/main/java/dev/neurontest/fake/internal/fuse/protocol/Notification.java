package dev.neurontest.fake.internal.fuse.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apiguardian.api.API;

/** Notifications of a server to the kernel. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Notification {
    /** An event of an open file ({@code FUSE_NOTIFY_POLL}). */
    POLL(1),
    /** An invalid name in a directory ({@code FUSE_NOTIFY_INVAL_ENTRY}). */
    INVALIDATE_ENTRY(3);

    private final int code;

    Notification(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    /**
     * Writes the body of {@link #POLL}.
     *
     * @param out buffer for the notification
     * @param kernelHandle from {@link FileMessages.Poll}
     */
    public static void putPoll(ByteBuffer out, long kernelHandle) {
        out.putLong(kernelHandle);
    }

    /**
     * Writes the body of {@link #INVALIDATE_ENTRY}.
     *
     * @param out buffer for the notification
     * @param parent the node of the directory
     * @param name the name in it
     */
    public static void putEntry(ByteBuffer out, long parent, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        out.putLong(parent).putInt(bytes.length).putInt(0).put(bytes).put((byte) 0);
    }
}
