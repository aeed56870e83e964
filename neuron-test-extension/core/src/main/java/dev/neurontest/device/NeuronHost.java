package dev.neurontest.device;

import dev.neurontest.internal.device.CoreMap;
import dev.neurontest.internal.device.DatastoreCounters;
import dev.neurontest.internal.device.DriverUse;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The Neuron devices of one host, as found at discovery.
 *
 * <p>Logical cores are numbered over the usable devices, in the order of the device numbers. A device that is missing, or that a
 * container does not have, gets no numbers. The runtime counts like this in a container. For a gap in the numbers on a bare host,
 * this is not verified.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NeuronHost {

    private static final Pattern PID = Pattern.compile("[0-9]{1,18}");

    static final String DEVICES = "sys/devices/virtual/neuron_device";

    private final HostTree tree;
    private final List<NeuronDevice> devices;
    private final List<NeuronCore> cores;
    private final Optional<DriverVersion> driverVersion;
    private final Optional<String> instanceType;
    private final int logicalCoreSize;
    private final CoreMap coreMap;
    private final Optional<String> coreMapDoubt;
    private final DatastoreCounters datastoreCounters;
    private final String datastoreCountersReason;
    private final List<String> notices;
    private final Optional<String> renumbered;

    private NeuronHost(Discovery discovery) {
        this.tree = discovery.tree();
        this.driverVersion = discovery.driverVersion();
        this.instanceType = discovery.instanceType();
        this.logicalCoreSize = discovery.logicalCoreSize();
        this.coreMap = discovery.coreMap();
        this.coreMapDoubt = discovery.choice().doubt();
        this.datastoreCounters = discovery.datastoreCounters();
        this.datastoreCountersReason = discovery.datastoreCountersReason();
        this.renumbered = discovery.renumbered();
        List<NeuronDevice> numbered = new ArrayList<>();
        List<NeuronCore> all = new ArrayList<>();
        for (Discovery.Device device : discovery.devices()) {
            NeuronDevice made = new NeuronDevice(
                    this,
                    device.index(),
                    discovery.nodes().getOrDefault(device.index(), device.index()),
                    device.architecture(),
                    device.cores(),
                    all.size(),
                    discovery.logical(device));
            numbered.add(made);
            all.addAll(made.cores());
        }
        this.devices = List.copyOf(numbered);
        this.cores = List.copyOf(all);
        this.notices = List.copyOf(discovery.notices());
    }

    /**
     * Discovers the devices of a host, with the runtime's defaults.
     *
     * @param tree the host's files
     * @return the host, with at least one device that has a core
     * @throws NoNeuronDeviceException when there is no usable device, with the reason
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static NeuronHost discover(HostTree tree) {
        return discover(tree, LogicalCoreSize.BY_FAMILY);
    }

    /**
     * Discovers the devices of a host.
     *
     * @param tree the host's files
     * @param size number of physical cores per logical core in the runtime of this host
     * @return the host, with at least one device that has a core
     * @throws NoNeuronDeviceException when there is no usable device, with the reason
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static NeuronHost discover(HostTree tree, LogicalCoreSize size) {
        return discover(tree, size, CoreMap.BY_FAMILY);
    }

    /**
     * Discovers the devices of a host with a known numbering of cores.
     *
     * @param tree the host's files
     * @param size number of physical cores per logical core in the runtime of this host
     * @param map numbering of the cores of a device in the runtime of this host
     * @return the host, with at least one device that has a core
     * @throws NoNeuronDeviceException when there is no usable device, with the reason
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static NeuronHost discover(HostTree tree, LogicalCoreSize size, CoreMap map) {
        return new NeuronHost(Discovery.of(tree, size, map));
    }

    /**
     * Creates a host without devices, for tests that need none.
     *
     * @param tree the machine's files
     * @return a host without devices and cores
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static NeuronHost withoutDevices(HostTree tree) {
        return new NeuronHost(Discovery.ofNothing(tree));
    }

    /**
     * Returns the files of the host.
     *
     * @return the file tree used for discovery
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public HostTree tree() {
        return tree;
    }

    /**
     * Returns the usable devices.
     *
     * @return the devices by number; the numbers may have gaps
     */
    public List<NeuronDevice> devices() {
        return devices;
    }

    /**
     * Returns the logical cores of all devices.
     *
     * @return the cores by index; the core at position L is selected by {@code NEURON_RT_VISIBLE_CORES=L}
     */
    public List<NeuronCore> cores() {
        return cores;
    }

    /**
     * Returns the version of the kernel module.
     *
     * @return the version; empty when the host does not show one
     */
    public Optional<DriverVersion> driverVersion() {
        return driverVersion;
    }

    /**
     * Returns the instance type of the machine, from its DMI product name. The sysfs files of Neuron do not contain it.
     *
     * @return such as {@code trn1.32xlarge}; empty when the host does not show one
     */
    public Optional<String> instanceType() {
        return instanceType;
    }

    /**
     * Returns the number of physical cores per logical core.
     *
     * @return 1 or 2
     */
    public int logicalCoreSize() {
        return logicalCoreSize;
    }

    /**
     * Returns the map from logical to physical cores.
     *
     * @return the map; never {@code CoreMap.BY_FAMILY}
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CoreMap coreMap() {
        return coreMap;
    }

    /**
     * Returns the reason why the cores may be numbered in another way than {@link #coreMap()}. Counter results for only some
     * cores of a device are undecided then, because an error may belong to another core of that device.
     *
     * @return the reason; empty when the map is certain
     */
    public Optional<String> coreMapDoubt() {
        return coreMapDoubt;
    }

    /**
     * Returns when status and execution counters of this host are updated.
     *
     * @return the behavior; when it is not known, deferred as in older drivers
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public DatastoreCounters datastoreCounters() {
        return datastoreCounters;
    }

    /**
     * Returns the evidence for {@link #datastoreCounters()}.
     *
     * @return such as {@code driver 2.24.7.0}
     */
    public String datastoreCountersReason() {
        return datastoreCountersReason;
    }

    /**
     * Returns the nodes in {@code dev} with another number than their device in sysfs. A container engine may create them. The
     * runtime's numbering of cores is unknown then, and no core can be given to a program.
     *
     * @return such as {@code /dev/neuron0 is neuron2 of sysfs (243:2)}; empty if the numbers agree
     */
    public Optional<String> renumberedNodes() {
        return renumbered;
    }

    /**
     * Returns the irregularities of this host that do not prevent its use.
     *
     * @return readable sentences
     */
    public List<String> notices() {
        return notices;
    }

    /**
     * Returns the processes that have a device open. Without root only processes of the same user are visible.
     *
     * @param device the device
     * @return the processes by process id
     */
    public List<ProcessOwner> owners(NeuronDevice device) {
        return owners().getOrDefault(device, List.of());
    }

    /**
     * Returns the processes that have any device open. Without root only processes of the same user are visible.
     *
     * @return the processes by process id for each device
     */
    public SortedMap<NeuronDevice, List<ProcessOwner>> owners() {
        if (DriverUse.isNone(tree)) {
            return Collections.emptySortedMap();
        }
        Map<String, NeuronDevice> nodes = new HashMap<>();
        devices.forEach(device -> nodes.put("/" + device.node(), device));
        SortedMap<NeuronDevice, List<ProcessOwner>> owners = new TreeMap<>();
        for (long pid : processes()) {
            SortedSet<NeuronDevice> open = new TreeSet<>();
            // A process may end during the scan, and processes of other users are not readable. Both have no links
            // here.
            for (String file : tree.linkTargets("proc/" + pid + "/fd")) {
                Optional.ofNullable(nodes.get(file)).ifPresent(open::add);
            }
            if (!open.isEmpty()) {
                String command =
                        new Attributes(tree).hint("proc/" + pid + "/comm").orElse("?");
                open.forEach(device -> owners.computeIfAbsent(device, none -> new ArrayList<>())
                        .add(new ProcessOwner(pid, command)));
            }
        }
        return Collections.unmodifiableSortedMap(owners);
    }

    /**
     * Returns the devices by their serial numbers, which are read together.
     *
     * @return the devices by number in lower case; without those that have none, or whose number cannot be read
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Map<String, NeuronDevice> bySerialNumber() {
        List<String> files = new ArrayList<>();
        for (NeuronDevice device : devices) {
            files.add(device.directory() + "/" + NeuronDevice.SERIAL_FILE);
        }
        Attributes attributes = new Attributes(tree, files);
        Map<String, NeuronDevice> numbers = new HashMap<>();
        for (NeuronDevice device : devices) {
            try {
                Optional<String> number = device.serialNumber(attributes);
                if (number.isPresent()) {
                    numbers.put(number.get().toLowerCase(Locale.ROOT), device);
                }
            } catch (NeuronSysfsException unknown) {
                // The device is left out.
            }
        }
        return numbers;
    }

    private List<Long> processes() {
        List<String> names;
        try {
            names = tree.list("proc");
        } catch (IOException hidden) {
            return List.of();
        }
        List<Long> processes = new ArrayList<>();
        for (String name : names) {
            if (PID.matcher(name).matches()) {
                processes.add(Long.valueOf(name));
            }
        }
        Collections.sort(processes);
        return processes;
    }

    @Override
    public String toString() {
        return "NeuronHost";
    }
}
