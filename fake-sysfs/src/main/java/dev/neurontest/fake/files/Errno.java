package dev.neurontest.fake.files;

import org.apiguardian.api.API;

/** The errors that a read, write or open of a file in sysfs can fail with. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Errno {
    /** Permission denied. */
    EACCES("Permission denied"),
    /** Try again. */
    EAGAIN("Resource temporarily unavailable"),
    /** Bad descriptor: closed, or not opened for what is asked of it. */
    EBADF("Bad file descriptor"),
    /** Device or resource busy. */
    EBUSY("Device or resource busy"),
    /** Interrupted. */
    EINTR("Interrupted system call"),
    /** Invalid argument. */
    EINVAL("Invalid argument"),
    /** Input/output error. */
    EIO("Input/output error"),
    /** Is a directory. */
    EISDIR("Is a directory"),
    /** Too many symbolic links. */
    ELOOP("Too many levels of symbolic links"),
    /** No such device: it was there when the file was opened. */
    ENODEV("No such device"),
    /** No such file or directory. */
    ENOENT("No such file or directory"),
    /** Not enough memory. */
    ENOMEM("Cannot allocate memory"),
    /** Not a directory. */
    ENOTDIR("Not a directory"),
    /** No such device or address. */
    ENXIO("No such device or address"),
    /** Timed out. */
    ETIMEDOUT("Connection timed out");

    private final String text;

    Errno(String text) {
        this.text = text;
    }

    /**
     * What a shell prints for it.
     *
     * @return such as {@code No such device}
     */
    public String text() {
        return text;
    }
}
