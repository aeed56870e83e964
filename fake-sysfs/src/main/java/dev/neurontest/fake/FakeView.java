package dev.neurontest.fake;

import org.apiguardian.api.API;

/** The type of the files in a host's directory. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum FakeView {
    /** Ordinary files, on every operating system. {@link FakeNeuronHost#directory()} lists their limits. */
    DIRECTORY,
    /**
     * A separate mount for {@code sys}, which behaves like sysfs: a write is visible to the next read, {@code poll} wakes, and system calls
     * have errors and delays. Needs Linux, {@code /dev/fuse}, and root or {@code fusermount3}.
     */
    FUSE
}
