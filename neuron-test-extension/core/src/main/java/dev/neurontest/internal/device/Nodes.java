package dev.neurontest.internal.device;

import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.host.EntryKind;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The files below a device, or below one of its cores, wherever the driver put them. Driver 2.31 moved nodes to places that are not
 * published, so a node is found by its own name; its place is only told to people.
 *
 * <p>Links are not followed: what they lead to inside of the device is found by itself.
 *
 * @param directory the directory of the device or core, relative to the host's root
 * @param files relative to that directory, by name; those of a device's cores are not among them
 * @param cores the directories of the cores that stand below, by their numbers, relative to the host's root; of each core one
 * @param listings the names in each directory that is no counter, by its place relative to the directory; links and cores are
 *     among them
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Nodes(
        String directory,
        List<String> files,
        SortedMap<Integer, List<String>> cores,
        Map<String, Set<String>> listings) {

    private static final Pattern CORE = Pattern.compile("neuron_core(0|[1-9][0-9]{0,5})");

    /** The kernel's own power management, directly below a device, and not the driver's. */
    private static final String KERNEL_POWER = "power";

    /** The files of a counter, which need no second look. */
    private static final Set<String> FIELDS = Set.of("total", "present", "peak");

    private static final int DEEPEST = 12;

    /**
     * Keeps its own copies.
     *
     * @param directory the directory of the device or core
     * @param files relative to it
     * @param cores the directories of its cores
     * @param listings the names in its directories
     */
    public Nodes {
        files = List.copyOf(files);
        cores = Collections.unmodifiableSortedMap(new TreeMap<>(cores));
        listings = Collections.unmodifiableMap(listings);
    }

    /**
     * Looks.
     *
     * @param tree the host's files
     * @param directory a directory {@code neuronN} or {@code neuron_coreK}
     * @return what stands below it
     * @throws NeuronSysfsException when a directory cannot be listed: what it holds must not be taken for absent
     */
    public static Nodes below(HostTree tree, String directory) {
        Walk walk = new Walk(tree.forWalk(), directory);
        walk.enter("", walk.list(directory), 0);
        return new Nodes(directory, walk.files, walk.cores, walk.listings);
    }

    /**
     * Finds a file by its own name: the last part of its place, and of a counter's file the last two.
     *
     * @param place where it stands up to driver 2.30.2, such as {@code info/serial_number}
     * @return its path relative to the directory; empty too when there are several, for which is meant is not known
     */
    public Optional<String> find(String place) {
        int own = place.lastIndexOf('/');
        if (FIELDS.contains(place.substring(own + 1))) {
            own = place.lastIndexOf('/', own - 1);
        }
        String end = "/" + place.substring(own + 1);
        List<String> found =
                files.stream().filter(file -> ("/" + file).endsWith(end)).toList();
        return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
    }

    /**
     * What a file belongs to.
     *
     * @param file relative to the directory
     * @return the directory of a counter, or the file itself
     */
    public static String counter(String file) {
        int last = file.lastIndexOf('/');
        return last > 0 && FIELDS.contains(file.substring(last + 1)) ? file.substring(0, last) : file;
    }

    /** The steps of one search. */
    private static final class Walk {

        private final HostTree tree;
        private final String directory;
        private final List<String> files = new ArrayList<>();
        private final SortedMap<Integer, List<String>> cores = new TreeMap<>();
        private final Map<String, Set<String>> listings = new HashMap<>();
        private final boolean ofCore;

        Walk(HostTree tree, String directory) {
            this.tree = tree;
            this.directory = directory;
            this.ofCore = CORE.matcher(directory.substring(directory.lastIndexOf('/') + 1))
                    .matches();
        }

        private void enter(String below, List<String> names, int depth) {
            if (Collections.disjoint(names, FIELDS)) {
                listings.put(below.isEmpty() ? below : below.substring(0, below.length() - 1), Set.copyOf(names));
            }
            String[] sorted = names.toArray(new String[0]);
            Arrays.sort(sorted);
            for (String name : sorted) {
                String file = below + name;
                if (file.equals(KERNEL_POWER) && !ofCore) {
                    continue;
                }
                if (FIELDS.contains(name)) {
                    files.add(file);
                    continue;
                }
                Matcher core = CORE.matcher(name);
                if (core.matches()) {
                    cores.computeIfAbsent(Integer.valueOf(core.group(1)), none -> new ArrayList<>())
                            .add(directory + "/" + file);
                    continue;
                }
                EntryKind kind = tree.kind(directory + "/" + file).orElse(EntryKind.DIRECTORY);
                if (kind == EntryKind.DIRECTORY) {
                    if (depth < DEEPEST) {
                        enter(file + "/", list(directory + "/" + file), depth + 1);
                    }
                } else if (kind != EntryKind.LINK) {
                    files.add(file);
                }
            }
        }

        private List<String> list(String path) {
            try {
                return tree.list(path);
            } catch (IOException failed) {
                throw NeuronSysfsException.unreadable(
                        tree.location(path),
                        "What stands there cannot be found; see whether the device is still there (neuron-ls, dmesg).",
                        failed);
            }
        }
    }
}
