package dev.neurontest.internal.lease.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/**
 * The attributes that identify a file or directory.
 *
 * @param mode the mode with the file type
 * @param owner the user id of the owner
 * @param names the number of hard links
 */
record FileIdentity(int mode, int owner, int names, long device, long inode) {

    private static final int KIND = 0170000;
    private static final int REGULAR_FILE = 0100000;
    private static final int DIRECTORY = 0040000;
    private static final int LINK = 0120000;
    private static final int PIPE = 0010000;
    private static final int SOCKET = 0140000;
    private static final int PERMISSIONS = 07777;

    /** Reads the attributes of a named file without following a link. */
    static FileIdentity named(Path path) throws IOException {
        return of(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** Reads the attributes of an open file. */
    static FileIdentity opened(Path descriptor) throws IOException {
        return of(descriptor);
    }

    private static FileIdentity of(Path path, LinkOption... options) throws IOException {
        Map<String, Object> attributes = Files.readAttributes(path, "unix:mode,uid,nlink,dev,ino", options);
        return new FileIdentity(
                (int) attributes.get("mode"),
                (int) attributes.get("uid"),
                (int) attributes.get("nlink"),
                (long) attributes.get("dev"),
                (long) attributes.get("ino"));
    }

    boolean isSame(FileIdentity other) {
        return device == other.device && inode == other.inode;
    }

    boolean isDirectory() {
        return (mode & KIND) == DIRECTORY;
    }

    boolean isLink() {
        return (mode & KIND) == LINK;
    }

    int permissions() {
        return mode & PERMISSIONS;
    }

    /**
     * Verifies that this is a directory.
     *
     * @param path the path of the reading, as known to the operating system
     */
    void requireDirectory(Path path) throws IOException {
        if (!isDirectory()) {
            throw new PlantedFileException(path.toString(), isLink() ? link(path) : "it is not a directory");
        }
    }

    /** Verifies that this is a regular file with a single name. */
    void requireFile(Path path) throws IOException {
        require(REGULAR_FILE, "a file", path);
    }

    /** Verifies that this is a socket with a single name. */
    void requireSocket(Path path) throws IOException {
        require(SOCKET, "a socket", path);
    }

    private void require(int kind, String what, Path path) throws IOException {
        if (isLink()) {
            throw new PlantedFileException(path.toString(), link(path));
        }
        if ((mode & KIND) != kind) {
            throw new PlantedFileException(
                    path.toString(), (mode & KIND) == PIPE ? "it is a pipe and not " + what : "it is not " + what);
        }
        if (names > 1) {
            throw new PlantedFileException(
                    path.toString(), "it has a second name, which another user may have planted");
        }
    }

    private static String link(Path path) throws IOException {
        return "it is a link to " + Files.readSymbolicLink(path) + ", which another user may have planted";
    }

    /** Describes the permissions of a file, for the message about denied access. */
    static String access(Path path, LinkOption... options) throws IOException {
        Map<String, Object> attributes = Files.readAttributes(path, "unix:mode,owner", options);
        return "its mode is %04o and its owner %s"
                .formatted((int) attributes.get("mode") & PERMISSIONS, attributes.get("owner"));
    }
}
