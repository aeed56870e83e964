package dev.neurontest.internal.lease.table;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.device.runtime.CollectiveGroups;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.ImpossibleRequestException;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.UnreadableTopologyException;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.ListText;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The possible placements of a holder's requests on a host. The constructor rejects requests that the host can never meet. Later
 * calls only check which placements are free.
 */
final class CorePlacement {

    private final NeuronHost host;
    private final LeaseRequest request;
    private final List<Wish> wishes;

    /** The placements of a request, the best first. For a scattered request the list is empty, because there are too many. */
    private record Wish(int position, CoreRequest request, int size, List<List<Integer>> places) {

        boolean scattered() {
            return request instanceof CoreRequest.Scattered;
        }
    }

    private CorePlacement(NeuronHost host, LeaseRequest request, List<Wish> wishes) {
        this.host = host;
        this.request = request;
        this.wishes = wishes;
    }

    /**
     * Finds the placements.
     *
     * @throws ImpossibleRequestException if the empty host cannot meet the request, or the mapping of core numbers is unknown
     * @throws UnreadableTopologyException if the request needs the connections of devices and they are unreadable
     */
    static CorePlacement of(NeuronHost host, LeaseRequest request) {
        Optional<String> renumbered = host.renumberedNodes();
        if (renumbered.isPresent()) {
            throw new ImpossibleRequestException(("%s requests %s, but the device nodes here are renumbered: %s. "
                            + "The runtime numbers cores by the nodes, but the counters follow sysfs, so a test would read the counters of other cores than it uses. "
                            + "Mount the nodes in the container under their names on the host, or run the tests outside of it.")
                    .formatted(request.holder(), request.description(), renumbered.get()));
        }
        List<Wish> wishes = new ArrayList<>();
        for (CoreRequest each : request.cores()) {
            wishes.add(new Places(host, request.holder()).of(wishes.size(), each));
        }
        if (wishes.size() > 1) {
            // The hardest requests are first, to keep an easy request from taking the only placement of a hard one.
            wishes.sort(Comparator.comparing(Wish::scattered)
                    .thenComparing(wish -> wish.places().size())
                    .thenComparing(Wish::size, Comparator.reverseOrder()));
        }
        CorePlacement placement = new CorePlacement(host, request, List.copyOf(wishes));
        BitSet everything = new BitSet();
        everything.set(0, host.cores().size());
        if (placement.fit(everything).isEmpty()) {
            throw new ImpossibleRequestException("%s requests %s. %s: %s."
                    .formatted(
                            request.holder(),
                            request.description(),
                            request.avoided().isEmpty()
                                    ? "Each of them is possible, but not all at once"
                                    : "No other cores fit",
                            inventory(host)));
        }
        return placement;
    }

    LeaseRequest request() {
        return request;
    }

    /** Returns free cores for each request, in the holder's order; empty if that is currently impossible. */
    Optional<List<List<NeuronCore>>> fit(BitSet free) {
        List<@Nullable List<Integer>> chosen = new ArrayList<>(Collections.nCopies(wishes.size(), null));
        BitSet allowed = (BitSet) free.clone();
        for (int avoided : request.avoided()) {
            allowed.clear(avoided);
        }
        if (!choose(0, -1, allowed, chosen)) {
            return Optional.empty();
        }
        List<List<NeuronCore>> granted = new ArrayList<>();
        for (List<Integer> place : chosen) {
            List<NeuronCore> cores = new ArrayList<>();
            for (int index : place) {
                cores.add(host.cores().get(index));
            }
            granted.add(List.copyOf(cores));
        }
        return Optional.of(granted);
    }

    private boolean choose(int step, int previousPlace, BitSet free, List<@Nullable List<Integer>> chosen) {
        if (step == wishes.size()) {
            return true;
        }
        Wish wish = wishes.get(step);
        if (wish.size() > free.cardinality()) {
            return false;
        }
        if (wish.scattered()) {
            // All following requests are scattered too, so the choice of cores does not matter.
            List<Integer> lowest = free.stream().limit(wish.size()).boxed().toList();
            lowest.forEach(free::clear);
            chosen.set(wish.position(), lowest);
            return choose(step + 1, -1, free, chosen);
        }
        // Of equal requests the earlier gets the better placement. Trying the swapped order would find no new result.
        boolean repeated = step > 0 && wishes.get(step - 1).request().equals(wish.request());
        for (int place = repeated ? previousPlace + 1 : 0; place < wish.places().size(); place++) {
            List<Integer> cores = wish.places().get(place);
            if (areIn(free, cores)) {
                set(free, cores, false);
                if (choose(step + 1, place, free, chosen)) {
                    chosen.set(wish.position(), cores);
                    return true;
                }
                set(free, cores, true);
            }
        }
        return false;
    }

    private static boolean areIn(BitSet free, List<Integer> cores) {
        for (int core : cores) {
            if (!free.get(core)) {
                return false;
            }
        }
        return true;
    }

    private static void set(BitSet free, List<Integer> cores, boolean isFree) {
        for (int core : cores) {
            free.set(core, isFree);
        }
    }

    private static String inventory(NeuronHost host) {
        int cores = host.cores().size();
        return "%s has %s (0 to %s) on %s (%s)"
                .formatted(
                        host.tree().name(),
                        CountText.of(cores, "core"),
                        cores - 1,
                        CountText.of(host.devices().size(), "device"),
                        ListText.of(
                                host.devices(),
                                device -> device.name() + " with "
                                        + device.cores().size()));
    }

    /** Finder of placements for single requests. */
    private record Places(NeuronHost host, String holder) {

        private static final String TOO_MANY = "there are not so many";

        Wish of(int position, CoreRequest request) {
            if (request instanceof CoreRequest.Scattered some) {
                if (some.count() > host.cores().size()) {
                    throw impossible(request, TOO_MANY);
                }
                return new Wish(position, request, some.count(), List.of());
            }
            List<List<Integer>> places = places(request);
            return new Wish(position, request, places.get(0).size(), places);
        }

        private List<List<Integer>> places(CoreRequest request) {
            if (request instanceof CoreRequest.InARow run) {
                return some(request, runs(run.count()), TOO_MANY);
            } else if (request instanceof CoreRequest.OnOneDevice run) {
                return some(request, runs(run.count(), cores -> devices(cores).size() == 1), "no device has so many");
            } else if (request instanceof CoreRequest.OnConnectedDevices run) {
                DeviceLinks links = links(request);
                return some(
                        request,
                        runs(run.count(), cores -> links.connect(devices(cores))),
                        "no connected devices in a row have so many");
            } else if (request instanceof CoreRequest.ForCollectives group) {
                CollectiveGroups.of(host).refusal(group.count()).ifPresent(reason -> {
                    throw new ImpossibleRequestException("%s requests %s for collectives, and %s"
                            .formatted(holder, CountText.of(group.count(), "core"), reason));
                });
                return some(
                        request,
                        places(group.run()).stream().filter(Places::isAligned).toList(),
                        "no such range of cores starts at a multiple of " + group.count());
            } else if (request instanceof CoreRequest.AnyDevice) {
                return host.devices().stream()
                        .map(Places::indices)
                        .filter(cores -> !cores.isEmpty())
                        .toList();
            } else if (request instanceof CoreRequest.Devices named) {
                return List.of(named.indices().stream()
                        .flatMap(index -> indices(device(request, index)).stream())
                        .toList());
            }
            List<Integer> indices = ((CoreRequest.Exactly) request).indices();
            for (int index : indices) {
                if (index >= host.cores().size()) {
                    throw impossible(request, "there is no core " + index);
                }
            }
            return List.of(indices);
        }

        private List<List<Integer>> some(CoreRequest request, List<List<Integer>> places, String otherwise) {
            if (places.isEmpty()) {
                throw impossible(request, otherwise);
            }
            return places;
        }

        private List<List<Integer>> runs(int count, Predicate<List<Integer>> fits) {
            return runs(count).stream().filter(fits).toList();
        }

        /** Returns sequences of consecutive cores. Those on the fewest devices are first, among these the aligned ones. */
        private List<List<Integer>> runs(int count) {
            SortedMap<Integer, List<List<Integer>>> byRank = new TreeMap<>();
            for (int first = 0; first + count <= host.cores().size(); first++) {
                List<Integer> run = new ArrayList<>();
                for (int core = first; core < first + count; core++) {
                    run.add(core);
                }
                int rank = 2 * devices(run).size() + (isAligned(run) ? 0 : 1);
                byRank.putIfAbsent(rank, new ArrayList<>());
                byRank.get(rank).add(run);
            }
            List<List<Integer>> sorted = new ArrayList<>();
            for (List<List<Integer>> runs : byRank.values()) {
                sorted.addAll(runs);
            }
            return sorted;
        }

        private static boolean isAligned(List<Integer> run) {
            return run.get(0) % run.size() == 0;
        }

        private Set<NeuronDevice> devices(List<Integer> cores) {
            Set<NeuronDevice> devices = new LinkedHashSet<>();
            for (int core : cores) {
                devices.add(host.cores().get(core).device());
            }
            return devices;
        }

        private NeuronDevice device(CoreRequest request, int index) {
            return host.devices().stream()
                    .filter(device -> device.index() == index && !device.cores().isEmpty())
                    .findFirst()
                    .orElseThrow(() -> impossible(request, "there is no neuron" + index + " with cores"));
        }

        private static List<Integer> indices(NeuronDevice device) {
            return device.cores().stream().map(NeuronCore::index).toList();
        }

        private DeviceLinks links(CoreRequest request) {
            try {
                return DeviceLinks.of(host);
            } catch (NeuronSysfsException unreadable) {
                throw new UnreadableTopologyException(
                        "%s requests %s, but the connections of the devices are unknown: %s"
                                .formatted(holder, request.description(), unreadable.getMessage()),
                        unreadable);
            }
        }

        private ImpossibleRequestException impossible(CoreRequest request, String reason) {
            return new ImpossibleRequestException(
                    "%s requests %s, but %s: %s.".formatted(holder, request.description(), reason, inventory(host)));
        }
    }
}
