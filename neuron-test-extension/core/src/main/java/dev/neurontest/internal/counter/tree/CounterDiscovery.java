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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

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
        for (String file : nodes.files()) {
            discovery.findGroup(file);
        }
        for (String file : nodes.files()) {
            discovery.readFile(file);
        }
        Optional<String> twice = discovery.distinguish();
        CounterLayout layout = CounterLayout.of(discovery.files);
        return new FoundCounters(
                nodes.directory(),
                layout,
                layout.errors(),
                discovery.doubt(layout, hasErrors, twice, expected),
                discovery.byNames,
                KnownEntries.of(nodes, layout),
                health(nodes));
    }

    /** Returns the reason why an error of the place could be missed. */
    private Optional<String> doubt(
            CounterLayout layout, boolean hasErrors, Optional<String> twice, Collection<String> expected) {
        if (hasErrors && !layout.countsErrors()) {
            return Optional.of(noErrors());
        }
        if (twice.isPresent()) {
            return twice;
        }
        Optional<String> coreTwice = coreTwice(tree, nodes);
        if (coreTwice.isPresent()) {
            return coreTwice;
        }
        Optional<String> withoutTotal = layout.errorWithoutTotal();
        return withoutTotal.isPresent() ? Optional.of(noTotal(withoutTotal.get())) : missing(expected);
    }

    private static Optional<String> health(Nodes nodes) {
        return nodes.find("stats/hardware/health_status/" + NeuronDevice.COMPONENTS);
    }

    /** Registers the group of a directory with known counters. An unknown file next to error counters may count errors too. */
    private void findGroup(String file) {
        String counter = Nodes.counter(file);
        String usual = known(counter).orElse("");
        String directory = KnownEntries.parent(counter);
        if (usual.startsWith(STATS) && !STATUS.equals(groups.get(directory))) {
            groups.put(directory, KnownEntries.parent(withoutStats(usual)));
        }
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
        String path = withoutStats(knownPlace.isPresent() ? knownPlace.get() : fromGroup(counter, name));
        if (field != CounterField.VALUE || CounterKind.of(path) != CounterKind.OTHER || isNumber(file)) {
            files.add(new CounterFile(path, field, file));
            places.putIfAbsent(path, new TreeSet<>());
            places.get(path).add(counter);
        }
    }

    private boolean isAmongAttributes(String counter) {
        return !groups.containsKey(KnownEntries.parent(counter)) && !Collections.disjoint(steps(counter), NO_GROUPS);
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
        List<String> steps = steps(counter);
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

    private static List<String> steps(String path) {
        return Arrays.asList(path.split("/"));
    }

    /**
     * Renames counters found in two places: only the counter at the usual place keeps its path. For an error counter this returns
     * a doubt.
     */
    private Optional<String> distinguish() {
        List<String> twice = new ArrayList<>();
        for (Map.Entry<String, Set<String>> found : places.entrySet()) {
            if (found.getValue().size() > 1) {
                distinguish(found.getKey(), found.getValue());
                if (CounterKind.isError(found.getKey())) {
                    twice.add("%s is at %s"
                            .formatted(
                                    found.getKey(),
                                    found.getValue().stream()
                                            .map(this::location)
                                            .collect(Collectors.joining(" and at "))));
                }
            }
        }
        return twice.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "One error counter must have one place, but %s. This version cannot determine which of them counts; see neuron-test doctor."
                                .formatted(twice.get(0)));
    }

    private void distinguish(String path, Set<String> counters) {
        String kept = counters.contains(STATS + path)
                ? STATS + path
                : counters.iterator().next();
        files.replaceAll(file -> file.path().equals(path)
                        && !file.file().equals(kept + file.field().suffix())
                ? new CounterFile(Nodes.counter(file.file()), file.field(), file.file())
                : file);
    }

    private String noErrors() {
        return "No %s counter was found below %s, so an error would be missed. See neuron-test doctor, which shows what was found there."
                .formatted(place.core().isPresent() ? "status" : "ECC", tree.location(nodes.directory()));
    }

    private static Optional<String> coreTwice(HostTree tree, Nodes nodes) {
        for (Map.Entry<Integer, List<String>> core : nodes.cores().entrySet()) {
            if (core.getValue().size() > 1) {
                return Optional.of(
                        "One core must have one place, but neuron_core%s is at %s. This version cannot determine which of them counts."
                                .formatted(
                                        core.getKey(),
                                        core.getValue().stream()
                                                .map(tree::location)
                                                .collect(Collectors.joining(" and at "))));
            }
        }
        return Optional.empty();
    }

    /** Returns a doubt if a counter of a known driver is missing. Its file is then not yet created, or hidden. */
    private Optional<String> missing(Collection<String> expected) {
        SortedSet<String> missing = new TreeSet<>();
        for (String usual : expected) {
            if (CounterKind.isNeeded(withoutStats(usual))) {
                missing.add(withoutStats(usual));
            }
        }
        for (CounterFile file : files) {
            missing.remove(CounterNames.canonical(file.path()));
        }
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "%s is not below %s, although its driver has it, so an error would be missed. See neuron-test doctor, which shows what was found there."
                                .formatted(missing.first(), tree.location(nodes.directory())));
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
