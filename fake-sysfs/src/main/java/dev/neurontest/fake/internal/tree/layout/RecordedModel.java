package dev.neurontest.fake.internal.tree.layout;

import dev.neurontest.fake.internal.archive.Archive;
import dev.neurontest.fake.internal.driver.instance.DriverRelease;
import dev.neurontest.fake.internal.driver.instance.DriverRules;
import dev.neurontest.fake.internal.driver.instance.Election;
import dev.neurontest.fake.internal.driver.instance.HardwareFamily;
import dev.neurontest.fake.internal.driver.instance.InstanceType;
import dev.neurontest.fake.internal.driver.instance.PciSlot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The hardware and the driver that match a recorded host best.
 *
 * @param instanceType type found by the product's name, otherwise by the number of devices and cores
 * @param layout layout found by the driver's version, otherwise by the files; its rules have the recorded version
 * @param election result of the election of the servers, empty if no file contains it
 * @param remarks one line for each unknown property of the host
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RecordedModel(
        InstanceType instanceType, Layout layout, Optional<Election> election, List<String> remarks) {

    private static final String PRODUCT = "sys/devices/virtual/dmi/id/product_name";
    private static final String VERSION = "sys/module/neuron/version";
    private static final String FIRST = Layout.DEVICES + "/neuron";
    private static final Pattern DEVICE = Pattern.compile(Pattern.quote(FIRST) + "(0|[1-9][0-9]{0,3})");
    private static final Pattern CORE = Pattern.compile(DEVICE + "/neuron_core[0-9]{1,3}");

    /**
     * Creates the model of a recording.
     *
     * @param layout the name of a layout to use instead of the best match, or null
     * @return a model, which may have less detail than the recording
     * @throws IllegalArgumentException if there is no such layout
     */
    public static RecordedModel of(Archive archive, @Nullable String layout) {
        List<String> remarks = new ArrayList<>();
        InstanceType type = instanceType(archive, remarks);
        return new RecordedModel(
                type, layout(archive, layout, type.family(), remarks), election(archive), List.copyOf(remarks));
    }

    // ---- hardware

    private static InstanceType instanceType(Archive archive, List<String> remarks) {
        String product = archive.text(PRODUCT)
                .or(() -> Optional.ofNullable(archive.header().get("instance-type")))
                .map(Archive::printable)
                .filter(name -> !name.isBlank())
                .orElse("unknown");
        int devices = devices(archive);
        Optional<InstanceType> knownType = InstanceType.all().stream()
                .filter(type -> type.name().equals(product))
                .findFirst();
        HardwareFamily family = family(archive, knownType);
        if (knownType.isPresent() && devices <= knownType.get().devices()) {
            if (family.equals(knownType.get().family())) {
                return knownType.get();
            }
            remarks.add("the recording names " + product + ", but its devices are those of " + family.name());
        } else if (knownType.isPresent()) {
            remarks.add("the recording has " + devices + " devices, more than " + product + " has");
        } else {
            remarks.add("unknown instance type \"" + product + "\": treated as "
                    + (devices == 0
                            ? "one without devices"
                            : "one with " + devices + (devices == 1 ? " device" : " devices") + " of " + family.name()
                                    + " with unknown links"));
        }
        return new InstanceType(
                product, family, devices, Collections.nCopies(devices, List.of()), PciSlot.unknown(devices), null);
    }

    /** Counts the devices up to the highest number in the recording. */
    private static int devices(Archive archive) {
        TreeSet<Integer> numbers = new TreeSet<>();
        archive.everything().keySet().forEach(path -> {
            Matcher device = DEVICE.matcher(path);
            if (device.matches()) {
                numbers.add(Integer.valueOf(device.group(1)));
            }
        });
        return numbers.isEmpty() ? 0 : numbers.last() + 1;
    }

    private static HardwareFamily family(Archive archive, Optional<InstanceType> knownType) {
        List<HardwareFamily> families =
                InstanceType.all().stream().map(InstanceType::family).distinct().toList();
        Optional<String> first = archive.everything().keySet().stream()
                .filter(path -> DEVICE.matcher(path).matches())
                .findFirst();
        if (first.isEmpty()) {
            return knownType.map(InstanceType::family).orElse(families.get(1));
        }
        Optional<HardwareFamily> named = archive.text(first.get() + "/info/architecture/instance_type")
                .flatMap(name -> families.stream()
                        .filter(family -> family.name().equals(name))
                        .findFirst());
        long cores = archive.everything().keySet().stream()
                .filter(path ->
                        path.startsWith(first.get() + '/') && CORE.matcher(path).matches())
                .distinct()
                .count();
        return named.or(() -> knownType.map(InstanceType::family))
                .or(() -> families.stream()
                        .filter(family -> family.coresPerDevice() == cores)
                        .findFirst())
                .orElse(families.get(1));
    }

    // ---- driver

    /** Returns the recorded election. Only {@code node_id_2} shows whether dies are flipped. */
    private static Optional<Election> election(Archive archive) {
        return archive.text(Layout.CLASS + "/node_id_2").map(text -> switch (text) {
            case "0", "1" -> new Election(Election.State.WON, Integer.parseInt(text), 2);
            case "busy" -> new Election(Election.State.RUNNING, 0, 2);
            default -> new Election(Election.State.FAILED, 0, 2);
        });
    }

    private static Layout layout(
            Archive archive, @Nullable String requestedName, HardwareFamily family, List<String> remarks) {
        Optional<String> version = archive.text(VERSION)
                .or(() -> Optional.ofNullable(archive.header().get("driver-version")))
                .map(Archive::printable);
        Layout nearest = requestedName != null ? Layout.named(requestedName) : nearest(archive, version, family);
        DriverRules rules = nearest.rules(family.architecture());
        String recorded = version.filter(text -> !text.isBlank()).orElse("unknown");
        if (!recorded.equals(rules.version())) {
            remarks.add("driver \"" + recorded + "\" behaves like " + nearest.name() + " (" + rules.version() + ")");
        }
        // An invented version does not identify the behavior of the driver.
        DriverRelease release =
                nearest.moves().isEmpty() ? DriverRelease.of(recorded).orElse(rules.release()) : rules.release();
        DriverRules asRecorded = new DriverRules(recorded, release, rules.liveDatastore(), rules.resetLeaksPage());
        return new Layout(
                nearest.name(),
                new TreeMap<>(Map.of(1, asRecorded)),
                nearest.attributes(),
                nearest.classAttributes(),
                nearest.moves());
    }

    private static Layout nearest(Archive archive, Optional<String> version, HardwareFamily family) {
        Optional<Layout> invented = Layout.invented().stream()
                .map(Layout::named)
                .filter(layout ->
                        version.filter(layout.rules(1).version()::equals).isPresent())
                .findFirst();
        if (invented.isPresent()) {
            return invented.get();
        }
        boolean ofGuide =
                archive.directories().keySet().stream().anyMatch(path -> path.contains("/stats/status/infer_"));
        List<Layout> candidates = Layout.names().stream()
                .filter(name -> name.startsWith("docs-") == ofGuide)
                .map(Layout::named)
                .toList();
        // Without a version, the newest layout of the family is chosen.
        Optional<DriverRelease> release = version.flatMap(DriverRelease::of);
        return candidates.stream()
                .filter(candidate -> release.map(
                                recorded -> recorded.atLeast(candidate.rules(1).release()))
                        .orElseGet(() -> candidate.supports(family)))
                .reduce((older, newer) -> newer)
                .orElse(candidates.get(0));
    }
}
