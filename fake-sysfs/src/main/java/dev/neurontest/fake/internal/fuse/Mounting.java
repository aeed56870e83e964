package dev.neurontest.fake.internal.fuse;

import java.io.IOException;
import java.nio.file.Path;

/** A way to mount and unmount. */
interface Mounting {

    /**
     * Mounts on a directory.
     *
     * @return the descriptor of the device
     * @throws FuseUnavailableException if the mount fails
     */
    int mount(Path point, MountOwner owner) throws FuseUnavailableException;

    /** Unmounts at once. Programs in the mount keep it until the server ends. */
    void unmount(Path point) throws IOException;
}
