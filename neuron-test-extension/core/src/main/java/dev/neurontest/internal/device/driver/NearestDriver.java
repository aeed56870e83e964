package dev.neurontest.internal.device.driver;

import dev.neurontest.device.Family;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.device.Nodes;
import dev.neurontest.internal.host.HostTree;
import dev.neurontest.internal.text.ListText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The known driver with the nodes most similar to those of a host, and the differences.
 *
 * @param driver the first two numbers of its version, such as {@code 2.30}
 * @param differences readable differences; empty when all nodes have the same names and paths
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record NearestDriver(String driver, List<String> differences) {

    private static final int NAMED = 6;

    /** Files created by the Linux device core and not by the driver. */
    private static final Set<String> OF_THE_KERNEL = Set.of("uevent", "dev");

    /**
     * Compares the first device of a host, and its first core, with the nodes of known drivers.
     *
     * @return the most similar driver; among equal ones the host's own, or else the newest
     * @throws NeuronSysfsException when the files of the device or core cannot be listed
     */
    public static NearestDriver of(NeuronHost host) {
        NeuronDevice device = host.devices().get(0);
        Map<String, String> ofDevice = nodes(host.tree(), device.directory());
        Map<String, String> ofCore = device.physicalCores().isEmpty()
                ? Map.of()
                : nodes(host.tree(), device.physicalCores().get(0).directory());
        Family family = device.architecture().family();
        int nearest = KnownNodes.NEWEST;
        int fewest = Integer.MAX_VALUE;
        for (int driver = KnownNodes.OLDEST; driver <= KnownNodes.NEWEST; driver++) {
            int distance = distance(KnownNodes.of(false, driver, family), ofDevice)
                    + distance(KnownNodes.of(true, driver, family), ofCore);
            if (distance < fewest || distance == fewest && !isOf(host, nearest)) {
                nearest = driver;
                fewest = distance;
            }
        }
        List<String> differences = new ArrayList<>();
        differ(device.name(), KnownNodes.of(false, nearest, family), ofDevice, differences);
        differ("each core", KnownNodes.of(true, nearest, family), ofCore, differences);
        return new NearestDriver("2." + nearest, List.copyOf(differences));
    }

    private static boolean isOf(NeuronHost host, int driver) {
        return host.driverVersion()
                .filter(version -> version.atLeast(2, driver) && !version.atLeast(2, driver + 1))
                .isPresent();
    }

    /** Returns the paths of nodes by name. */
    private static Map<String, String> nodes(HostTree tree, String directory) {
        Map<String, String> places = new TreeMap<>();
        for (String file : Nodes.below(tree, directory).files()) {
            String place = Nodes.counter(file);
            if (!OF_THE_KERNEL.contains(place)) {
                places.putIfAbsent(KnownNodes.name(place), place);
            }
        }
        return places;
    }

    private static int distance(Map<String, String> known, Map<String, String> found) {
        return missing(known, found).size() + missing(found, known).size();
    }

    private static Set<String> missing(Map<String, String> required, Map<String, String> found) {
        Set<String> missing = new TreeSet<>(required.keySet());
        missing.removeAll(found.keySet());
        return missing;
    }

    private static void differ(
            String where, Map<String, String> known, Map<String, String> found, List<String> differences) {
        Map<String, Integer> moves = new TreeMap<>();
        known.forEach((name, place) -> Optional.ofNullable(found.get(name))
                .filter(now -> !now.equals(place))
                .ifPresent(now -> moves.merge(move(place, now), 1, Integer::sum)));
        moves.forEach((move, count) -> differences.add("%s: %s (%s)".formatted(where, move, count)));
        add(where + " lacks ", missing(known, found), differences);
        add(where + " also has ", missing(found, known), differences);
    }

    private static void add(String what, Collection<String> names, List<String> differences) {
        if (!names.isEmpty()) {
            differences.add(what + ListText.some(names, NAMED));
        }
    }

    /** Returns the difference of two paths without their common end. */
    private static String move(String usual, String now) {
        List<String> from = Arrays.asList(usual.split("/"));
        List<String> to = Arrays.asList(now.split("/"));
        int same = 0;
        while (same < Math.min(from.size(), to.size())
                && from.get(from.size() - 1 - same).equals(to.get(to.size() - 1 - same))) {
            same++;
        }
        int kept = same;
        List<String> ends = Stream.of(from, to)
                .map(steps -> String.join("/", steps.subList(0, steps.size() - kept)) + "/")
                .map(steps -> steps.equals("/") ? "./" : steps)
                .toList();
        return "entries of %s are in %s".formatted(ends.get(0), ends.get(1));
    }
}
