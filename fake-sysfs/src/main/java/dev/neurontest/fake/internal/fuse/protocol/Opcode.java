package dev.neurontest.fake.internal.fuse.protocol;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** What the kernel asks for. Requests that are not here, also those of newer kernels, are answered with {@code ENOSYS}. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Opcode {
    /** A name in a directory. */
    LOOKUP(1),
    /** A node is not known to the kernel any more; has no answer. */
    FORGET(2),
    /** What {@code stat} shows. */
    GETATTR(3),
    /** {@code truncate}, {@code chmod}, {@code touch}. */
    SETATTR(4),
    /** The target of a link. */
    READLINK(5),
    /** A new link. */
    SYMLINK(6),
    /** A new file. */
    MKNOD(8),
    /** A new directory. */
    MKDIR(9),
    /** The end of a file. */
    UNLINK(10),
    /** The end of a directory. */
    RMDIR(11),
    /** A new name. */
    RENAME(12),
    /** A second name. */
    LINK(13),
    /** Opens a file. */
    OPEN(14),
    /** Reads an open file. */
    READ(15),
    /** Writes an open file. */
    WRITE(16),
    /** What {@code df} shows. */
    STATFS(17),
    /** The last descriptor of an open file is closed. */
    RELEASE(18),
    /** A descriptor is closed. */
    FLUSH(25),
    /** Agrees on the protocol, once. */
    INIT(26),
    /** Opens a directory. */
    OPENDIR(27),
    /** Lists an open directory. */
    READDIR(28),
    /** The last descriptor of an open directory is closed. */
    RELEASEDIR(29),
    /** Opens a file that does not exist yet. */
    CREATE(35),
    /** The program that waits for an answer has got a signal. */
    INTERRUPT(36),
    /** The end of the mount. */
    DESTROY(38),
    /** Device control. */
    IOCTL(39),
    /** Whether an open file has something to say. */
    POLL(40),
    /** Several {@link #FORGET} at once. */
    BATCH_FORGET(42),
    /** Lists an open directory, with attributes. */
    READDIRPLUS(44),
    /** A new name, with flags. */
    RENAME2(45),
    /** An open file without a name. */
    TMPFILE(51);

    private static final Opcode[] BY_NUMBER = new Opcode[64];

    static {
        for (Opcode opcode : values()) {
            BY_NUMBER[opcode.number] = opcode;
        }
    }

    private final int number;

    Opcode(int number) {
        this.number = number;
    }

    /**
     * The opcode of a number.
     *
     * @param number as the kernel sends it
     * @return null when it is none of these
     */
    public static @Nullable Opcode of(int number) {
        return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }

    /**
     * The number.
     *
     * @return as the kernel sends it
     */
    public int number() {
        return number;
    }
}
