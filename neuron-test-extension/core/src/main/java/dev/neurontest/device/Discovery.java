package dev.neurontest.device;

import dev.neurontest.internal.device.CoreMap;
import dev.neurontest.internal.device.DatastoreCounters;
import dev.neurontest.internal.device.Nodes;
import dev.neurontest.internal.host.DeviceNumber;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The result of a search for devices on a host, before logical cores are numbered. */
record Discovery(
        HostTree tree,
        List<Device> devices,
        Map<Integer, Integer> nodes,
        Optional<String> renumbered,
        Optional<DriverVersion> driverVersion,
        Optional<String> instanceType,
        int logicalCoreSize,
        CoreMapChoice choice,
        DatastoreCounters datastoreCounters,
        String datastoreCountersReason,
        List<String> notices) {

    private static final String CLASS = "sys/class/neuron_device";

    private static final String MODULE = "sys/module/neuron";
    private static final String NODES = "dev/neuron";

    /** Files of a device that a discovery reads. */
    private static final List<String> USUAL = List.of(
            "dev",
            "core_count",
            "info/architecture/arch_type",
            "info/architecture/device_name",
            "info/architecture/instance_type",
            "neuron_core0/info/architecture/arch_type");

    private static final String PRODUCT = "sys/devices/virtual/dmi/id/product_name";

    /** First driver that updates status and execution counters at once. */
    private static final DriverVersion LIVE = new DriverVersion("2.30.2");

    private static final DriverVersion NEWEST_KNOWN = new DriverVersion("2.30.2.0");

    private static final DriverVersion FIRST_WITH_CORES = new DriverVersion("2.8.4");
    private static final DriverVersion FIRST_WITH_DEVICE_COUNTERS = new DriverVersion("2.10.11");
    private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,5}");
    private static final String UPDATE = "update the package aws-neuronx-dkms";

    /** Files of a device that prove a minimum release when no version is readable, the newest first. */
    private static final List<Mark> MARKS = List.of(
            new Mark("stats/hardware/sram_ecc_corrected", LIVE),
            new Mark("stats/power/utilization_raw", new DriverVersion("2.29")),
            new Mark("fw_build", new DriverVersion("2.28")),
            new Mark("fw_api_version", new DriverVersion("2.27.4")));

    private record Mark(String file, DriverVersion since) {}

    /** The minimum release of a driver without a version, and the file that proves it. */
    private record Seen(String location, DriverVersion since) {}

    /** Directory with all files of drivers up to 2.7. Their names and meanings differ. */
    private static final String BEFORE_2_8 = "metrics";

    /** A device before its cores are numbered. */
    record Device(int index, Architecture architecture, List<PhysicalCore> cores) {

        PhysicalCore core(int number) {
            for (PhysicalCore core : cores) {
                if (core.index() == number) {
                    return core;
                }
            }
            throw new NoSuchElementException("core " + number);
        }
    }

    static Discovery of(HostTree tree, LogicalCoreSize size, CoreMap wantedMap) {
        return new Search(tree).run(size, wantedMap);
    }

    /** Returns the result for a machine without devices. */
    static Discovery ofNothing(HostTree tree) {
        return new Discovery(
                tree,
                List.of(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                1,
                new CoreMapChoice(CoreMap.IDENTITY, Optional.empty()),
                DatastoreCounters.LIVE,
                "no driver",
                List.of());
    }

    CoreMap coreMap() {
        return choice.map();
    }

    /** Groups the physical cores of a device into logical cores, in the runtime's order. */
    List<List<PhysicalCore>> logical(Device device) {
        List<PhysicalCore> ordered = device.cores();
        if (coreMap().fits(indices(device))) {
            ordered = new ArrayList<>();
            for (int position = 0; position < device.cores().size(); position++) {
                ordered.add(
                        coreMap() == CoreMap.IDENTITY
                                ? device.cores().get(position)
                                : device.core(coreMap().physical(device.index(), position)));
            }
        }
        List<List<PhysicalCore>> groups = new ArrayList<>();
        for (int first = 0; first + logicalCoreSize <= ordered.size(); first += logicalCoreSize) {
            groups.add(List.copyOf(ordered.subList(first, first + logicalCoreSize)));
        }
        return groups;
    }

    private static List<Integer> indices(Device device) {
        List<Integer> indices = new ArrayList<>();
        for (PhysicalCore core : device.cores()) {
            indices.add(core.index());
        }
        return indices;
    }

    /** The steps of a discovery, with a common file tree and common notices. */
    private static final class Search {

        private final HostTree tree;

        /** The files of the devices, which a remote host sends together. */
        private HostTree seen;

        private Attributes attributes;
        private final List<String> notices = new ArrayList<>();

        /** The N of each node in dev, by the N of neuronN in sysfs. */
        private final SortedMap<Integer, Integer> nodes = new TreeMap<>();

        Search(HostTree tree) {
            this.tree = tree;
            this.seen = tree;
            this.attributes = new Attributes(tree);
        }

        /** Reads what is usual for devices and their nodes. */
        private void look(List<Integer> listed) {
            List<String> directories = new ArrayList<>();
            List<String> files = new ArrayList<>();
            List<String> paths = new ArrayList<>();
            for (int index : listed) {
                String directory = NeuronDevice.directory(index);
                directories.add(directory);
                paths.add(NODES + index);
                for (String file : USUAL) {
                    files.add(directory + "/" + file);
                }
            }
            paths.addAll(files);
            seen = tree.forEntries(directories, paths);
            // A remote host has sent them with the entries.
            attributes = seen == tree ? new Attributes(tree, files) : new Attributes(seen);
        }

        Discovery run(LogicalCoreSize size, CoreMap wantedMap) {
            Optional<String> text = attributes.hint(MODULE + "/version");
            Optional<DriverVersion> version =
                    text.isPresent() ? Optional.of(new DriverVersion(text.get())) : Optional.empty();
            Optional<String> product = attributes.hint(PRODUCT);
            List<Device> devices = devices(product, version);
            Optional<DriverVersion> comparable =
                    version.isPresent() && version.get().known() ? version : Optional.empty();
            requireCountersOfDevices(comparable);
            Optional<Seen> mark = comparable.isPresent() ? Optional.empty() : mark(devices);
            if (version.isPresent()) {
                checkVersion(version.get());
            }
            Family family = devices.get(0).architecture().family();
            if (size == LogicalCoreSize.TWO && !family.pairsCores()) {
                notices.add("logical cores of size 2 were requested, but the runtime pairs cores only on Trn2 and Trn3;"
                        + " on this host (" + family + ") every logical core is one physical core");
            }
            CoreMapChoice choice = wantedMap == CoreMap.BY_FAMILY
                    ? map(family, product, possibleDrivers(comparable, mark))
                    : new CoreMapChoice(wantedMap, Optional.empty());
            CoreMap map = choice.map();
            if (choice.doubt().isPresent()) {
                notices.add(
                        "The order of the physical cores is not certain: %s. Used: %s. Results for the counters of part of a device are undecided; set neuron.test.core.map to resolve the doubt."
                                .formatted(choice.doubt().get(), map.setting()));
            }
            int physicalPerLogical = size.on(family);
            for (Device device : devices) {
                checkNumbering(device, map, physicalPerLogical);
            }
            boolean live = comparable.isPresent() && comparable.get().atLeast(LIVE)
                    || mark.isPresent() && mark.get().since().atLeast(LIVE);
            Optional<String> renumbered = renumbered();
            if (renumbered.isPresent()) {
                notices.add(
                        "device nodes are renumbered: %s. The counters belong to the right device, but no cores are leased, because it is unknown which core the runtime means by a number"
                                .formatted(renumbered.get()));
            }
            if (renumbered.isEmpty() && !nodes.isEmpty() && nodes.lastKey() >= nodes.size()) {
                notices.add(
                        "there are device nodes of %s only: cores are counted from 0 over these, as the runtime does in a container with some of the devices"
                                .formatted(nodes.keySet().stream()
                                        .map(index -> "neuron" + index)
                                        .collect(Collectors.joining(", "))));
            }
            return new Discovery(
                    tree,
                    devices,
                    nodes,
                    renumbered,
                    version,
                    product,
                    physicalPerLogical,
                    choice,
                    live ? DatastoreCounters.LIVE : DatastoreCounters.DEFERRED,
                    reason(version, mark),
                    notices);
        }

        /** Returns the possible releases of the driver. A known version is the only one; otherwise the files limit the releases. */
        private static List<DriverVersion> possibleDrivers(Optional<DriverVersion> comparable, Optional<Seen> mark) {
            if (comparable.isPresent()) {
                return List.of(comparable.get());
            }
            return PlatformType.RELEASES.stream()
                    .filter(release ->
                            mark.isEmpty() || release.atLeast(mark.get().since()))
                    .toList();
        }

        private Optional<Seen> mark(List<Device> devices) {
            return MARKS.stream()
                    .flatMap(mark -> devices.stream()
                            .map(device -> attributes.place(NeuronDevice.directory(device.index()), mark.file()))
                            .filter(tree::exists)
                            .map(path -> new Seen(tree.location(path), mark.since())))
                    .findFirst();
        }

        private void checkVersion(DriverVersion version) {
            if (!version.known()) {
                notices.add(
                        "the driver's version %s cannot be compared, so its behavior is derived from its files; modinfo neuron may show more"
                                .formatted(version));
            } else if (version.atLeast(NEWEST_KNOWN) && !NEWEST_KNOWN.atLeast(version)) {
                notices.add(
                        "driver %s is newer than the newest known one (%s): files may have moved, be new, or count differently; compare what is read with neuron-ls and neuron-monitor"
                                .formatted(version, NEWEST_KNOWN));
            }
        }

        private String reason(Optional<DriverVersion> version, Optional<Seen> mark) {
            if (version.isPresent() && version.get().known()) {
                return "driver " + version.get();
            }
            String unknown = version.map(text -> "driver version " + text + " cannot be compared")
                    .orElse("driver version unknown (no " + tree.location(MODULE + "/version") + ")");
            return unknown
                    + mark.filter(seen -> seen.since().atLeast(LIVE))
                            .map(seen -> ", but %s exists, which drivers have from %s on"
                                    .formatted(seen.location(), seen.since()))
                            .orElse(", so the rule of drivers up to 2.29 is assumed");
        }

        private List<Device> devices(Optional<String> product, Optional<DriverVersion> version) {
            List<Integer> listed = numbered(deviceNames(version), "neuron");
            if (listed.isEmpty()) {
                throw new NoNeuronDeviceException("no neuronN in " + tree.location(NeuronHost.DEVICES)
                        + ": the driver is loaded but found no device (see dmesg)");
            }
            look(listed);
            List<Integer> usable = usable(listed);
            List<Device> devices = new ArrayList<>();
            boolean hasCores = false;
            for (int index : usable) {
                Optional<List<PhysicalCore>> cores = cores(index);
                if (cores.isPresent()) {
                    devices.add(new Device(index, architecture(index, cores.get(), product), cores.get()));
                    hasCores |= !cores.get().isEmpty();
                }
            }
            if (!hasCores) {
                throw new NoNeuronDeviceException("no neuron_coreK in "
                        + usable.stream()
                                .map(index -> tree.location(NeuronDevice.directory(index)))
                                .collect(Collectors.joining(", "))
                        + ": "
                        + withoutCores(usable, version));
            }
            return devices;
        }

        private String withoutCores(List<Integer> usable, Optional<DriverVersion> version) {
            Optional<String> metrics = usable.stream()
                    .map(index -> NeuronDevice.directory(index) + "/metrics")
                    .filter(tree::exists)
                    .findFirst();
            String text = version.map(DriverVersion::text).orElse("unknown");
            if (metrics.isPresent()) {
                return "%s exists, which only drivers up to 2.7 have (here: %s), and their counters have another meaning; %s"
                        .formatted(tree.location(metrics.get()), text, UPDATE);
            }
            return version.filter(driver -> driver.known() && !driver.atLeast(FIRST_WITH_CORES))
                    .map(old -> "driver %s is older than 2.8.4, the first that shows cores; %s".formatted(old, UPDATE))
                    .orElse("the device is still starting or is gone (driver version %s)".formatted(text));
        }

        /** Throws if the driver is older than 2.10.11. Such a driver has no counters of a device, and every rule reads them. */
        private void requireCountersOfDevices(Optional<DriverVersion> comparable) {
            if (comparable.isPresent() && !comparable.get().atLeast(FIRST_WITH_DEVICE_COUNTERS)) {
                throw new NoNeuronDeviceException(
                        "driver %s (%s) shows no counters of a device, which drivers have from 2.10.11 on, so errors of the device would be missed; %s"
                                .formatted(comparable.get(), tree.location(MODULE + "/version"), UPDATE));
            }
        }

        private List<String> deviceNames(Optional<DriverVersion> version) {
            try {
                return tree.list(NeuronHost.DEVICES);
            } catch (NoSuchFileException absent) {
                throw new NoNeuronDeviceException("no " + tree.location(NeuronHost.DEVICES) + ": "
                        + version.map(loaded -> "driver " + loaded + " is loaded but created no device (see dmesg)")
                                .orElse("driver not loaded; on an instance, load it (sudo modprobe neuron)"));
            } catch (AccessDeniedException denied) {
                throw new NoNeuronDeviceException(
                        tree.location(NeuronHost.DEVICES)
                                + " is not readable for this user: allow it to read /sys, which is open to all users by default");
            } catch (IOException failed) {
                throw new NoNeuronDeviceException(
                        tree.location(NeuronHost.DEVICES) + " could not be listed: " + failed.getMessage());
            }
        }

        /**
         * Finds the devices that this process can use. A container has all devices of the host in sysfs, but only its own devices
         * in dev, perhaps under other names. The device number of a node identifies its device. An ordinary file as a node is
         * matched by its name. A node with an unknown number is matched by name too, if the number of the device of that name
         * cannot be read.
         */
        private List<Integer> usable(List<Integer> listed) {
            List<Integer> given;
            try {
                given = numbered(tree.list("dev"), "neuron");
            } catch (IOException unknown) {
                return listed;
            }
            Map<String, Integer> byNumber = new HashMap<>();
            Set<Integer> withoutNumber = new HashSet<>();
            for (int index : listed) {
                Optional<DeviceNumber> number = DeviceNumber.parse(
                        attributes.hint(NeuronDevice.directory(index) + "/dev").orElse(""));
                if (number.isPresent()) {
                    byNumber.put(number.get().toString(), index);
                } else {
                    withoutNumber.add(index);
                }
            }
            for (int node : given) {
                Optional<Integer> device = device(node, byNumber, withoutNumber);
                if (device.isPresent()) {
                    keep(device.get(), node);
                }
            }
            List<Integer> usable = new ArrayList<>(listed);
            usable.retainAll(nodes.keySet());
            if (usable.isEmpty()) {
                throw new NoNeuronDeviceException(
                        "%s has %s, but %s has %s: pass a device of this host to the container"
                                .formatted(
                                        tree.location(NeuronHost.DEVICES),
                                        names(listed),
                                        tree.location("dev"),
                                        given.isEmpty() ? "none" : "only " + names(given)));
            }
            return usable;
        }

        /** Stores the node of a device. If several nodes belong to one device, the node with the same number is preferred. */
        private void keep(int index, int node) {
            if (index == node) {
                nodes.put(index, node);
            } else {
                nodes.putIfAbsent(index, node);
            }
        }

        private Optional<Integer> device(int node, Map<String, Integer> byNumber, Set<Integer> withoutNumber) {
            Optional<DeviceNumber> number = seen.deviceNumber(NODES + node);
            if (number.isEmpty() || byNumber.isEmpty()) {
                return Optional.of(node);
            }
            Optional<Integer> device =
                    Optional.ofNullable(byNumber.get(number.get().toString()));
            if (device.isEmpty() && withoutNumber.contains(node)) {
                return Optional.of(node);
            }
            if (device.isEmpty()) {
                notices.add("%s has the device number %s, which no neuronN in %s has, and is left out"
                        .formatted(tree.location(NODES + node), number.get(), tree.location(NeuronHost.DEVICES)));
            }
            return device;
        }

        /** Returns the nodes with another number than their device in sysfs; empty if all agree. */
        private Optional<String> renumbered() {
            List<String> renamed = new ArrayList<>();
            for (Map.Entry<Integer, Integer> node : nodes.entrySet()) {
                if (!node.getKey().equals(node.getValue())) {
                    renamed.add("%s is neuron%s of sysfs (%s)"
                            .formatted(
                                    tree.location(NODES + node.getValue()),
                                    node.getKey(),
                                    attributes
                                            .hint(NeuronDevice.directory(node.getKey()) + "/dev")
                                            .orElse("?")));
                }
            }
            return renamed.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", renamed));
        }

        private Optional<List<PhysicalCore>> cores(int index) {
            String directory = NeuronDevice.directory(index);
            List<PhysicalCore> cores;
            try {
                List<String> names = seen.list(directory);
                cores = new ArrayList<>();
                for (int core : numbered(names, "neuron_core")) {
                    cores.add(new PhysicalCore(index, core));
                }
                if (cores.isEmpty() && !names.contains(BEFORE_2_8)) {
                    cores = Nodes.below(tree, directory).cores().entrySet().stream()
                            .map(core -> new PhysicalCore(
                                    index, core.getKey(), core.getValue().get(0)))
                            .toList();
                }
            } catch (NotDirectoryException file) {
                return Optional.empty();
            } catch (IOException | NeuronSysfsException failed) {
                notices.add(tree.location(directory) + " could not be listed and is left out: " + failed.getMessage());
                return Optional.empty();
            }
            if (cores.isEmpty()) {
                notices.add(tree.location(directory) + " has no neuron_coreK");
            } else {
                checkCount(index, cores.size());
            }
            return Optional.of(cores);
        }

        private void checkCount(int index, int directories) {
            String path = attributes.place(NeuronDevice.directory(index), "core_count");
            Optional<String> content = attributes.hint(path);
            OptionalLong count = Attributes.parse(content.orElse(""));
            if (content.isPresent() && (count.isEmpty() || count.getAsLong() != directories)) {
                notices.add("%s contains %s, but there are %s neuron_core directories; the directories are used"
                        .formatted(tree.location(path), content.get(), directories));
            }
        }

        private Architecture architecture(int index, List<PhysicalCore> cores, Optional<String> product) {
            String directory = NeuronDevice.directory(index);
            Optional<String> device = described(directory, "arch_type");
            Optional<String> core =
                    cores.isEmpty() ? Optional.empty() : described(cores.get(0).directory(), "arch_type");
            Optional<String> name = described(directory, "device_name");
            Family family = Family.of(described(directory, "instance_type"), name, device, core, product);
            return new Architecture(family, device, core, name);
        }

        private Optional<String> described(String directory, String name) {
            try {
                return attributes.word(attributes.place(directory, "info/architecture/" + name));
            } catch (NeuronSysfsException unreadable) {
                notices.add(unreadable.getMessage());
                return Optional.empty();
            }
        }

        private CoreMapChoice map(Family family, Optional<String> product, List<DriverVersion> drivers) {
            String path = CLASS + "/node_id_2";
            return CoreMapChoice.of(
                    family,
                    product,
                    drivers,
                    new CoreMapChoice.ClassAttributes(
                            tree.exists(CLASS + "/node_cnt"),
                            tree.exists(path),
                            tree.exists(CLASS + "/hbm_7200_capable") || tree.exists(CLASS + "/current_perf_profile")),
                    new CoreMapChoice.Node(tree.location(path), attributes.hint(path)));
        }

        private void checkNumbering(Device device, CoreMap map, int physicalPerLogical) {
            String directory = tree.location(NeuronDevice.directory(device.index()));
            if (!map.fits(indices(device))) {
                notices.add("%s has the cores %s, which the numbering %s does not fit; they are used in their own order"
                        .formatted(directory, indices(device), map.setting()));
            }
            if (device.cores().size() % physicalPerLogical != 0) {
                notices.add("%s has %s cores, so the last one has no partner and is left out"
                        .formatted(directory, device.cores().size()));
            }
        }

        /** Returns the numbers of the entries with a prefix. Other entries, such as class attributes and power, are ignored. */
        private static List<Integer> numbered(List<String> names, String prefix) {
            List<Integer> numbers = new ArrayList<>();
            for (String name : names) {
                if (name.startsWith(prefix)
                        && NUMBER.matcher(name.substring(prefix.length())).matches()) {
                    numbers.add(Integer.valueOf(name.substring(prefix.length())));
                }
            }
            Collections.sort(numbers);
            return numbers;
        }

        private static String names(List<Integer> indices) {
            return indices.stream().map(index -> "neuron" + index).collect(Collectors.joining(", "));
        }
    }
}
