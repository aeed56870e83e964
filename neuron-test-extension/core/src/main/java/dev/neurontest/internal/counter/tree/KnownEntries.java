package dev.neurontest.internal.counter.tree;

import dev.neurontest.internal.device.CounterKind;
import dev.neurontest.internal.device.Nodes;
import dev.neurontest.internal.file.OpenFileLimit;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The names in the directories of a device or core where an error counter, a group of counters or a core can appear or disappear.
 *
 * @param directory directory of the device or core, relative to the host's root
 * @param names names by directory, relative to the device or core
 */
record KnownEntries(String directory, Map<String, Set<String>> names) {

    /** Selects the directories with error counters, their parents and their subdirectories. */
    static KnownEntries of(Nodes nodes, CounterLayout layout) {
        Set<String> groups = new HashSet<>();
        layout.files().stream()
                .filter(file -> CounterKind.isNeeded(file.path()))
                .map(file -> parent(Nodes.counter(file.file())))
                .forEach(groups::add);
        Set<String> directories = new HashSet<>();
        directories.add("");
        for (String group : groups) {
            for (String above = group; !above.isEmpty(); above = parent(above)) {
                directories.add(above);
            }
        }
        Map<String, Set<String>> names = new TreeMap<>();
        nodes.listings().forEach((name, listed) -> {
            String above = name;
            while (!above.isEmpty() && !groups.contains(above)) {
                above = parent(above);
            }
            if (!above.isEmpty() || directories.contains(name)) {
                names.put(name, listed);
            }
        });
        return new KnownEntries(nodes.directory(), names);
    }

    /** Returns the paths of the directories. */
    Stream<String> paths() {
        return names.keySet().stream().map(this::path);
    }

    private String path(String below) {
        return below.isEmpty() ? directory : directory + "/" + below;
    }

    /**
     * Lists the directories again.
     *
     * @return the names that appeared or disappeared, each as readable text
     */
    List<String> changes(HostTree tree) {
        List<String> changes = new ArrayList<>();
        names.forEach((below, entries) -> {
            String path = path(below);
            Set<String> listed;
            try {
                listed = new TreeSet<>(tree.list(path));
            } catch (IOException failed) {
                changes.add("%s can no longer be listed%s"
                        .formatted(
                                tree.location(path),
                                OpenFileLimit.isReached(failed)
                                        ? ", because this process has reached its limit of open files (ulimit -n)"
                                        : ""));
                return;
            }
            for (String name : listed) {
                if (!entries.contains(name)) {
                    changes.add("%s appeared".formatted(tree.location(path + "/" + name)));
                }
            }
            entries.stream()
                    .filter(name -> !listed.contains(name))
                    .sorted()
                    .forEach(name -> changes.add("%s disappeared".formatted(tree.location(path + "/" + name))));
        });
        return changes;
    }

    /** Returns the path of the parent directory; empty for a single name. */
    static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }
}
