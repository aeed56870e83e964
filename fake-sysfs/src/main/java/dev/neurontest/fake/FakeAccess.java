package dev.neurontest.fake;

import org.apiguardian.api.API;

/** The access mode of an open file. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum FakeAccess {
    /** Read-only, as {@code O_RDONLY}. */
    READ,
    /** Write-only, as {@code O_WRONLY}. */
    WRITE,
    /** Reading and writing, as {@code O_RDWR}. */
    READ_WRITE;

    /**
     * Checks whether the mode includes reading.
     *
     * @return false for {@link #WRITE}
     */
    public boolean reads() {
        return this != WRITE;
    }

    /**
     * Checks whether the mode includes writing.
     *
     * @return false for {@link #READ}
     */
    public boolean writes() {
        return this != READ;
    }
}
