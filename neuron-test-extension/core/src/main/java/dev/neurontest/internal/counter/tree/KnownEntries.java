package dev.neurontest.internal.counter.tree;

import dev.neurontest.internal.device.CounterKind;
import dev.neurontest.internal.device.Nodes;
import dev.neurontest.internal.file.OpenFileLimit;
import dev.neurontest.internal.host.EntryKind;
import dev.neurontest.internal.host.HostDirectory;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The names in the directories of a device or core where an error counter, a group of counters or a core can appear or disappear.
 *
 * @param directory directory of the device or core, relative to the host's root
 * @param names names by directory, relative to the device or core
 * @param subdirectories the subdirectories that lead to these directories, by directory
 */
record KnownEntries(String directory, Map<String, Set<String>> names, Map<String, Set<String>> subdirectories) {

    /** Selects the directories with error counters, their parents and their subdirectories. */
    static KnownEntries of(Nodes nodes, CounterLayout layout) {
        Set<String> groups = new HashSet<>();
        for (CounterFile file : layout.files()) {
            if (CounterKind.isNeeded(file.path())) {
                groups.add(parent(Nodes.counter(file.file())));
            }
        }
        Set<String> directories = new HashSet<>();
        directories.add("");
        for (String group : groups) {
            for (String above = group; !above.isEmpty(); above = parent(above)) {
                directories.add(above);
            }
        }
        Map<String, Set<String>> names = new TreeMap<>();
        for (Map.Entry<String, Set<String>> listing : nodes.listings().entrySet()) {
            String above = listing.getKey();
            while (!above.isEmpty() && !groups.contains(above)) {
                above = parent(above);
            }
            if (!above.isEmpty() || directories.contains(listing.getKey())) {
                names.put(listing.getKey(), listing.getValue());
            }
        }
        return new KnownEntries(nodes.directory(), names, subdirectories(names.keySet()));
    }

    private static Map<String, Set<String>> subdirectories(Set<String> paths) {
        Map<String, Set<String>> subdirectories = new HashMap<>();
        for (String path : paths) {
            for (String below = path; !below.isEmpty(); below = parent(below)) {
                Set<String> siblings = subdirectories.get(parent(below));
                if (siblings == null) {
                    siblings = new TreeSet<>();
                    subdirectories.put(parent(below), siblings);
                }
                siblings.add(below.substring(below.lastIndexOf('/') + 1));
            }
        }
        return subdirectories;
    }

    /** Returns the same names for another device or core. */
    KnownEntries at(String other) {
        return new KnownEntries(other, names, subdirectories);
    }

    /** Returns the paths of the directories. */
    List<String> paths() {
        List<String> paths = new ArrayList<>();
        for (String below : names.keySet()) {
            paths.add(path(below));
        }
        return paths;
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
        try (HostDirectory opened = tree.open(directory)) {
            compare(tree, opened, "", changes);
        } catch (IOException failed) {
            changes.add(unlisted(tree, "", failed));
        }
        return changes;
    }

    private void compare(HostTree tree, HostDirectory opened, String below, List<String> changes) throws IOException {
        Set<String> entries = names.get(below);
        if (entries != null) {
            compare(tree, path(below), entries, opened.names(), changes);
        }
        for (String inside : subdirectories.getOrDefault(below, Set.of())) {
            String path = below.isEmpty() ? inside : below + "/" + inside;
            if (opened.kind(inside).equals(Optional.of(EntryKind.DIRECTORY))) {
                try (HostDirectory entered = opened.open(inside)) {
                    compare(tree, entered, path, changes);
                } catch (IOException failed) {
                    changes.add(unlisted(tree, path, failed));
                }
            } else {
                changes.add(unlisted(tree, path, new NoSuchFileException(path)));
            }
        }
    }

    private static void compare(
            HostTree tree, String path, Set<String> entries, List<String> listed, List<String> changes) {
        Set<String> now = new TreeSet<>(listed);
        if (now.equals(entries)) {
            return;
        }
        for (String name : now) {
            if (!entries.contains(name)) {
                changes.add(tree.location(path + "/" + name) + " appeared");
            }
        }
        for (String name : new TreeSet<>(entries)) {
            if (!now.contains(name)) {
                changes.add(tree.location(path + "/" + name) + " disappeared");
            }
        }
    }

    private String unlisted(HostTree tree, String below, IOException failed) {
        return tree.location(path(below)) + " can no longer be listed"
                + (OpenFileLimit.isReached(failed)
                        ? ", because this process has reached its limit of open files (ulimit -n)"
                        : "");
    }

    /** Returns the path of the parent directory; empty for a single name. */
    static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }
}
