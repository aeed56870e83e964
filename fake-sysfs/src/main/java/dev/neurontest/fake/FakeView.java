package dev.neurontest.fake;

import org.apiguardian.api.API;

/** How the files of a host's directory are made. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum FakeView {
    /** As ordinary files, on every operating system. What they cannot do, {@link FakeNeuronHost#directory()} says. */
    DIRECTORY,
    /**
     * {@code sys} is a mount of its own, which behaves as sysfs: what is written is there for the next read, {@code poll}
     * wakes, errors and delays are those of the system calls. Needs Linux, {@code /dev/fuse}, and root or
     * {@code fusermount3}.
     */
    FUSE
}
