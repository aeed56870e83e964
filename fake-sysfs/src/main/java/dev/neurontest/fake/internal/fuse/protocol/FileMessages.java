package dev.neurontest.fake.internal.fuse.protocol;

import java.nio.ByteBuffer;
import org.apiguardian.api.API;

/** The messages about open files. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FileMessages {

    /** Every read reaches the server. */
    private static final int DIRECT_IO = 1;

    /** Closing a descriptor is nothing that the server wants to know. */
    private static final int NO_FLUSH = 1 << 5;

    private static final int ACCESS_MODE = 3;
    private static final int WRITE_ONLY = 1;
    private static final int READ_WRITE = 2;

    private FileMessages() {}

    /**
     * {@code fuse_open_in}.
     *
     * @param flags those of {@code open(2)}
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Open(int flags) {

        /**
         * Takes the request.
         *
         * @param in behind the header
         * @return the request
         */
        public static Open take(ByteBuffer in) {
            return new Open(in.getInt());
        }

        /**
         * Whether the file is opened for reading.
         *
         * @return also when it is opened for both
         */
        public boolean reads() {
            return (flags & ACCESS_MODE) != WRITE_ONLY;
        }

        /**
         * Whether the file is opened for writing.
         *
         * @return also when it is opened for both
         */
        public boolean writes() {
            int access = flags & ACCESS_MODE;
            return access == WRITE_ONLY || access == READ_WRITE;
        }
    }

    /**
     * Answers OPEN ({@code fuse_open_out}).
     *
     * @param out where to put it
     * @param handle what the kernel names the open file by
     */
    public static void putOpened(ByteBuffer out, long handle) {
        out.putLong(handle).putInt(DIRECT_IO | NO_FLUSH).putInt(0);
    }

    /**
     * {@code fuse_read_in}, also of READDIR.
     *
     * @param handle the open file
     * @param offset in bytes, or of a directory the place behind an entry
     * @param size the most to answer with, in bytes
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Read(long handle, long offset, int size) {

        /**
         * Takes the request.
         *
         * @param in behind the header
         * @return the request
         */
        public static Read take(ByteBuffer in) {
            return new Read(in.getLong(), in.getLong(), in.getInt());
        }
    }

    /**
     * {@code fuse_write_in} and what follows it.
     *
     * @param handle the open file
     * @param content what to write
     */
    @SuppressWarnings("ArrayRecordComponent")
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Write(long handle, byte[] content) {

        private static final int SIZE = 40;

        /**
         * Takes the request.
         *
         * @param in behind the header
         * @return the request
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
     * Answers WRITE ({@code fuse_write_out}).
     *
     * @param out where to put it
     * @param count how many bytes were taken
     */
    public static void putWritten(ByteBuffer out, int count) {
        out.putInt(count).putInt(0);
    }

    /**
     * {@code fuse_poll_in}.
     *
     * @param handle the open file
     * @param kernelHandle what a {@link Notification#POLL} names the file by
     * @param wakeLater whether one is wanted when the file has something to say
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
         * Takes the request.
         *
         * @param in behind the header
         * @return the request
         */
        public static Poll take(ByteBuffer in) {
            return new Poll(in.getLong(), in.getLong(), (in.getInt() & SCHEDULE_NOTIFY) != 0);
        }

        /**
         * Answers ({@code fuse_poll_out}): always readable and writable, as an attribute of sysfs is.
         *
         * @param out where to put it
         * @param signalled whether there is an event too
         */
        public static void answer(ByteBuffer out, boolean signalled) {
            int always = IN | OUT | READ_NORMAL | WRITE_NORMAL;
            out.putInt(signalled ? always | PRI | ERR : always).putInt(0);
        }
    }

    /**
     * Takes RELEASE and RELEASEDIR ({@code fuse_release_in}).
     *
     * @param in behind the header
     * @return the handle that is no more
     */
    public static long takeReleased(ByteBuffer in) {
        return in.getLong();
    }
}
