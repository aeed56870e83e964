package dev.neurontest.internal.device;

import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.host.EntryKind;
import dev.neurontest.internal.host.HostDirectory;
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
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The files below a device or one of its cores, at any location. Driver 2.31 moved nodes to unpublished locations. So a node is
 * found by its name, and its location is only used in messages.
 *
 * <p>Links are not followed. Their targets inside the device are found directly.
 *
 * @param directory directory of the device or core, relative to the host's root
 * @param files sorted paths relative to that directory, without the files of a device's cores
 * @param cores directories of the cores below, by core number, relative to the host's root; usually one per core
 * @param listings names in each directory that is not a counter, by path relative to the directory; links and cores are included
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Nodes(
        String directory,
        List<String> files,
        SortedMap<Integer, List<String>> cores,
        Map<String, Set<String>> listings) {

    private static final String CORE = "neuron_core";
    private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,5}");

    /** Directory of the kernel's power management, directly below a device. It does not belong to the driver. */
    private static final String KERNEL_POWER = "power";

    /** Names of the files of a counter. Their type needs no check. */
    private static final Set<String> FIELDS = Set.of("total", "present", "peak");

    private static final int DEEPEST = 12;

    /** Creates a listing with copies of the collections. */
    public Nodes {
        files = List.copyOf(files);
        cores = Collections.unmodifiableSortedMap(new TreeMap<>(cores));
        listings = Collections.unmodifiableMap(listings);
    }

    /**
     * Lists the files below a device or core.
     *
     * @param directory a directory {@code neuronN} or {@code neuron_coreK}
     * @throws NeuronSysfsException when a directory cannot be listed, because its files must not be treated as missing
     */
    public static Nodes below(HostTree tree, String directory) {
        HostTree walked = tree.forWalk(List.of(directory));
        Walk walk = new Walk(tree, directory);
        try (HostDirectory opened = walked.open(directory)) {
            walk.enter(opened, "", 0);
        } catch (IOException failed) {
            throw walk.unlisted(directory, failed);
        }
        return new Nodes(directory, walk.files, walk.cores, walk.listings);
    }

    /**
     * Finds a file by its name: the last part of its path, or the last two parts for a file of a counter.
     *
     * @param place path up to driver 2.30.2, such as {@code info/serial_number}
     * @return its path relative to the directory; empty also for several matches, because the right one is unknown
     */
    public Optional<String> find(String place) {
        int own = place.lastIndexOf('/');
        if (FIELDS.contains(place.substring(own + 1))) {
            own = place.lastIndexOf('/', own - 1);
        }
        String end = "/" + place.substring(own + 1);
        List<String> matching =
                files.stream().filter(file -> ("/" + file).endsWith(end)).toList();
        return matching.size() == 1 ? Optional.of(matching.get(0)) : Optional.empty();
    }

    /**
     * Returns the counter of a file.
     *
     * @param file path relative to the directory
     * @return the directory of a counter, or the file itself
     */
    public static String counter(String file) {
        int last = file.lastIndexOf('/');
        return last > 0 && FIELDS.contains(file.substring(last + 1)) ? file.substring(0, last) : file;
    }

    private static boolean isCore(String name) {
        return name.startsWith(CORE)
                && NUMBER.matcher(name.substring(CORE.length())).matches();
    }

    /** The state of one search. */
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
            this.ofCore = isCore(directory.substring(directory.lastIndexOf('/') + 1));
        }

        private void enter(HostDirectory entered, String below, int depth) throws IOException {
            List<String> names = entered.names();
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
                if (isCore(name)) {
                    Integer number = Integer.valueOf(name.substring(CORE.length()));
                    cores.putIfAbsent(number, new ArrayList<>());
                    cores.get(number).add(directory + "/" + file);
                    continue;
                }
                EntryKind kind = entered.kind(name).orElse(EntryKind.DIRECTORY);
                if (kind == EntryKind.DIRECTORY) {
                    if (depth < DEEPEST) {
                        enter(entered, name, file, depth + 1);
                    }
                } else if (kind != EntryKind.LINK) {
                    files.add(file);
                }
            }
        }

        private void enter(HostDirectory above, String name, String path, int depth) {
            try (HostDirectory opened = above.open(name)) {
                enter(opened, path + "/", depth);
            } catch (IOException failed) {
                throw unlisted(directory + "/" + path, failed);
            }
        }

        private NeuronSysfsException unlisted(String path, IOException failed) {
            return NeuronSysfsException.unreadable(
                    tree.location(path),
                    "Its entries cannot be listed. Check whether the device is still present (neuron-ls, dmesg).",
                    failed);
        }
    }
}
