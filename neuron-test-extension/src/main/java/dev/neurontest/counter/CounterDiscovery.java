package dev.neurontest.counter;

import dev.neurontest.device.KnownNodes;
import dev.neurontest.device.Nodes;
import dev.neurontest.host.HostTree;
import dev.neurontest.host.NeuronSysfsException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Looks which counters a place has, and assumes none: they differ by driver, by hardware, and between a core and its device. A counter
 * is known by its own name, wherever the driver put it.
 */
final class CounterDiscovery {

    /** What a driver has beside counters and is not one number: tables, percentages, texts, and a clock. */
    private static final Set<String> NO_COUNTERS = Set.of(
            "pe_cntrs",
            "utilization",
            "utilization_raw",
            "unhealthy_components",
            "healthcheck_heartbeat",
            "uevent",
            "dev");

    /** What stands below these is no counter, whatever a newer driver adds. */
    private static final Set<String> NO_GROUPS = Set.of("info", "architecture", "tensor_engine", "power");

    private static final String STATS = "stats/";

    private final HostTree tree;
    private final CounterPlace place;
    private final Nodes nodes;
    private final List<CounterFile> files = new ArrayList<>();
    private final Map<String, Set<String>> places = new TreeMap<>();

    private CounterDiscovery(HostTree tree, CounterPlace place, Nodes nodes) {
        this.tree = tree;
        this.place = place;
        this.nodes = nodes;
    }

    /**
     * Looks.
     *
     * @param directory the device or core, relative to the host's root
     * @param hasErrors whether a place of this kind has error counters: all cores, and the devices whose ECC errors are counted
     * @throws NeuronSysfsException when the directories of the place cannot be listed
     */
    static FoundCounters at(HostTree tree, CounterPlace place, String directory, boolean hasErrors) {
        CounterDiscovery discovery = new CounterDiscovery(tree, place, Nodes.below(tree, directory));
        discovery.nodes.files().forEach(discovery::look);
        Optional<String> twice = discovery.tellApart();
        CounterLayout layout = CounterLayout.of(discovery.files);
        return new FoundCounters(
                directory,
                layout,
                hasErrors && !layout.countsErrors()
                        ? Optional.of(discovery.noErrors())
                        : twice.or(() -> layout.errorWithoutTotal().map(discovery::noTotal)));
    }

    private void look(String file) {
        CounterField field = CounterField.ofFile(file);
        String counter = file.substring(0, file.length() - field.suffix().length());
        String name = counter.substring(counter.lastIndexOf('/') + 1);
        Optional<String> known = KnownNodes.place(place.core().isPresent(), name);
        if (NO_COUNTERS.contains(name)
                || (known.isPresent()
                        ? !known.get().startsWith(STATS)
                        : steps(counter).anyMatch(NO_GROUPS::contains))) {
            return;
        }
        String path = withoutStats(known.orElseGet(() -> fromGroup(counter)));
        if (field != CounterField.VALUE || CounterKind.of(path) != CounterKind.OTHER || isNumber(file)) {
            files.add(new CounterFile(path, field, file));
            places.computeIfAbsent(path, none -> new TreeSet<>()).add(counter);
        }
    }

    /** A new counter belongs to the group whose directory it stands in. */
    private static String fromGroup(String counter) {
        List<String> steps = steps(counter).toList();
        for (int step = steps.size() - 2; step >= 0; step--) {
            if (CounterLayout.GROUPS.contains(steps.get(step))) {
                return String.join("/", steps.subList(step, steps.size()));
            }
        }
        return counter;
    }

    private static String withoutStats(String counter) {
        return counter.startsWith(STATS) ? counter.substring(STATS.length()) : counter;
    }

    private static Stream<String> steps(String path) {
        return Arrays.stream(path.split("/"));
    }

    /** Where one name is found twice, only the one at the usual place keeps it. */
    private Optional<String> tellApart() {
        List<String> twice = new ArrayList<>();
        places.forEach((path, counters) -> {
            if (counters.size() > 1) {
                String kept = counters.contains(STATS + path)
                        ? STATS + path
                        : counters.iterator().next();
                files.replaceAll(file -> file.path().equals(path)
                                && !file.file().equals(kept + file.field().suffix())
                        ? new CounterFile(raw(file), file.field(), file.file())
                        : file);
                if (CounterKind.isError(path)) {
                    twice.add("%s stands at %s"
                            .formatted(
                                    path,
                                    counters.stream().map(this::location).collect(Collectors.joining(" and at "))));
                }
            }
        });
        return twice.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "One error counter must have one place, but %s. This version does not know which of them counts; see neuron-test doctor."
                                .formatted(twice.get(0)));
    }

    private static String raw(CounterFile file) {
        return file.file()
                .substring(0, file.file().length() - file.field().suffix().length());
    }

    private String noErrors() {
        return "No %s counter was found below %s, so an error would go unseen. See neuron-test doctor, which tells what was found there."
                .formatted(place.core().isPresent() ? "status" : "ECC", tree.location(nodes.directory()));
    }

    private String noTotal(String path) {
        return "%s has no total below %s, so an error would go unseen. See neuron-test doctor, which tells what was found there."
                .formatted(path, tree.location(nodes.directory()));
    }

    private String location(String counter) {
        return tree.location(nodes.directory() + "/" + counter);
    }

    private boolean isNumber(String file) {
        try {
            byte[] content = tree.read(nodes.directory() + "/" + file);
            UnsignedDecimal.parse(content, content.length);
            return true;
        } catch (IOException | NumberFormatException e) {
            return false;
        }
    }
}
