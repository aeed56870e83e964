package dev.neurontest.internal.counter.tree;

import dev.neurontest.counter.CounterPlace;
import dev.neurontest.device.DriverVersion;
import dev.neurontest.device.Family;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.device.PhysicalCore;
import dev.neurontest.device.ProcessOwner;
import dev.neurontest.internal.device.DatastoreCounters;
import dev.neurontest.internal.device.Nodes;
import dev.neurontest.internal.device.driver.KnownNodes;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The counter scopes of a host. The files of a place are searched once, and recently used scopes are cached. Safe for use by
 * several threads.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CounterScopes {

    private static final int KEPT = 128;

    private final NeuronHost host;
    private final boolean errorsOnly;
    private final @Nullable DeferredCounts deferredCounts;
    private final Map<CounterPlace, FoundCounters> found;
    /** The first core and the first device of each family. Most others have the same names. */
    private final Map<String, FoundCounters> usual;

    private final Map<List<NeuronCore>, CounterScope> recent = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<List<NeuronCore>, CounterScope> eldest) {
            return size() > KEPT;
        }
    };

    /** Creates the scopes of a host without reading a file. */
    public CounterScopes(NeuronHost host) {
        this.host = host;
        this.errorsOnly = false;
        this.deferredCounts = host.datastoreCounters() == DatastoreCounters.LIVE
                ? null
                : new DeferredCounts(host.datastoreCountersReason(), () -> owners(host));
        this.found = new ConcurrentSkipListMap<>();
        this.usual = new ConcurrentHashMap<>();
    }

    /** Creates the scopes of the error counters only. What one of both finds, the other does not search again. */
    private CounterScopes(CounterScopes all) {
        this.host = all.host;
        this.errorsOnly = true;
        this.deferredCounts = all.deferredCounts;
        this.found = all.found;
        this.usual = all.usual;
    }

    /** Returns the scopes of the same host with only the error counters. */
    public CounterScopes errors() {
        return new CounterScopes(this);
    }

    /**
     * Returns the scope of logical cores and their devices. It also watches the other cores of these devices for foreign
     * activity.
     *
     * @param cores cores of this host, at least one
     * @return the same scope for the same cores
     * @throws NeuronSysfsException when the files of the cores or devices cannot be listed
     */
    public CounterScope of(List<NeuronCore> cores) {
        if (cores.isEmpty()) {
            throw new IllegalArgumentException("there are no cores with readable counters");
        }
        CounterScope cached;
        synchronized (recent) {
            cached = recent.get(cores);
        }
        CounterScope stale = cached != null && !cached.changes().isEmpty() ? cached : null;
        if (cached != null && stale == null) {
            return cached;
        }
        CounterScope prepared;
        if (stale == null) {
            prepared = prepare(cores);
        } else {
            found.clear();
            usual.clear();
            prepared = prepareAgain(cores, stale);
        }
        synchronized (recent) {
            CounterScope other = recent.get(cores);
            if (other != null && other != cached) {
                return other;
            }
            if (prepared.doubts().isEmpty()) {
                recent.put(List.copyOf(cores), prepared);
            }
            return prepared;
        }
    }

    /**
     * Returns the scope of all cores and devices.
     *
     * @throws NeuronSysfsException when the files of a core or device cannot be listed
     */
    public CounterScope wholeHost() {
        return of(host.cores());
    }

    /** Prepares a scope again. If files are gone, the stale scope is kept, because its reading reports the failure. */
    private CounterScope prepareAgain(List<NeuronCore> cores, CounterScope stale) {
        try {
            return prepare(cores);
        } catch (NeuronSysfsException unlisted) {
            return stale;
        }
    }

    /**
     * Adds the identities of the directories of devices that this process cannot use.
     *
     * @param identities identities by path of the other directories, to which those that are missing are added
     */
    public void addIdentities(SortedMap<String, String> identities) {
        String directory = host.devices().get(0).directory();
        String devices = directory.substring(0, directory.lastIndexOf('/'));
        List<String> others = new ArrayList<>();
        try {
            for (String name : host.tree().list(devices)) {
                String path = devices + "/" + name;
                if (!identities.containsKey(path) && CounterPlace.parse(name).isPresent()) {
                    others.add(path);
                }
            }
        } catch (IOException unlisted) {
            return;
        }
        identities.putAll(CounterScope.identities(host.tree(), others));
    }

    private CounterScope prepare(List<NeuronCore> cores) {
        List<LogicalCounters> leased = new ArrayList<>();
        Set<CounterPlace> watched = new TreeSet<>();
        for (NeuronCore core : cores) {
            leased.add(new LogicalCounters(core.name(), places(core.physicalCores())));
            watched.addAll(places(core.device().physicalCores()));
        }
        for (LogicalCounters core : leased) {
            watched.removeAll(core.physicalCores());
        }
        // The order of the cores does not matter if all cores of a device are leased.
        @Nullable
        String coreDoubt = watched.isEmpty() ? null : host.coreMapDoubt().orElse(null);
        Set<String> unknown = new LinkedHashSet<>();
        for (NeuronCore core : cores) {
            if (!found.containsKey(CounterPlace.ofDevice(core.device().index()))) {
                unknown.add(core.device().directory());
            }
        }
        HostTree walk = unknown.isEmpty() ? host.tree() : host.tree().forWalk(unknown);
        return new CounterScope(
                host.tree(),
                place -> errorsOnly ? found(place, walk).errorsOnly() : found(place, walk),
                leased,
                watched,
                deferredCounts,
                coreDoubt);
    }

    private static List<CounterPlace> places(List<PhysicalCore> cores) {
        List<CounterPlace> places = new ArrayList<>();
        for (PhysicalCore core : cores) {
            places.add(CounterPlace.ofCore(core.device(), core.index()));
        }
        return places;
    }

    private FoundCounters found(CounterPlace place, HostTree walk) {
        FoundCounters cached = found.get(place);
        if (cached == null) {
            NeuronDevice device = device(place.device());
            boolean ofCore = place.core().isPresent();
            String directory = device.directory();
            for (PhysicalCore core : device.physicalCores()) {
                if (ofCore && core.index() == place.core().getAsInt()) {
                    directory = core.directory();
                }
            }
            Family family = device.architecture().family();
            String kind = (ofCore ? "core of " : "device of ") + family;
            FoundCounters first = usual.get(kind);
            cached = first == null ? null : first.alsoAt(walk, directory);
            if (cached == null) {
                cached = CounterDiscovery.at(
                        host.tree(),
                        place,
                        Nodes.below(walk, directory),
                        ofCore || countsEcc(device),
                        KnownNodes.of(ofCore, host.driverVersion(), family));
            }
            // A device can appear before all its files exist, so a doubtful result is not cached.
            if (cached.doubt().isEmpty()) {
                found.put(place, cached);
                if (cached.byNames()) {
                    usual.putIfAbsent(kind, cached);
                }
            }
        }
        return cached;
    }

    private NeuronDevice device(int index) {
        for (NeuronDevice device : host.devices()) {
            if (device.index() == index) {
                return device;
            }
        }
        throw new NoSuchElementException("neuron" + index);
    }

    /** Returns whether memory errors are counted. Inf1 does not count them, and drivers before 2.14.5 do not either. */
    private boolean countsEcc(NeuronDevice device) {
        Optional<DriverVersion> driver = host.driverVersion();
        boolean tooOld =
                driver.isPresent() && driver.get().known() && !driver.get().atLeast(2, 14);
        return device.architecture().family() != Family.INF1 && !tooOld;
    }

    private static String named(ProcessOwner owner) {
        return owner.pid() == ProcessHandle.current().pid()
                ? "the runtime in this JVM, which neuron.test.runtime.close=test closes before the readings"
                : owner.toString();
    }

    private static Map<Integer, List<String>> owners(NeuronHost host) {
        Map<Integer, List<String>> owners = new TreeMap<>();
        host.owners()
                .forEach((device, processes) -> owners.put(
                        device.index(),
                        processes.stream().map(CounterScopes::named).toList()));
        return owners;
    }
}
