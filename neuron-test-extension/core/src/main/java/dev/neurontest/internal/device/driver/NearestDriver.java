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
 * Of the drivers that are known, the one whose nodes are most like those of a host, with what is different.
 *
 * @param driver the first two numbers of its version, such as {@code 2.30}
 * @param differences for a person; empty when the nodes have the same names at the same places
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record NearestDriver(String driver, List<String> differences) {

    private static final int NAMED = 6;

    /** The Linux device core makes these, whatever the driver. */
    private static final Set<String> OF_THE_KERNEL = Set.of("uevent", "dev");

    /**
     * Compares the first device of a host, and its first core, with what drivers have.
     *
     * @param host a discovered host
     * @return the nearest driver; among equally near ones the host's own, or else the newest
     * @throws NeuronSysfsException when it cannot be found out what the device or the core has
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

    /** The places of nodes by their own names. */
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

    private static Set<String> missing(Map<String, String> wanted, Map<String, String> there) {
        Set<String> missing = new TreeSet<>(wanted.keySet());
        missing.removeAll(there.keySet());
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
        add(where + " has besides ", missing(found, known), differences);
    }

    private static void add(String what, Collection<String> names, List<String> differences) {
        if (!names.isEmpty()) {
            differences.add(what + ListText.some(names, NAMED));
        }
    }

    /** Without the steps that both places end with. */
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
        return "what was in %s is in %s".formatted(ends.get(0), ends.get(1));
    }
}
