package dev.neurontest.fake;

import org.apiguardian.api.API;

/** What a file is opened for. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum FakeAccess {
    /** Reading alone, as {@code O_RDONLY}. */
    READ,
    /** Writing alone, as {@code O_WRONLY}. */
    WRITE,
    /** Both, as {@code O_RDWR}. */
    READ_WRITE;

    /**
     * Whether it includes reading.
     *
     * @return false for {@link #WRITE}
     */
    public boolean reads() {
        return this != WRITE;
    }

    /**
     * Whether it includes writing.
     *
     * @return false for {@link #READ}
     */
    public boolean writes() {
        return this != READ;
    }
}
