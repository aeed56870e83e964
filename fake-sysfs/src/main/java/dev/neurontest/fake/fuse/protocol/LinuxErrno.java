package dev.neurontest.fake.fuse.protocol;

import org.apiguardian.api.API;

/** The numbers of Linux for errors; they are the same on x86-64 and aarch64. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum LinuxErrno {
    /** Operation not permitted. */
    EPERM(1),
    /** No such file or directory. */
    ENOENT(2),
    /** Interrupted system call. */
    EINTR(4),
    /** Input/output error. */
    EIO(5),
    /** No such device or address. */
    ENXIO(6),
    /** Bad file descriptor. */
    EBADF(9),
    /** Resource temporarily unavailable. */
    EAGAIN(11),
    /** Cannot allocate memory. */
    ENOMEM(12),
    /** Permission denied. */
    EACCES(13),
    /** Device or resource busy. */
    EBUSY(16),
    /** No such device. */
    ENODEV(19),
    /** Not a directory. */
    ENOTDIR(20),
    /** Is a directory. */
    EISDIR(21),
    /** Invalid argument. */
    EINVAL(22),
    /** Inappropriate ioctl for device. */
    ENOTTY(25),
    /** The kernel asks for what there is not here. */
    ENOSYS(38),
    /** Too many levels of symbolic links. */
    ELOOP(40),
    /** Protocol error. */
    EPROTO(71),
    /** Operation not supported. */
    EOPNOTSUPP(95),
    /** Transport endpoint is not connected: the server of a mount is gone. */
    ENOTCONN(107),
    /** Connection timed out. */
    ETIMEDOUT(110);

    private final int number;

    LinuxErrno(int number) {
        this.number = number;
    }

    /**
     * The number.
     *
     * @return positive
     */
    public int number() {
        return number;
    }
}
