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
     * Writes the answer to OPENDIR ({@code fuse_open_out}).
     *
     * @param out buffer for the answer
     * @param handle number by which the kernel refers to the open directory
     */
    public static void putOpened(ByteBuffer out, long handle) {
        out.putLong(handle).putLong(0);
    }

    /**
     * Returns the size of an entry in an answer to READDIR.
     *
     * @param name name in UTF-8
     * @return size in bytes
     */
    public static int size(byte[] name) {
        return (HEADER + name.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    /** Encodes a name in UTF-8. */
    public static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Writes an entry of READDIR ({@code fuse_dirent}).
     *
     * @param out buffer for the answer
     * @param node number of the inode
     * @param next offset at which to continue after the entry
     * @param type type of the entry
     * @param name name in UTF-8
     */
    public static void putEntry(ByteBuffer out, long node, long next, NodeMessages.Type type, byte[] name) {
        int start = out.position();
        out.putLong(node).putLong(next).putInt(name.length).putInt(type.directoryType());
        out.put(name);
        SessionMessages.zeros(out, start + size(name));
    }

    /**
     * Writes the attributes of an entry of READDIRPLUS that the kernel must look up itself, such as {@code .}: its node is 0.
     *
     * @param out buffer for the answer
     */
    public static void putUnknown(ByteBuffer out) {
        SessionMessages.zeros(out, out.position() + NodeMessages.ENTRY_SIZE);
    }
}
