package dev.neurontest.fake.internal.fuse.protocol;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The requests of the kernel. Other requests, including those of newer kernels, are answered with {@code ENOSYS}. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Opcode {
    /** Lookup of a name in a directory. */
    LOOKUP(1),
    /** Notice that the kernel has dropped a node; it has no answer. */
    FORGET(2),
    /** Query of the attributes that {@code stat} shows. */
    GETATTR(3),
    /** Change of attributes by {@code truncate}, {@code chmod} or {@code touch}. */
    SETATTR(4),
    /** Query of the target of a link. */
    READLINK(5),
    /** Creation of a link. */
    SYMLINK(6),
    /** Creation of a file. */
    MKNOD(8),
    /** Creation of a directory. */
    MKDIR(9),
    /** Deletion of a file. */
    UNLINK(10),
    /** Deletion of a directory. */
    RMDIR(11),
    /** Change of a name. */
    RENAME(12),
    /** Creation of a second name. */
    LINK(13),
    /** Opening of a file. */
    OPEN(14),
    /** Reading of an open file. */
    READ(15),
    /** Writing of an open file. */
    WRITE(16),
    /** Query of the values that {@code df} shows. */
    STATFS(17),
    /** Closing of the last descriptor of an open file. */
    RELEASE(18),
    /** Closing of a descriptor. */
    FLUSH(25),
    /** Start of the session, with an agreement on the protocol. */
    INIT(26),
    /** Opening of a directory. */
    OPENDIR(27),
    /** Listing of an open directory. */
    READDIR(28),
    /** Closing of the last descriptor of an open directory. */
    RELEASEDIR(29),
    /** Creation and opening of a file. */
    CREATE(35),
    /** Interruption of a request, because the waiting program received a signal. */
    INTERRUPT(36),
    /** End of the mount. */
    DESTROY(38),
    /** Device control. */
    IOCTL(39),
    /** Query whether an open file has an event. */
    POLL(40),
    /** Several {@link #FORGET} in a single request. */
    BATCH_FORGET(42),
    /** Listing of an open directory with attributes. */
    READDIRPLUS(44),
    /** Change of a name, with flags. */
    RENAME2(45),
    /** Creation of an open file without a name. */
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
     * Returns the opcode of a number.
     *
     * @param number number sent by the kernel
     * @return the opcode, or null if it is unknown
     */
    public static @Nullable Opcode of(int number) {
        return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }

    /** Returns the number that the kernel sends. */
    public int number() {
        return number;
    }
}
