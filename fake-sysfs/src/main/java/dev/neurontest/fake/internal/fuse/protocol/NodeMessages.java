package dev.neurontest.fake.internal.fuse.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apiguardian.api.API;

/** The messages about nodes. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class NodeMessages {

    /** Size in bytes of an entry in an answer. */
    public static final int ENTRY_SIZE = 128;

    /** Time in seconds for which the kernel may cache names and attributes: a day. It is notified of every change. */
    private static final long VALID_SECONDS = 86_400;

    private static final int BLOCK = 4096;

    private NodeMessages() {}

    /**
     * Decodes the name at the beginning of LOOKUP and other requests.
     *
     * @param in position of the name, which ends with a zero byte
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

        /** Returns the type as in {@code dirent}. */
        int directoryType() {
            return bits >> 12;
        }
    }

    /**
     * The attributes that {@code stat} shows ({@code fuse_attr}).
     *
     * @param node the kernel's number
     * @param inode the number that {@code stat} shows
     * @param type type of the node
     * @param mode permission bits
     * @param size size in bytes
     * @param seconds the time of all changes
     * @param user the owner
     * @param group the owner's group
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Attributes(long node, long inode, Type type, int mode, long size, long seconds, int user, int group) {

        /**
         * Writes the answer to GETATTR and SETATTR ({@code fuse_attr_out}).
         *
         * @param out buffer for the answer
         */
        public void answer(ByteBuffer out) {
            out.putLong(VALID_SECONDS).putLong(0);
            put(out);
        }

        /**
         * Writes the answer to LOOKUP ({@code fuse_entry_out}).
         *
         * @param out buffer for the answer
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
            // One link, also for a directory. Programs interpret it as "unknown", as on other file systems without link
            // counts.
            out.putInt(type.bits | mode).putInt(1);
            out.putInt(user).putInt(group).putInt(0).putInt(BLOCK).putInt(0);
        }
    }

    /**
     * The request {@code fuse_setattr_in}.
     *
     * @param mode whether to change permission bits
     * @param owner whether to change the user or group
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record SetAttributes(boolean mode, boolean owner) {

        /**
         * Decodes the request.
         *
         * @param in the request after its header
         */
        public static SetAttributes take(ByteBuffer in) {
            int valid = in.getInt();
            return new SetAttributes((valid & 1) != 0, (valid & 6) != 0);
        }
    }

    /** A receiver of nodes that the kernel has forgotten. */
    @FunctionalInterface
    @API(status = API.Status.INTERNAL, since = "0.1")
    public interface Forgetting {

        /**
         * Called for each forgotten node.
         *
         * @param node number of the node
         * @param lookups number of answers with the node that no longer count
         */
        void forget(long node, long lookups);
    }

    /**
     * Decodes FORGET.
     *
     * @param node the node in the header
     * @param in the request after its header
     * @param forgetting receives the node
     */
    public static void takeForget(long node, ByteBuffer in, Forgetting forgetting) {
        forgetting.forget(node, in.getLong());
    }

    /**
     * Decodes BATCH_FORGET.
     *
     * @param in the request after its header
     * @param forgetting receives each node
     */
    public static void takeForgets(ByteBuffer in, Forgetting forgetting) {
        int count = in.getInt();
        in.getInt();
        for (int i = 0; i < count; i++) {
            forgetting.forget(in.getLong(), in.getLong());
        }
    }
}
