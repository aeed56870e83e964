package dev.neurontest.device;

import dev.neurontest.internal.device.CounterKind;
import dev.neurontest.internal.device.Nodes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A Neuron device: one {@code neuronN} directory. What it is was found out when the host was discovered; everything that can
 * change is read when it is asked for.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NeuronDevice implements Comparable<NeuronDevice> {

    private static final Pattern SERIAL = Pattern.compile("[0-9a-f]{16}");
    private static final Pattern NEIGHBOURS = Pattern.compile("[0-9]{1,6}(, ?[0-9]{1,6})*");
    private static final String HEALTH = "health_status";
    private static final String HARDWARE = "hardware/";

    /** The file that names the broken components of a device. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static final String COMPONENTS = "unhealthy_components";

    private static final Set<String> REPORT = Set.of(COMPONENTS, "healthcheck_heartbeat");

    private final NeuronHost host;
    private final int index;
    private final int node;
    private final Architecture architecture;
    private final List<PhysicalCore> physicalCores;
    private final List<NeuronCore> cores;
    private final Attributes attributes;
    private volatile @Nullable Map<String, String> healthFiles;

    NeuronDevice(
            NeuronHost host,
            int index,
            int node,
            Architecture architecture,
            List<PhysicalCore> physicalCores,
            int firstCore,
            List<List<PhysicalCore>> logical) {
        this.host = host;
        this.index = index;
        this.node = node;
        this.architecture = architecture;
        this.physicalCores = List.copyOf(physicalCores);
        this.attributes = new Attributes(host.tree());
        List<NeuronCore> numbered = new ArrayList<>(logical.size());
        for (List<PhysicalCore> members : logical) {
            numbered.add(new NeuronCore(this, firstCore + numbered.size(), members));
        }
        this.cores = List.copyOf(numbered);
    }

    /**
     * The number of the device on its host.
     *
     * @return the N of {@code neuronN}; the numbers of a host may have gaps
     */
    public int index() {
        return index;
    }

    /**
     * Where its files are.
     *
     * @return such as {@code sys/devices/virtual/neuron_device/neuron0}, relative to the host's root
     */
    public String directory() {
        return directory(index);
    }

    /**
     * What a program opens to use the device.
     *
     * @return such as {@code dev/neuron0}, relative to the host's root; in a container the number may be another one than
     *     {@link #index()}
     */
    public String node() {
        return "dev/neuron" + node;
    }

    /**
     * Where a file of this device is. Newer drivers may have moved it.
     *
     * @param usual where it stands up to driver 2.30.2, such as {@code info/notify_delay}
     * @return relative to the host's root; the usual place too when there is no such file
     * @throws NeuronSysfsException when that cannot be found out
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public String place(String usual) {
        return attributes.place(directory(), usual);
    }

    static String directory(int index) {
        return NeuronHost.DEVICES + "/neuron" + index;
    }

    /**
     * The host that the device is part of.
     *
     * @return its host
     */
    public NeuronHost host() {
        return host;
    }

    /**
     * The cores as sysfs shows them.
     *
     * @return by index
     */
    public List<PhysicalCore> physicalCores() {
        return physicalCores;
    }

    /**
     * The cores as programs name them.
     *
     * @return by index
     */
    public List<NeuronCore> cores() {
        return cores;
    }

    /**
     * What kind of device it is.
     *
     * @return as it was at discovery
     */
    public Architecture architecture() {
        return architecture;
    }

    /**
     * The serial number.
     *
     * @return 16 hexadecimal digits; empty where the driver has none (Inf1, before 2.15.9) or could not read it
     * @throws NeuronSysfsException when the file cannot be read or holds something else
     */
    public Optional<String> serialNumber() {
        String path = place("info/serial_number");
        Optional<String> serial = attributes.word(path);
        serial.filter(text -> !SERIAL.matcher(text).matches()).ifPresent(text -> {
            throw attributes.unexpected(path, text, "16 hexadecimal digits");
        });
        return serial;
    }

    /**
     * The devices with a direct link to this one. The driver builds the list from tables; on hosts with more than 16 devices the
     * numbers above 31 come out wrong, and Trn3 prints links that its switched fabric does not have.
     *
     * @return their indices; the driver's order means nothing and is not kept
     * @throws NeuronSysfsException when the list cannot be read, which before driver 2.28 is the case for all users but root
     */
    public SortedSet<Integer> connectedDevices() {
        String path = place("connected_devices");
        String content;
        try {
            content = new String(host.tree().read(path), StandardCharsets.ISO_8859_1);
        } catch (AccessDeniedException denied) {
            throw attributes.unreadable(
                    path,
                    "It is mode " + mode(path) + ": requests for connected cores need root or driver 2.28.",
                    denied);
        } catch (NoSuchFileException absent) {
            throw attributes.unreadable(path, "Requests for connected cores need driver 2.13.4 or later.", absent);
        } catch (IOException failed) {
            throw attributes.unreadable(path, "The device may have gone; the kernel log (dmesg) tells.", failed);
        }
        SortedSet<Integer> neighbours = new TreeSet<>();
        if (content.equals("\n")) {
            return Collections.unmodifiableSortedSet(neighbours);
        }
        String list = content.strip();
        if (!NEIGHBOURS.matcher(list).matches()) {
            throw attributes.unexpected(
                    path,
                    content,
                    "device numbers such as \"12, 3, 4, 1\" or an empty line"
                            + " (nothing at all: more neighbours than the driver can print; one NUL: it could not find out)");
        }
        for (String neighbour : list.split(", ?")) {
            neighbours.add(Integer.valueOf(neighbour));
        }
        return Collections.unmodifiableSortedSet(neighbours);
    }

    /**
     * What the driver says about the device's health.
     *
     * @return unreported where the driver has no such report
     * @throws NeuronSysfsException when a file of the report cannot be read or makes no sense
     */
    public DeviceHealth health() {
        boolean unreachable = false;
        Optional<SortedSet<String>> broken = Optional.empty();
        OptionalLong heartbeat = OptionalLong.empty();
        SortedMap<String, Long> counts = new TreeMap<>();
        for (Map.Entry<String, String> file : healthFiles().entrySet()) {
            String name = file.getKey();
            String path = file.getValue();
            Optional<String> content = attributes.content(path);
            if (content.isEmpty()) {
                continue;
            }
            if (content.get().strip().equals(Attributes.UNREACHABLE)) {
                unreachable = true;
            } else if (name.equals(COMPONENTS)) {
                broken = Optional.of(components(path, content.get()));
            } else if (name.equals("healthcheck_heartbeat")) {
                heartbeat = OptionalLong.of(attributes.count(path, content.get()));
            } else {
                counts.put(name, attributes.count(path, content.get()));
            }
        }
        DeviceHealth.State state = unreachable
                ? DeviceHealth.State.UNREACHABLE
                : broken.map(names -> names.isEmpty() ? DeviceHealth.State.HEALTHY : DeviceHealth.State.UNHEALTHY)
                        .orElse(DeviceHealth.State.UNREPORTED);
        return new DeviceHealth(state, broken.orElseGet(TreeSet::new), heartbeat, counts);
    }

    /**
     * Reads which part of the device the driver reports as broken.
     *
     * @return such as {@code hbm, sram} or {@code device_unreachable}; empty for a device that is well or reports nothing
     * @throws NeuronSysfsException when the report cannot be read
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Optional<String> broken() {
        return Optional.ofNullable(healthFiles().get(COMPONENTS))
                .flatMap(attributes::content)
                .map(String::strip)
                .filter(components -> !components.isEmpty());
    }

    /** By their names: what the driver has beside its health report, and the report wherever it stands. */
    private Map<String, String> healthFiles() {
        Map<String, String> known = healthFiles;
        if (known != null) {
            return known;
        }
        Map<String, String> files = new TreeMap<>();
        for (String file : Nodes.below(host.tree(), directory()).files()) {
            String[] steps = file.split("/");
            String name = steps[steps.length - 1];
            if (steps.length > 1 && steps[steps.length - 2].equals(HEALTH) || REPORT.contains(name)) {
                files.putIfAbsent(name, directory() + "/" + file);
            }
        }
        healthFiles = Collections.unmodifiableMap(files);
        return files;
    }

    private SortedSet<String> components(String path, String content) {
        SortedSet<String> names = new TreeSet<>();
        if (content.equals("\n")) {
            return names;
        }
        if (!content.strip().matches("[a-z0-9_]+(, ?[a-z0-9_]+)*")) {
            throw attributes.unexpected(path, content, "names of components joined by commas, or an empty line");
        }
        Collections.addAll(names, content.strip().split(", ?"));
        return names;
    }

    /**
     * Reads how many memory errors were counted since the device was powered. The driver reads 16-bit registers for each of them.
     *
     * @return by names such as {@code mem_ecc_uncorrected}; what the driver or the hardware does not count is missing, which is not 0
     * @throws NeuronSysfsException when one cannot be read or is not a number
     */
    public SortedMap<String, Long> ecc() {
        SortedMap<String, Long> counts = new TreeMap<>();
        if (!host.tree().exists(directory())) {
            return counts;
        }
        for (String file : attributes.nodes(directory()).files()) {
            String name = file.substring(file.lastIndexOf('/') + 1);
            if (CounterKind.of(HARDWARE + name) == CounterKind.ECC && !file.contains(HEALTH + "/")) {
                attributes.count(place("stats/" + HARDWARE + name)).ifPresent(count -> counts.put(name, count));
            }
        }
        return counts;
    }

    /**
     * Reads how many memory errors were not corrected since the device was powered.
     *
     * @return those of {@link #ecc()} that are errors for each rule
     * @throws NeuronSysfsException when one cannot be read or is not a number
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public SortedMap<String, Long> uncorrectedErrors() {
        SortedMap<String, Long> errors = ecc();
        errors.keySet().removeIf(name -> !CounterKind.isError(HARDWARE + name));
        return errors;
    }

    /**
     * Whether the device is ready or being reset.
     *
     * @return empty where the driver does not show it
     * @throws NeuronSysfsException when it cannot be read, which only root may, or makes no sense
     */
    public Optional<ResetState> resetState() {
        String path = place("reset");
        return attributes.content(path).map(content -> switch (content.strip()) {
            case "0" -> ResetState.RESETTING;
            case "1" -> ResetState.READY;
            case "2" -> ResetState.FAILED;
            default -> throw attributes.unexpected(path, content, "0 (resetting), 1 (ready) or 2 (failed)");
        });
    }

    /**
     * How many resets of the device failed.
     *
     * @return added up over its cores; empty where the driver does not count them
     * @throws NeuronSysfsException when a count cannot be read or is not a number
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public OptionalLong failedResets() {
        return sum("stats/other_info/reset_fail_count/total");
    }

    private OptionalLong sum(String file) {
        long sum = 0;
        for (PhysicalCore core : physicalCores) {
            String path = attributes.place(core.directory(), file);
            OptionalLong bytes = attributes.count(path);
            if (bytes.isEmpty()) {
                return bytes;
            }
            sum += bytes.getAsLong();
            if (sum < 0) {
                throw attributes.unexpected(path, Long.toString(bytes.getAsLong()), "bytes that fit into a device");
            }
        }
        return physicalCores.isEmpty() ? OptionalLong.empty() : OptionalLong.of(sum);
    }

    private String mode(String path) {
        OptionalInt mode = host.tree().mode(path);
        return mode.isPresent() ? "0%o".formatted(mode.getAsInt()) : "unknown";
    }

    /** By index. */
    @Override
    public int compareTo(NeuronDevice other) {
        return Integer.compare(index, other.index);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NeuronDevice device && index == device.index && host.equals(device.host);
    }

    @Override
    public int hashCode() {
        return 31 * host.hashCode() + index;
    }

    /**
     * What messages call it.
     *
     * @return such as {@code neuron0}
     */
    public String name() {
        return "neuron" + index;
    }

    /**
     * The same for every device: test reports take it as the argument of a test, and a test that gets another device today must
     * stay the same test. {@link #name()} tells devices apart.
     */
    @Override
    public String toString() {
        return "NeuronDevice";
    }
}
