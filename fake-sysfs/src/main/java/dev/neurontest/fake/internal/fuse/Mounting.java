package dev.neurontest.fake.internal.fuse;

import java.io.IOException;
import java.nio.file.Path;

/** A way to mount and unmount. */
interface Mounting {

    /**
     * Mounts.
     *
     * @return the descriptor of the device
     * @throws FuseUnavailableException when that cannot be
     */
    int mount(Path point, MountOwner owner) throws FuseUnavailableException;

    /** Takes a mount away at once; who is in it stays until the server ends. */
    void unmount(Path point) throws IOException;
}
