package dev.neurontest.fake;

import org.apiguardian.api.API;

/** The errors with which a read, write or open of a file in sysfs can fail. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Errno {
    /** Permission denied. */
    EACCES(13, "Permission denied"),
    /** Try again. */
    EAGAIN(11, "Resource temporarily unavailable"),
    /** Bad descriptor: closed, or not opened for the requested operation. */
    EBADF(9, "Bad file descriptor"),
    /** Device or resource busy. */
    EBUSY(16, "Device or resource busy"),
    /** Interrupted system call. */
    EINTR(4, "Interrupted system call"),
    /** Invalid argument. */
    EINVAL(22, "Invalid argument"),
    /** Input/output error. */
    EIO(5, "Input/output error"),
    /** Is a directory. */
    EISDIR(21, "Is a directory"),
    /** Too many symbolic links. */
    ELOOP(40, "Too many levels of symbolic links"),
    /** No such device: it was removed after the file was opened. */
    ENODEV(19, "No such device"),
    /** No such file or directory. */
    ENOENT(2, "No such file or directory"),
    /** Not enough memory. */
    ENOMEM(12, "Cannot allocate memory"),
    /** No such system call. */
    ENOSYS(38, "Function not implemented"),
    /** Not a directory. */
    ENOTDIR(20, "Not a directory"),
    /** Not connected. */
    ENOTCONN(107, "Transport endpoint is not connected"),
    /** No such {@code ioctl} of the device. */
    ENOTTY(25, "Inappropriate ioctl for device"),
    /** No such device or address. */
    ENXIO(6, "No such device or address"),
    /** Not supported. */
    EOPNOTSUPP(95, "Operation not supported"),
    /** Operation not permitted, regardless of the mode of the file. */
    EPERM(1, "Operation not permitted"),
    /** Protocol error. */
    EPROTO(71, "Protocol error"),
    /** Timed out. */
    ETIMEDOUT(110, "Connection timed out");

    private final int number;
    private final String text;

    Errno(int number, String text) {
        this.number = number;
        this.text = text;
    }

    /**
     * Returns the number of Linux on x86-64 and aarch64.
     *
     * @return the number, such as 19
     */
    public int number() {
        return number;
    }

    /**
     * Returns the text that a shell prints for the error.
     *
     * @return the text, such as {@code No such device}
     */
    public String text() {
        return text;
    }
}
