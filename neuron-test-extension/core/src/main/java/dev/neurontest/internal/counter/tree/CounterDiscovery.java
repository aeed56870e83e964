package dev.neurontest.internal.counter.tree;

import dev.neurontest.counter.CounterField;
import dev.neurontest.counter.CounterPlace;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.internal.device.CounterKind;
import dev.neurontest.internal.device.Nodes;
import dev.neurontest.internal.device.driver.KnownNodes;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Discovery of the counters of a place. Counters differ by driver, by hardware, and between a core and its device. A counter is
 * identified by its name, even at another location.
 */
final class CounterDiscovery {

    /** Driver files next to counters that are not a single number: tables, percentages, texts, and a clock. */
    private static final Set<String> NO_COUNTERS = Set.of(
            "pe_cntrs",
            "utilization",
            "utilization_raw",
            NeuronDevice.COMPONENTS,
            "healthcheck_heartbeat",
            "uevent",
            "dev");

    /** Directories that never contain counters, even in newer drivers. */
    private static final Set<String> NO_GROUPS = Set.of("info", "architecture", "tensor_engine", "power");

    private static final String STATS = "stats/";
    private static final String STATUS = "status";

    private final HostTree tree;
    private final CounterPlace place;
    private final Nodes nodes;
    private final List<CounterFile> files = new ArrayList<>();
    private final Map<String, Set<String>> places = new TreeMap<>();

    /** The counter group of each directory with known counters. */
    private final Map<String, String> groups = new TreeMap<>();

    private boolean byNames = true;

    private CounterDiscovery(HostTree tree, CounterPlace place, Nodes nodes) {
        this.tree = tree;
        this.place = place;
        this.nodes = nodes;
    }

    /**
     * Finds the counters of a place.
     *
     * @param nodes files and directories of the device or core
     * @param hasErrors true if a place of this kind has error counters: all cores, and devices that count ECC errors
     * @param expected paths of the files that this driver is known to have
     */
    static FoundCounters at(
            HostTree tree, CounterPlace place, Nodes nodes, boolean hasErrors, Collection<String> expected) {
        CounterDiscovery discovery = new CounterDiscovery(tree, place, nodes);
        discovery.nodes.files().forEach(discovery::findGroups);
        discovery.nodes.files().forEach(discovery::readFile);
        Optional<String> twice = discovery.distinguish();
        CounterLayout layout = CounterLayout.of(discovery.files);
        return new FoundCounters(
                nodes.directory(),
                layout,
                hasErrors && !layout.countsErrors()
                        ? Optional.of(discovery.noErrors())
                        : twice.or(() -> coreTwice(tree, nodes))
                                .or(() -> layout.errorWithoutTotal().map(discovery::noTotal))
                                .or(() -> discovery.missing(expected)),
                discovery.byNames,
                KnownEntries.of(nodes, layout),
                health(nodes));
    }

    /**
     * Creates the result for a place with the same file names as an earlier place.
     *
     * @param nodes files and directories of the device or core
     * @param layout layout of the earlier place, without doubt
     */
    static FoundCounters alike(HostTree tree, Nodes nodes, CounterLayout layout) {
        return new FoundCounters(
                nodes.directory(), layout, coreTwice(tree, nodes), true, KnownEntries.of(nodes, layout), health(nodes));
    }

    private static Optional<String> health(Nodes nodes) {
        return nodes.find("stats/hardware/health_status/" + NeuronDevice.COMPONENTS);
    }

    /** Registers the group of a directory with known counters. An unknown file next to error counters may count errors too. */
    private void findGroups(String file) {
        String counter = Nodes.counter(file);
        known(counter)
                .filter(usual -> usual.startsWith(STATS))
                .map(usual -> KnownEntries.parent(withoutStats(usual)))
                .ifPresent(group -> groups.merge(
                        KnownEntries.parent(counter), group, (first, second) -> first.equals(STATUS) ? first : second));
    }

    private Optional<String> known(String counter) {
        return KnownNodes.place(place.core().isPresent(), counter.substring(counter.lastIndexOf('/') + 1));
    }

    private void readFile(String file) {
        CounterField field = CounterField.ofFile(file);
        String counter = Nodes.counter(file);
        String name = counter.substring(counter.lastIndexOf('/') + 1);
        Optional<String> knownPlace = known(counter);
        if (NO_COUNTERS.contains(name)
                || (knownPlace.isPresent() ? !knownPlace.get().startsWith(STATS) : isAmongAttributes(counter))) {
            return;
        }
        String path = withoutStats(knownPlace.orElseGet(() -> fromGroup(counter, name)));
        if (field != CounterField.VALUE || CounterKind.of(path) != CounterKind.OTHER || isNumber(file)) {
            files.add(new CounterFile(path, field, file));
            places.computeIfAbsent(path, none -> new TreeSet<>()).add(counter);
        }
    }

    private boolean isAmongAttributes(String counter) {
        return !groups.containsKey(KnownEntries.parent(counter))
                && steps(counter).anyMatch(NO_GROUPS::contains);
    }

    /**
     * Returns the path of an unknown counter. Its group is that of the known counters in the same directory, or that of a parent
     * directory.
     */
    private String fromGroup(String counter, String name) {
        if (CounterKind.isError("hardware/" + name)) {
            return "hardware/" + name;
        }
        String group = groups.get(KnownEntries.parent(counter));
        if (group != null) {
            return group + "/" + name;
        }
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

    /**
     * Renames counters found in two places: only the counter at the usual place keeps its path. For an error counter this returns
     * a doubt.
     */
    private Optional<String> distinguish() {
        List<String> twice = new ArrayList<>();
        places.forEach((path, counters) -> {
            if (counters.size() > 1) {
                String kept = counters.contains(STATS + path)
                        ? STATS + path
                        : counters.iterator().next();
                files.replaceAll(file -> file.path().equals(path)
                                && !file.file().equals(kept + file.field().suffix())
                        ? new CounterFile(Nodes.counter(file.file()), file.field(), file.file())
                        : file);
                if (CounterKind.isError(path)) {
                    twice.add("%s is at %s"
                            .formatted(
                                    path,
                                    counters.stream().map(this::location).collect(Collectors.joining(" and at "))));
                }
            }
        });
        return twice.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "One error counter must have one place, but %s. This version cannot determine which of them counts; see neuron-test doctor."
                                .formatted(twice.get(0)));
    }

    private String noErrors() {
        return "No %s counter was found below %s, so an error would be missed. See neuron-test doctor, which shows what was found there."
                .formatted(place.core().isPresent() ? "status" : "ECC", tree.location(nodes.directory()));
    }

    private static Optional<String> coreTwice(HostTree tree, Nodes nodes) {
        return nodes.cores().entrySet().stream()
                .filter(core -> core.getValue().size() > 1)
                .findFirst()
                .map(core ->
                        "One core must have one place, but neuron_core%s is at %s. This version cannot determine which of them counts."
                                .formatted(
                                        core.getKey(),
                                        core.getValue().stream()
                                                .map(tree::location)
                                                .collect(Collectors.joining(" and at "))));
    }

    /** Returns a doubt if a counter of a known driver is missing. Its file is then not yet created, or hidden. */
    private Optional<String> missing(Collection<String> expected) {
        return expected.stream()
                .map(CounterDiscovery::withoutStats)
                .filter(CounterKind::isNeeded)
                .filter(path -> files.stream()
                        .noneMatch(file -> CounterNames.canonical(file.path()).equals(path)))
                .sorted()
                .findFirst()
                .map(path ->
                        "%s is not below %s, although its driver has it, so an error would be missed. See neuron-test doctor, which shows what was found there."
                                .formatted(path, tree.location(nodes.directory())));
    }

    private String noTotal(String path) {
        return "%s has no total below %s, so an error would be missed. See neuron-test doctor, which shows what was found there."
                .formatted(path, tree.location(nodes.directory()));
    }

    private String location(String counter) {
        return tree.location(nodes.directory() + "/" + counter);
    }

    private boolean isNumber(String file) {
        byNames = false;
        try {
            byte[] content = tree.read(nodes.directory() + "/" + file);
            UnsignedDecimal.parse(content, content.length);
            return true;
        } catch (IOException | NumberFormatException e) {
            return false;
        }
    }
}
