package dev.neurontest.fake.internal.fuse.protocol;

import java.nio.ByteBuffer;
import org.apiguardian.api.API;

/** The messages about open files. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FileMessages {

    /** Flag to send every read to the server. */
    private static final int DIRECT_IO = 1;

    /** Flag to omit FLUSH requests when a descriptor is closed. */
    private static final int NO_FLUSH = 1 << 5;

    private static final int ACCESS_MODE = 3;
    private static final int WRITE_ONLY = 1;
    private static final int READ_WRITE = 2;

    private FileMessages() {}

    /**
     * The request {@code fuse_open_in}.
     *
     * @param flags flags of {@code open(2)}
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Open(int flags) {

        /**
         * Decodes the request.
         *
         * @param in the request after its header
         */
        public static Open take(ByteBuffer in) {
            return new Open(in.getInt());
        }

        /**
         * Returns whether the file is opened for reading.
         *
         * @return true also for both directions
         */
        public boolean reads() {
            return (flags & ACCESS_MODE) != WRITE_ONLY;
        }

        /**
         * Returns whether the file is opened for writing.
         *
         * @return true also for both directions
         */
        public boolean writes() {
            int access = flags & ACCESS_MODE;
            return access == WRITE_ONLY || access == READ_WRITE;
        }
    }

    /**
     * Writes the answer to OPEN ({@code fuse_open_out}).
     *
     * @param out buffer for the answer
     * @param handle number by which the kernel refers to the open file
     */
    public static void putOpened(ByteBuffer out, long handle) {
        out.putLong(handle).putInt(DIRECT_IO | NO_FLUSH).putInt(0);
    }

    /**
     * The request {@code fuse_read_in}, also of READDIR.
     *
     * @param handle the open file
     * @param offset offset in bytes; for a directory, the position after an entry
     * @param size maximum size of the answer in bytes
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Read(long handle, long offset, int size) {

        /**
         * Decodes the request.
         *
         * @param in the request after its header
         */
        public static Read take(ByteBuffer in) {
            return new Read(in.getLong(), in.getLong(), in.getInt());
        }
    }

    /**
     * The request {@code fuse_write_in} with its content.
     *
     * @param handle the open file
     * @param content bytes to write
     */
    @SuppressWarnings("ArrayRecordComponent")
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Write(long handle, byte[] content) {

        private static final int SIZE = 40;

        /**
         * Decodes the request.
         *
         * @param in the request after its header
         */
        public static Write take(ByteBuffer in) {
            int start = in.position();
            long handle = in.getLong();
            in.getLong();
            byte[] content = new byte[in.getInt()];
            in.get(start + SIZE, content);
            return new Write(handle, content);
        }
    }

    /**
     * Writes the answer to WRITE ({@code fuse_write_out}).
     *
     * @param out buffer for the answer
     * @param count number of bytes written
     */
    public static void putWritten(ByteBuffer out, int count) {
        out.putInt(count).putInt(0);
    }

    /**
     * The request {@code fuse_poll_in}.
     *
     * @param handle the open file
     * @param kernelHandle number by which a {@link Notification#POLL} refers to the file
     * @param wakeLater whether a notification is requested for the next event
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Poll(long handle, long kernelHandle, boolean wakeLater) {

        private static final int SCHEDULE_NOTIFY = 1;

        private static final int IN = 1;
        private static final int PRI = 2;
        private static final int OUT = 4;
        private static final int ERR = 8;
        private static final int READ_NORMAL = 0x40;
        private static final int WRITE_NORMAL = 0x100;

        /**
         * Decodes the request.
         *
         * @param in the request after its header
         */
        public static Poll take(ByteBuffer in) {
            return new Poll(in.getLong(), in.getLong(), (in.getInt() & SCHEDULE_NOTIFY) != 0);
        }

        /**
         * Writes the answer ({@code fuse_poll_out}): always readable and writable, like an attribute of sysfs.
         *
         * @param out buffer for the answer
         * @param signalled whether there is also an event
         */
        public static void answer(ByteBuffer out, boolean signalled) {
            int always = IN | OUT | READ_NORMAL | WRITE_NORMAL;
            out.putInt(signalled ? always | PRI | ERR : always).putInt(0);
        }
    }

    /**
     * Decodes RELEASE and RELEASEDIR ({@code fuse_release_in}).
     *
     * @param in the request after its header
     * @return the released handle
     */
    public static long takeReleased(ByteBuffer in) {
        return in.getLong();
    }
}
