package dev.neurontest.counter;

import dev.neurontest.host.HostTree;
import dev.neurontest.host.NeuronSysfsException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The counters that a place has, looked up and not assumed: they differ by driver, by hardware, and between a core and its device.
 *
 * @param files the counter files below {@code stats}
 * @param rows the counters that these files make
 */
record CounterLayout(List<String> files, List<CounterRow> rows) {

    private static final List<String> GROUPS = List.of("status/", "other_info/", "memory_usage/", "hardware/");
    private static final Comparator<String> ORDER = Comparator.comparingInt(CounterLayout::group)
            .thenComparing(CounterLayout::path)
            .thenComparing(CounterField::ofFile);
    private static final Set<String> FIELDS = Set.of("total", "present", "peak");

    /** What is below stats and not one number: tables, percentages, texts, and a clock. */
    private static final Set<String> NO_COUNTERS = Set.of(
            "tensor_engine",
            "power",
            "hardware/health_status/unhealthy_components",
            "hardware/health_status/healthcheck_heartbeat");

    private static final int DEEPEST = 8;

    static CounterLayout of(List<String> files) {
        List<String> sorted = files.stream().sorted(ORDER).toList();
        List<CounterRow> rows = new ArrayList<>();
        for (int first = 0, end; first < sorted.size(); first = end) {
            String path = path(sorted.get(first));
            end = first + 1;
            while (end < sorted.size() && path(sorted.get(end)).equals(path)) {
                end++;
            }
            rows.add(row(path, sorted, first, end));
        }
        return new CounterLayout(sorted, List.copyOf(rows));
    }

    /**
     * Looks what a place has.
     *
     * @throws NeuronSysfsException when its directories cannot be listed
     */
    static CounterLayout discover(HostTree tree, CounterPlace place) {
        List<String> files = new ArrayList<>();
        explore(tree, place.statistics(), "", list(tree, place.statistics()), files);
        return of(files);
    }

    /** The few files that tell whether somebody works on a core: what it did and how much device memory it holds. */
    CounterLayout watch() {
        Predicate<CounterRow> telling = row -> row.path().startsWith("status/")
                || row.path().startsWith("other_info/")
                || row.path().equals("memory_usage/device_mem");
        return of(rows.stream()
                .filter(telling.and(row -> row.main() >= 0))
                .map(row -> files.get(row.main()))
                .toList());
    }

    private static void explore(HostTree tree, String stats, String below, List<String> names, List<String> files) {
        for (String name : names) {
            String path = below + name;
            if (NO_COUNTERS.contains(path)) {
                continue;
            }
            if (FIELDS.contains(name)) {
                files.add(path);
                continue;
            }
            List<String> children = childrenOf(tree, stats + "/" + path, depth(path));
            if (children != null) {
                explore(tree, stats, path + "/", children, files);
            } else if (CounterKind.of(path) != CounterKind.OTHER || isNumber(tree, stats + "/" + path)) {
                files.add(path);
            }
        }
    }

    /** Null for what is no directory. */
    private static @Nullable List<String> childrenOf(HostTree tree, String path, int depth) {
        if (depth > DEEPEST) {
            return List.of();
        }
        try {
            return tree.list(path);
        } catch (AccessDeniedException | NoSuchFileException e) {
            throw unlistable(tree, path, e);
        } catch (IOException e) {
            return null;
        }
    }

    private static List<String> list(HostTree tree, String directory) {
        try {
            return tree.list(directory);
        } catch (IOException e) {
            throw unlistable(tree, directory, e);
        }
    }

    private static NeuronSysfsException unlistable(HostTree tree, String directory, IOException cause) {
        return NeuronSysfsException.unreadable(
                tree.location(directory),
                "The counters of this place cannot be found; see whether the device is still there (neuron-ls, dmesg).",
                cause);
    }

    private static boolean isNumber(HostTree tree, String file) {
        try {
            byte[] content = tree.read(file);
            UnsignedDecimal.parse(content, content.length);
            return true;
        } catch (IOException | NumberFormatException e) {
            return false;
        }
    }

    private static CounterRow row(String path, List<String> files, int first, int end) {
        int main = -1;
        int present = -1;
        int peak = -1;
        CounterField mainField = CounterField.TOTAL;
        for (int position = first; position < end; position++) {
            switch (CounterField.ofFile(files.get(position))) {
                case TOTAL -> main = position;
                case PRESENT -> present = position;
                case PEAK -> peak = position;
                case VALUE -> {
                    main = position;
                    mainField = CounterField.VALUE;
                }
            }
        }
        return new CounterRow(path, CounterKind.of(path), mainField, main, present, peak);
    }

    private static String path(String file) {
        return file.substring(
                0, file.length() - CounterField.ofFile(file).suffix().length());
    }

    private static int group(String file) {
        for (int group = 0; group < GROUPS.size(); group++) {
            if (file.startsWith(GROUPS.get(group))) {
                return group;
            }
        }
        return GROUPS.size();
    }

    private static int depth(String path) {
        return (int) path.chars().filter(c -> c == '/').count();
    }
}
