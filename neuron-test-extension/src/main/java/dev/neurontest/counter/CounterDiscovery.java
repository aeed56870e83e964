package dev.neurontest.counter;

import dev.neurontest.host.HostTree;
import dev.neurontest.host.NeuronSysfsException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks which counters a place has, and assumes none: they differ by driver, by hardware, and between a core and its device.
 */
final class CounterDiscovery {

    private static final Set<String> FIELDS = Set.of("total", "present", "peak");

    /** What is below stats and not one number: tables, percentages, texts, and a clock. */
    private static final Set<String> NO_COUNTERS = Set.of(
            "tensor_engine",
            "power",
            "hardware/health_status/unhealthy_components",
            "hardware/health_status/healthcheck_heartbeat");

    private static final int DEEPEST = 8;

    private final HostTree tree;
    private final String stats;
    private final List<String> files = new ArrayList<>();

    private CounterDiscovery(HostTree tree, String stats) {
        this.tree = tree;
        this.stats = stats;
    }

    /**
     * Looks.
     *
     * @throws NeuronSysfsException when the directories of the place cannot be listed, or have no counters
     */
    static CounterLayout at(HostTree tree, CounterPlace place) {
        CounterDiscovery discovery = new CounterDiscovery(tree, place.statistics());
        List<String> names;
        try {
            names = tree.list(discovery.stats);
        } catch (IOException e) {
            throw discovery.unlistable(discovery.stats, e);
        }
        discovery.explore("", names, 0);
        if (discovery.files.isEmpty()) {
            throw discovery.unlistable(
                    discovery.stats, new NoSuchFileException(discovery.stats, null, "no counter is below it"));
        }
        return CounterLayout.of(discovery.files);
    }

    private void explore(String below, List<String> names, int depth) {
        for (String name : names) {
            String path = below + name;
            if (NO_COUNTERS.contains(path) || depth > DEEPEST) {
                continue;
            }
            if (FIELDS.contains(name)) {
                files.add(path);
                continue;
            }
            List<String> children = children(path);
            if (children != null) {
                explore(path + "/", children, depth + 1);
            } else if (isKnown(path) || isNumber(path)) {
                files.add(path);
            }
        }
    }

    /** Null for a file. A known counter that fails is a file too: its failure belongs into the snapshot. */
    private @Nullable List<String> children(String path) {
        try {
            return tree.list(stats + "/" + path);
        } catch (NotDirectoryException e) {
            return null;
        } catch (AccessDeniedException | NoSuchFileException e) {
            throw unlistable(stats + "/" + path, e);
        } catch (IOException e) {
            if (isKnown(path) || isFile(path)) {
                return null;
            }
            throw unlistable(stats + "/" + path, e);
        }
    }

    private static boolean isKnown(String path) {
        return CounterKind.of(path) != CounterKind.OTHER;
    }

    private boolean isFile(String path) {
        try {
            tree.read(stats + "/" + path);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isNumber(String path) {
        try {
            byte[] content = tree.read(stats + "/" + path);
            UnsignedDecimal.parse(content, content.length);
            return true;
        } catch (IOException | NumberFormatException e) {
            return false;
        }
    }

    private NeuronSysfsException unlistable(String directory, IOException cause) {
        return NeuronSysfsException.unreadable(
                tree.location(directory),
                "The counters of this place cannot be found; see whether the device is still there (neuron-ls, dmesg).",
                cause);
    }
}
