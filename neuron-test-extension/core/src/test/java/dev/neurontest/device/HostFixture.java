package dev.neurontest.device;

import dev.neurontest.internal.host.BatchFixture;
import dev.neurontest.internal.host.DeviceNumber;
import dev.neurontest.internal.host.EntryKind;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A small host of files written by a test. */
public final class HostFixture {

    /** A generation with the strings and the number of cores of its driver. */
    public enum Kind {
        INF1("NDv1", "NCv1", "Inf1", "Inferentia", 4),
        INF2("NDv3", "NCv2", "Inf2", "Inferentia2", 2),
        TRN1("NDv2", "NCv2", "Trn1", "Trainium1", 2),
        TRN2("NDv3", "NCv3", "Trn2", "Trainium2", 8),
        TRN3("NDv4", "NCv4", "Trn3", "Trainium3", 8);

        private final String device;
        private final String core;
        private final String type;
        private final String name;
        private final int cores;

        Kind(String device, String core, String type, String name, int cores) {
            this.device = device;
            this.core = core;
            this.type = type;
            this.name = name;
            this.cores = cores;
        }
    }

    private static final String CLASS = "sys/class/neuron_device/";

    private final Path root;
    private final Map<String, IOException> failures = new HashMap<>();

    private final Map<String, DeviceNumber> nodes = new HashMap<>();

    public HostFixture(Path root) {
        this.root = root;
    }

    /**
     * Adds devices. Those of Trn2 and Trn3 belong to a standard machine, as the class attributes show from driver
     * 2.27.4 on.
     */
    public HostFixture devices(Kind kind, int... indices) {
        if (kind.cores == 8) {
            file(CLASS + "hbm_7200_capable", "0\n");
            file(CLASS + "current_perf_profile", "0\n");
        }
        for (int index : indices) {
            String device = "neuron" + index + "/";
            sysfs(device + "core_count", Integer.toString(kind.cores));
            sysfs(device + "connected_devices", "\n");
            sysfs(device + "info/architecture/arch_type", kind.device + "\n");
            sysfs(device + "info/architecture/instance_type", kind.type + "\n");
            sysfs(device + "info/architecture/device_name", kind.name + "\n");
            for (int core = 0; core < kind.cores; core++) {
                sysfs(device + "neuron_core" + core + "/info/architecture/arch_type", kind.core + "\n");
            }
        }
        return this;
    }

    /** Removes the class attributes, as before driver 2.22.2 or in a container that hides them. */
    public HostFixture withoutClassAttributes() {
        try {
            Files.delete(root.resolve(CLASS + "hbm_7200_capable"));
            Files.delete(root.resolve(CLASS + "current_perf_profile"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return this;
    }

    /**
     * Adds sixteen devices in four rows of four, each linked to its neighbours above, below, left and right, across the
     * edges too.
     */
    public HostFixture torus() {
        for (int index = 0; index < 16; index++) {
            int row = index / 4;
            int column = index % 4;
            String neighbours = IntStream.of(
                            (row + 3) % 4 * 4 + column,
                            row * 4 + (column + 3) % 4,
                            (row + 1) % 4 * 4 + column,
                            row * 4 + (column + 1) % 4)
                    .mapToObj(Integer::toString)
                    .collect(Collectors.joining(", "));
            sysfs("neuron" + index + "/connected_devices", neighbours + "\n");
        }
        return this;
    }

    /** Adds a file of the driver, by its path below the directory of the devices. */
    public HostFixture sysfs(String path, String content) {
        return file(NeuronHost.DEVICES + "/" + path, content);
    }

    public HostFixture file(String path, String content) {
        try {
            Files.createDirectories(root.resolve(path).getParent());
            Files.writeString(root.resolve(path), content);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return this;
    }

    /** Adds a node of a character device, which only root could create. */
    public HostFixture node(String path, int major, int minor) {
        nodes.put(path, new DeviceNumber(major, minor));
        return file(path, "");
    }

    public HostFixture directory(String path) {
        try {
            Files.createDirectories(root.resolve(path));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return this;
    }

    public HostFixture link(String path, String target) {
        try {
            Files.createDirectories(root.resolve(path).getParent());
            Files.createSymbolicLink(root.resolve(path), Path.of(target));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return this;
    }

    public HostFixture without(String path) {
        try {
            Files.delete(root.resolve(NeuronHost.DEVICES).resolve(path));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return this;
    }

    public HostFixture mode(String path, String permissions) {
        Set<PosixFilePermission> mode = PosixFilePermissions.fromString(permissions);
        try {
            Files.setPosixFilePermissions(root.resolve(NeuronHost.DEVICES).resolve(path), mode);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return this;
    }

    /** Makes reading or listing a path fail. Modes alone would not suffice, because root may read everything. */
    public HostFixture failing(String path, IOException cause) {
        failures.put(path, cause);
        return this;
    }

    public String location(String path) {
        return tree().location(path);
    }

    public HostTree tree() {
        try {
            return new FailingTree(FileTree.at(root), Map.copyOf(failures), Map.copyOf(nodes));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    public NeuronHost host() {
        return NeuronHost.discover(tree());
    }

    private record FailingTree(HostTree tree, Map<String, IOException> failures, Map<String, DeviceNumber> nodes)
            implements HostTree {

        private void check(String path) throws IOException {
            IOException failure = failures.get(path);
            if (failure != null) {
                throw failure;
            }
        }

        @Override
        public String name() {
            return tree.name();
        }

        @Override
        public String location(String path) {
            return tree.location(path);
        }

        @Override
        public byte[] read(String path) throws IOException {
            check(path);
            return tree.read(path);
        }

        @Override
        public void write(String path, byte[] content) throws IOException {
            check(path);
            tree.write(path, content);
        }

        @Override
        public List<String> list(String directory) throws IOException {
            check(directory);
            return tree.list(directory);
        }

        @Override
        public boolean exists(String path) {
            return tree.exists(path);
        }

        @Override
        public OptionalInt mode(String path) {
            return tree.mode(path);
        }

        @Override
        public Optional<String> linkTarget(String path) {
            return tree.linkTarget(path);
        }

        @Override
        public Optional<DeviceNumber> deviceNumber(String path) {
            return Optional.ofNullable(nodes.get(path)).or(() -> tree.deviceNumber(path));
        }

        @Override
        public Optional<EntryKind> kind(String path) {
            return tree.kind(path);
        }

        @Override
        public Batch prepare(List<String> paths) {
            return new BatchFixture(paths, () -> {}, this::read);
        }
    }
}
