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
 * A Neuron device: one {@code neuronN} directory. Its architecture and cores are read once, at discovery. Values that can change
 * are read at each call.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NeuronDevice implements Comparable<NeuronDevice> {

    /** File with the serial number of a device. */
    static final String SERIAL_FILE = "info/serial_number";

    private static final Pattern SERIAL = Pattern.compile("[0-9a-f]{16}");
    private static final Pattern NEIGHBOURS = Pattern.compile("[0-9]{1,6}(, ?[0-9]{1,6})*");
    private static final String HEALTH = "health_status";
    private static final String HARDWARE = "hardware/";

    /**
     * File with the names of the broken components of a device.
     *
     * @hidden
     */
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
     * Returns the number of the device on its host.
     *
     * @return the N of {@code neuronN}; the numbers of a host may have gaps
     */
    public int index() {
        return index;
    }

    /**
     * Returns the directory of the device.
     *
     * @return such as {@code sys/devices/virtual/neuron_device/neuron0}, relative to the host's root
     */
    public String directory() {
        return directory(index);
    }

    /**
     * Returns the device node that a program opens to use the device.
     *
     * @return such as {@code dev/neuron0}, relative to the host's root; in a container the number may differ from
     *     {@link #index()}
     */
    public String node() {
        return "dev/neuron" + node;
    }

    /**
     * Returns the path of a file of this device. Newer drivers may have moved the file.
     *
     * @param usual path up to driver 2.30.2, such as {@code info/notify_delay}
     * @return path relative to the host's root; the usual path too when there is no such file
     * @throws NeuronSysfsException when the directory of the device cannot be read
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public String place(String usual) {
        return attributes.place(directory(), usual);
    }

    static String directory(int index) {
        return NeuronHost.DEVICES + "/neuron" + index;
    }

    /**
     * Returns the host of the device.
     *
     * @return the host
     */
    public NeuronHost host() {
        return host;
    }

    /**
     * Returns the physical cores, as listed in sysfs.
     *
     * @return the cores by index
     */
    public List<PhysicalCore> physicalCores() {
        return physicalCores;
    }

    /**
     * Returns the logical cores, as numbered by programs.
     *
     * @return the cores by index
     */
    public List<NeuronCore> cores() {
        return cores;
    }

    /**
     * Returns the architecture of the device.
     *
     * @return the architecture at discovery
     */
    public Architecture architecture() {
        return architecture;
    }

    /**
     * Returns the serial number.
     *
     * @return 16 hexadecimal digits; empty if the driver has none (Inf1, before 2.15.9) or could not read it
     * @throws NeuronSysfsException when the file cannot be read or has other content
     */
    public Optional<String> serialNumber() {
        return serialNumber(attributes);
    }

    /** Returns the serial number by a reader that may have read its file. */
    Optional<String> serialNumber(Attributes attributes) {
        String path = attributes.place(directory(), SERIAL_FILE);
        Optional<String> serial = attributes.word(path);
        serial.filter(text -> !SERIAL.matcher(text).matches()).ifPresent(text -> {
            throw attributes.unexpected(path, text, "16 hexadecimal digits");
        });
        return serial;
    }

    /**
     * Returns the devices with a direct link to this one. The driver builds the list from tables. On hosts with more than 16
     * devices, numbers above 31 are wrong. On Trn3, the list contains links that its switched fabric does not have.
     *
     * @return their indices in ascending order, because the driver's order has no meaning
     * @throws NeuronSysfsException when the list cannot be read; before driver 2.28 only root can read it
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
            throw attributes.unreadable(path, "The device may be gone; see the kernel log (dmesg).", failed);
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
                            + " (nothing at all: more neighbours than the driver can print; one NUL: it could not determine them)");
        }
        for (String neighbour : list.split(", ?")) {
            neighbours.add(Integer.valueOf(neighbour));
        }
        return Collections.unmodifiableSortedSet(neighbours);
    }

    /**
     * Returns the health of the device as reported by the driver.
     *
     * @return the health; unreported if the driver has no such report
     * @throws NeuronSysfsException when a file of the report cannot be read or has unexpected content
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
     * Reads the names of the components that the driver reports as broken.
     *
     * @return such as {@code hbm, sram} or {@code device_unreachable}; empty for a healthy device or without a report
     * @throws NeuronSysfsException when the report cannot be read
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Optional<String> broken() {
        return Optional.ofNullable(healthFiles().get(COMPONENTS))
                .flatMap(attributes::content)
                .map(String::strip)
                .filter(components -> !components.isEmpty());
    }

    /**
     * Returns the files of the health report by name. This includes other files in the same directory, and report files in any
     * directory.
     */
    private Map<String, String> healthFiles() {
        Map<String, String> cached = healthFiles;
        if (cached != null) {
            return cached;
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
     * Reads the counts of memory errors since the device was powered on. For each count, the driver reads 16-bit registers.
     *
     * @return counts by name, such as {@code mem_ecc_uncorrected}; an error type that is not counted is missing and must not be
     *     treated as 0
     * @throws NeuronSysfsException when a count cannot be read or is not a number
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
     * Reads the counts of uncorrected memory errors since the device was powered on.
     *
     * @return the counts of {@link #ecc()} that every rule treats as errors
     * @throws NeuronSysfsException when a count cannot be read or is not a number
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public SortedMap<String, Long> uncorrectedErrors() {
        SortedMap<String, Long> errors = ecc();
        errors.keySet().removeIf(name -> !CounterKind.isError(HARDWARE + name));
        return errors;
    }

    /**
     * Returns the reset state of the device.
     *
     * @return the state; empty if the driver does not report it
     * @throws NeuronSysfsException when the file cannot be read, for example without root, or has unexpected content
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
     * Returns the number of failed resets of the device.
     *
     * @return the sum over its cores; empty if the driver does not count them
     * @throws NeuronSysfsException when a count cannot be read or is not a number
     * @hidden
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

    /** Compares devices by index. */
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
     * Returns the name of the device for messages.
     *
     * @return such as {@code neuron0}
     */
    public String name() {
        return "neuron" + index;
    }

    /**
     * Returns the same text for every device. Test reports use it as the argument of a test, and a test must keep its name on
     * another device. {@link #name()} differs for each device.
     */
    @Override
    public String toString() {
        return "NeuronDevice";
    }
}
