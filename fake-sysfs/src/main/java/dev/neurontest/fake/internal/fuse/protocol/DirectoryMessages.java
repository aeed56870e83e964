package dev.neurontest.fake.internal.fuse.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apiguardian.api.API;

/** The messages about open directories. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class DirectoryMessages {

    private static final int HEADER = 24;
    private static final int ALIGNMENT = 8;

    private DirectoryMessages() {}

    /**
     * Answers OPENDIR ({@code fuse_open_out}).
     *
     * @param out where to put it
     * @param handle what the kernel names the open directory by
     */
    public static void putOpened(ByteBuffer out, long handle) {
        out.putLong(handle).putLong(0);
    }

    /**
     * How much room a name takes in an answer to READDIR.
     *
     * @param name in UTF-8
     * @return in bytes
     */
    public static int size(byte[] name) {
        return (HEADER + name.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    /**
     * A name in UTF-8.
     *
     * @param name of an entry
     * @return its bytes
     */
    public static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * One entry of READDIR ({@code fuse_dirent}).
     *
     * @param out where to put it
     * @param node the inode's number
     * @param next the offset at which to go on behind it
     * @param type of the entry
     * @param name in UTF-8
     */
    public static void putEntry(ByteBuffer out, long node, long next, NodeMessages.Type type, byte[] name) {
        int start = out.position();
        out.putLong(node).putLong(next).putInt(name.length).putInt(type.directoryType());
        out.put(name);
        SessionMessages.zeros(out, start + size(name));
    }

    /**
     * What stands before an entry of READDIRPLUS that the kernel is to look up itself, such as {@code .}: its node is 0.
     *
     * @param out where to put it
     */
    public static void putUnknown(ByteBuffer out) {
        SessionMessages.zeros(out, out.position() + NodeMessages.ENTRY_SIZE);
    }
}
