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
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * The Neuron devices of one host, as they were when it was discovered.
 *
 * <p>Logical cores are numbered over the devices that can be used, in the order of their numbers: a device that is missing, or
 * that a container does not get, takes no numbers. That is how the runtime counts in a container; for a gap on a bare host it is
 * not verified.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NeuronHost {

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

    private NeuronHost(Discovery found) {
        this.tree = found.tree();
        this.driverVersion = found.driverVersion();
        this.instanceType = found.instanceType();
        this.logicalCoreSize = found.logicalCoreSize();
        this.coreMap = found.coreMap();
        this.coreMapDoubt = found.choice().doubt();
        this.datastoreCounters = found.datastoreCounters();
        this.datastoreCountersReason = found.datastoreCountersReason();
        this.renumbered = found.renumbered();
        List<NeuronDevice> numbered = new ArrayList<>();
        List<NeuronCore> all = new ArrayList<>();
        for (Discovery.Device device : found.devices()) {
            NeuronDevice made = new NeuronDevice(
                    this,
                    device.index(),
                    found.nodes().getOrDefault(device.index(), device.index()),
                    device.architecture(),
                    device.cores(),
                    all.size(),
                    found.logical(device));
            numbered.add(made);
            all.addAll(made.cores());
        }
        this.devices = List.copyOf(numbered);
        this.cores = List.copyOf(all);
        this.notices = List.copyOf(found.notices());
    }

    /**
     * Looks what a host has, with the runtime's defaults.
     *
     * @param tree the host's files
     * @return the host, with at least one device that has a core
     * @throws NoNeuronDeviceException when there is none, with the reason
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static NeuronHost discover(HostTree tree) {
        return discover(tree, LogicalCoreSize.BY_FAMILY);
    }

    /**
     * Looks what a host has.
     *
     * @param tree the host's files
     * @param size how the runtime of this host pairs cores
     * @return the host, with at least one device that has a core
     * @throws NoNeuronDeviceException when there is none, with the reason
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static NeuronHost discover(HostTree tree, LogicalCoreSize size) {
        return discover(tree, size, CoreMap.BY_FAMILY);
    }

    /**
     * Looks what a host has, where the numbering of its cores is known better than by its family.
     *
     * @param tree the host's files
     * @param size how the runtime of this host pairs cores
     * @param map how the runtime of this host numbers the cores of a device
     * @return the host, with at least one device that has a core
     * @throws NoNeuronDeviceException when there is none, with the reason
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static NeuronHost discover(HostTree tree, LogicalCoreSize size, CoreMap map) {
        return new NeuronHost(Discovery.of(tree, size, map));
    }

    /**
     * The host's files.
     *
     * @return what it was discovered in
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public HostTree tree() {
        return tree;
    }

    /**
     * The devices that can be used.
     *
     * @return by number, which may have gaps
     */
    public List<NeuronDevice> devices() {
        return devices;
    }

    /**
     * The logical cores of all devices.
     *
     * @return by index: the core at position L is what {@code NEURON_RT_VISIBLE_CORES=L} means
     */
    public List<NeuronCore> cores() {
        return cores;
    }

    /**
     * The version of the kernel module.
     *
     * @return empty when the host does not show one
     */
    public Optional<DriverVersion> driverVersion() {
        return driverVersion;
    }

    /**
     * The size of the machine by its DMI product name, which sysfs of Neuron does not know.
     *
     * @return such as {@code trn1.32xlarge}; empty when the host does not show one
     */
    public Optional<String> instanceType() {
        return instanceType;
    }

    /**
     * How many physical cores a logical core has.
     *
     * @return 1 or 2
     */
    public int logicalCoreSize() {
        return logicalCoreSize;
    }

    /**
     * How the logical cores lie on the physical ones.
     *
     * @return never {@link CoreMap#BY_FAMILY}
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CoreMap coreMap() {
        return coreMap;
    }

    /**
     * Why the cores may lie otherwise than {@link #coreMap()} says. What counters say of some of the cores of a device is then
     * undecided: an error may be one of another core of that device.
     *
     * @return empty when it is certain
     */
    public Optional<String> coreMapDoubt() {
        return coreMapDoubt;
    }

    /**
     * When status and execution counters of this host move.
     *
     * @return deferred, the older rule, when it is not known
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public DatastoreCounters datastoreCounters() {
        return datastoreCounters;
    }

    /**
     * What {@link #datastoreCounters()} was concluded from.
     *
     * @return such as {@code driver 2.24.7.0}
     */
    public String datastoreCountersReason() {
        return datastoreCountersReason;
    }

    /**
     * Which nodes in {@code dev} are called otherwise than sysfs calls their devices, as a container engine may do. How the runtime
     * counts cores then is not known, so that none can be given to a program.
     *
     * @return such as {@code /dev/neuron0 is neuron2 of sysfs (243:2)}; empty where the names agree
     */
    public Optional<String> renumberedNodes() {
        return renumbered;
    }

    /**
     * What is odd about this host without keeping it from being used.
     *
     * @return sentences for a person
     */
    public List<String> notices() {
        return notices;
    }

    /**
     * The processes that have a device open, as far as this process may see: without root only its own user's.
     *
     * @param device which device
     * @return by process id
     */
    public List<ProcessOwner> owners(NeuronDevice device) {
        return owners().getOrDefault(device, List.of());
    }

    /**
     * The processes that have any device open, as far as this process may see: without root only its own user's.
     *
     * @return by process id for each device that a process has open
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
            // Processes end while they are looked at, and other users' are closed to us: both have no open devices to
            // show.
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

    private List<Long> processes() {
        List<String> names;
        try {
            names = tree.list("proc");
        } catch (IOException hidden) {
            return List.of();
        }
        return names.stream()
                .filter(name -> name.matches("[0-9]{1,18}"))
                .map(Long::valueOf)
                .sorted()
                .toList();
    }

    @Override
    public String toString() {
        return "NeuronHost";
    }
}
