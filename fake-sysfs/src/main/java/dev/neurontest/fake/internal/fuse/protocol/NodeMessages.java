package dev.neurontest.fake.internal.fuse.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apiguardian.api.API;

/** The messages about what a path leads to. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class NodeMessages {

    /** The size of an entry in an answer. */
    public static final int ENTRY_SIZE = 128;

    /** Nothing changes behind the kernel's back that it is not told of: a day. */
    private static final long VALID_SECONDS = 86_400;

    private static final int BLOCK = 4096;

    private NodeMessages() {}

    /**
     * The name that LOOKUP asks for, and that other requests begin with.
     *
     * @param in at the name, which ends with a zero
     * @return the name
     */
    public static String takeName(ByteBuffer in) {
        int start = in.position();
        int end = start;
        while (end < in.limit() && in.get(end) != 0) {
            end++;
        }
        byte[] name = new byte[end - start];
        in.get(start, name);
        in.position(Math.min(end + 1, in.limit()));
        return new String(name, StandardCharsets.UTF_8);
    }

    /** The types of nodes, as in {@code st_mode}. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Type {
        /** A file. */
        FILE(0x8000),
        /** A directory. */
        DIRECTORY(0x4000),
        /** A symbolic link. */
        LINK(0xa000);

        private final int bits;

        Type(int bits) {
            this.bits = bits;
        }

        /** As in {@code dirent}. */
        int directoryType() {
            return bits >> 12;
        }
    }

    /**
     * What {@code stat} shows ({@code fuse_attr}).
     *
     * @param node the kernel's number
     * @param inode the number that {@code stat} shows
     * @param type of the node
     * @param mode permission bits
     * @param size in bytes
     * @param seconds the time of every change
     * @param user the owner
     * @param group the owner's group
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Attributes(long node, long inode, Type type, int mode, long size, long seconds, int user, int group) {

        /**
         * Answers GETATTR and SETATTR ({@code fuse_attr_out}).
         *
         * @param out where to put it
         */
        public void answer(ByteBuffer out) {
            out.putLong(VALID_SECONDS).putLong(0);
            put(out);
        }

        /**
         * Answers LOOKUP ({@code fuse_entry_out}).
         *
         * @param out where to put it
         */
        public void answerEntry(ByteBuffer out) {
            out.putLong(node).putLong(0).putLong(VALID_SECONDS).putLong(VALID_SECONDS);
            out.putLong(0);
            put(out);
        }

        private void put(ByteBuffer out) {
            out.putLong(inode).putLong(size).putLong(0);
            out.putLong(seconds).putLong(seconds).putLong(seconds);
            out.putInt(0).putInt(0).putInt(0);
            // One link, also for a directory: programs take it for "unknown", as on other file systems that do not
            // count.
            out.putInt(type.bits | mode).putInt(1);
            out.putInt(user).putInt(group).putInt(0).putInt(BLOCK).putInt(0);
        }
    }

    /**
     * {@code fuse_setattr_in}.
     *
     * @param mode whether permission bits are to change
     * @param owner whether user or group are
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record SetAttributes(boolean mode, boolean owner) {

        /**
         * Takes the request.
         *
         * @param in behind the header
         * @return the request
         */
        public static SetAttributes take(ByteBuffer in) {
            int valid = in.getInt();
            return new SetAttributes((valid & 1) != 0, (valid & 6) != 0);
        }
    }

    /** Is told of each node that the kernel does not know any more. */
    @FunctionalInterface
    @API(status = API.Status.INTERNAL, since = "0.1")
    public interface Forgetting {

        /**
         * A node is forgotten.
         *
         * @param node which
         * @param lookups how many answers that named it are taken back
         */
        void forget(long node, long lookups);
    }

    /**
     * Takes FORGET.
     *
     * @param node from the header
     * @param in behind the header
     * @param forgetting is told
     */
    public static void takeForget(long node, ByteBuffer in, Forgetting forgetting) {
        forgetting.forget(node, in.getLong());
    }

    /**
     * Takes BATCH_FORGET.
     *
     * @param in behind the header
     * @param forgetting is told of each
     */
    public static void takeForgets(ByteBuffer in, Forgetting forgetting) {
        int count = in.getInt();
        in.getInt();
        for (int i = 0; i < count; i++) {
            forgetting.forget(in.getLong(), in.getLong());
        }
    }
}
