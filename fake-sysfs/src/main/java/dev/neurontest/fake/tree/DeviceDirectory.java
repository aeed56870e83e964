package dev.neurontest.fake.tree;

import dev.neurontest.fake.driver.Device;
import dev.neurontest.fake.files.Errno;
import dev.neurontest.fake.files.FakeErrnoException;
import java.io.IOException;

/** {@code neuronN}. */
final class DeviceDirectory extends FixedDirectory {

    private final Device device;
    private final FaultList faults = new FaultList();

    DeviceDirectory(DirectoryNode parent, Device device, int mode) {
        super(parent, device.toString(), mode, false);
        this.device = device;
    }

    Device device() {
        return device;
    }

    FaultList faults() {
        return faults;
    }

    /** What must be true and done before one of the device's files is read or written. */
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
