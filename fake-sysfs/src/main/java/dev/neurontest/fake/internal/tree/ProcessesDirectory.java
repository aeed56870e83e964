package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.Driver;
import dev.neurontest.fake.internal.driver.RuntimeProcess;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory {@code proc}. It contains the processes that own cores, the list of device numbers, and {@code stat} with the boot
 * time. Each process has its name and a link for each device that it has open.
 */
final class ProcessesDirectory extends DirectoryNode {

    private static final String DEVICES = "devices";
    private static final String STAT = "stat";
    private static final int FIRST_DESCRIPTOR = 3;
    private static final int COMM_LENGTH = 15;

    private final Driver driver;
    private final FileNode devices;
    private final FileNode stat;

    ProcessesDirectory(DirectoryNode parent, String name, Driver driver) {
        super(parent, name);
        this.driver = driver;
        this.devices = FileNode.fixed(this, DEVICES, 0444, DeviceNumbers.LIST);
        String booted = "btime " + driver.kernelLog().booted().getEpochSecond() + "\n";
        this.stat = FileNode.fixed(this, STAT, 0444, booted);
    }

    @Override
    public boolean varies() {
        return true;
    }

    @Override
    public List<String> names() {
        return Stream.concat(
                        driver.processes().stream().map(process -> Long.toString(process.pid())),
                        Stream.of(DEVICES, STAT))
                .toList();
    }

    @Override
    @Nullable
    public Node child(String name, boolean evenGone) {
        return switch (name) {
            case DEVICES -> devices;
            case STAT -> stat;
            default -> process(name).map(this::directory).orElse(null);
        };
    }

    /** Returns the process instead of its name, because a new process can reuse the number of an ended one. */
    @Override
    public Object behind(String name) {
        return process(name).<Object>map(process -> process).orElse(name);
    }

    private Optional<RuntimeProcess> process(String name) {
        return driver.processes().stream()
                .filter(process -> Long.toString(process.pid()).equals(name))
                .findFirst();
    }

    private FixedDirectory directory(RuntimeProcess process) {
        FixedDirectory directory = new ProcessDirectory(this, Long.toString(process.pid()));
        String name = process.name();
        directory.add(FileNode.ordinary(
                directory, "comm", 0444, () -> name.substring(0, Math.min(name.length(), COMM_LENGTH)) + '\n'));
        FixedDirectory descriptors = directory.directory("fd");
        int descriptor = FIRST_DESCRIPTOR;
        for (Device device : process.devices()) {
            descriptors.add(new LinkNode(descriptors, Integer.toString(descriptor++), "/dev/" + device));
        }
        return directory;
    }

    private static final class ProcessDirectory extends FixedDirectory {

        ProcessDirectory(DirectoryNode parent, String name) {
            super(parent, name);
        }

        @Override
        boolean lasting() {
            return false;
        }
    }
}
