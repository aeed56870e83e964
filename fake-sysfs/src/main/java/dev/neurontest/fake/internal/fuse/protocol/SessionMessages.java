package dev.neurontest.fake.internal.fuse.protocol;

import java.nio.ByteBuffer;
import org.apiguardian.api.API;

/** The messages about the mount as a whole. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SessionMessages {

    /** Major version of the protocol, which both sides must have. */
    public static final int MAJOR = 7;

    /** Minor version of the protocol; newer kernels support it too. */
    public static final int MINOR = 31;

    /** Maximum size of a write in bytes. This is the minimum for a page of sysfs with the kernel's headers. */
    public static final int MAX_WRITE = 8192;

    private static final int MAX_BACKGROUND = 64;

    /** Optional features that the kernel may use if it offers them. */
    private static final int WANTED = Flag.ASYNC_READ
            | Flag.BIG_WRITES
            | Flag.DO_READDIRPLUS
            | Flag.READDIRPLUS_AUTO
            | Flag.PARALLEL_DIROPS
            | Flag.CACHE_SYMLINKS;

    private SessionMessages() {}

    /** The requested flags of INIT. */
    private static final class Flag {
        static final int ASYNC_READ = 1;
        static final int BIG_WRITES = 1 << 5;
        static final int DO_READDIRPLUS = 1 << 13;
        static final int READDIRPLUS_AUTO = 1 << 14;
        static final int PARALLEL_DIROPS = 1 << 18;
        static final int CACHE_SYMLINKS = 1 << 23;

        private Flag() {}
    }

    /**
     * The first request ({@code fuse_init_in}); that of a newer kernel is longer.
     *
     * @param major major version of the kernel
     * @param minor minor version of the kernel
     * @param maxReadahead maximum read-ahead in bytes
     * @param flags features offered by the kernel
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Init(int major, int minor, int maxReadahead, int flags) {

        /**
         * Decodes the request.
         *
         * @param in the request after its header
         */
        public static Init take(ByteBuffer in) {
            return new Init(in.getInt(), in.getInt(), in.getInt(), in.getInt());
        }

        /**
         * Returns whether both sides support the version.
         *
         * @return false for an older kernel; a kernel with a newer major version repeats the request
         */
        public boolean spoken() {
            return major == MAJOR && minor >= MINOR;
        }

        /**
         * Writes the answer ({@code fuse_init_out}): the older version of both sides, and the accepted features.
         *
         * @param out buffer for the answer
         */
        public void answer(ByteBuffer out) {
            int start = out.position();
            out.putInt(MAJOR).putInt(MINOR).putInt(maxReadahead).putInt(flags & WANTED);
            out.putShort((short) MAX_BACKGROUND).putShort((short) (MAX_BACKGROUND * 3 / 4));
            out.putInt(MAX_WRITE).putInt(1);
            zeros(out, start + 64);
        }
    }

    /**
     * Decodes the interrupted request.
     *
     * @param in the body of the request
     * @return number of the interrupted request
     */
    public static long takeInterrupted(ByteBuffer in) {
        return in.getLong();
    }

    /**
     * Writes the answer to STATFS like sysfs: no blocks, no files ({@code fuse_kstatfs}).
     *
     * @param out buffer for the answer
     */
    public static void putStatistics(ByteBuffer out) {
        int start = out.position();
        zeros(out, start + 40);
        out.putInt(4096).putInt(255).putInt(4096);
        zeros(out, start + 80);
    }

    static void zeros(ByteBuffer out, int end) {
        while (out.position() < end) {
            out.put((byte) 0);
        }
    }
}
