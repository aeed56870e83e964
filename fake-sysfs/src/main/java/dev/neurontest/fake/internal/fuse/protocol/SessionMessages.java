package dev.neurontest.fake.internal.fuse.protocol;

import java.nio.ByteBuffer;
import org.apiguardian.api.API;

/** The messages about the mount as a whole. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SessionMessages {

    /** The major version that both sides must have. */
    public static final int MAJOR = 7;

    /** The minor version that is spoken here; a newer kernel speaks it too. */
    public static final int MINOR = 31;

    /** The least that a page of sysfs and what the kernel puts before it need. */
    public static final int MAX_WRITE = 8192;

    private static final int MAX_BACKGROUND = 64;

    /** What the kernel may use when it offers it. */
    private static final int WANTED = Flag.ASYNC_READ
            | Flag.BIG_WRITES
            | Flag.DO_READDIRPLUS
            | Flag.READDIRPLUS_AUTO
            | Flag.PARALLEL_DIROPS
            | Flag.CACHE_SYMLINKS;

    private SessionMessages() {}

    /** The flags of INIT that are wanted. */
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
     * The first request ({@code fuse_init_in}); a newer kernel's is longer.
     *
     * @param major of the kernel
     * @param minor of the kernel
     * @param maxReadahead in bytes
     * @param flags what the kernel offers
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Init(int major, int minor, int maxReadahead, int flags) {

        /**
         * Takes the request.
         *
         * @param in behind the header
         * @return the request
         */
        public static Init take(ByteBuffer in) {
            return new Init(in.getInt(), in.getInt(), in.getInt(), in.getInt());
        }

        /**
         * Whether both sides can talk.
         *
         * @return false for a kernel that is too old; one with a newer major version asks again
         */
        public boolean spoken() {
            return major == MAJOR && minor >= MINOR;
        }

        /**
         * Answers ({@code fuse_init_out}): the older version of both sides, and what of the offer is taken.
         *
         * @param out where to put it
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
     * Takes which request is interrupted.
     *
     * @param in the body
     * @return the name of the request
     */
    public static long takeInterrupted(ByteBuffer in) {
        return in.getLong();
    }

    /**
     * Answers STATFS as sysfs does: no blocks, no files ({@code fuse_kstatfs}).
     *
     * @param out where to put it
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
