package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.Errno;
import dev.neurontest.fake.FakeErrnoException;
import dev.neurontest.fake.internal.driver.Device;
import java.io.IOException;

/** The directory {@code neuronN} of a device. */
final class DeviceDirectory extends FixedDirectory {

    private final Device device;

    DeviceDirectory(DirectoryNode parent, Device device, int mode) {
        super(parent, device.toString(), mode, false);
        this.device = device;
    }

    Device device() {
        return device;
    }

    /** Settles the device before one of its files is read or written. Throws ENODEV if the device is gone. */
    void admit(FileNode file) throws IOException {
        device.settle();
        if (!device.present()) {
            throw FakeErrnoException.of(Errno.ENODEV, file.path());
        }
    }

    @Override
    int generation() {
        return device.removals();
    }
}
