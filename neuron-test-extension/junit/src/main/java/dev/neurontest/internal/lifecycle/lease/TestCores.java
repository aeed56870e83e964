package dev.neurontest.internal.lifecycle.lease;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.ImpossibleRequestException;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.Leases;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.plan.CoreSlot;
import dev.neurontest.internal.process.ProgramLock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The cores that a test or class uses: its own lease, the leases of the classes around it, and those of the session. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TestCores implements AutoCloseable {

    private final Leases host;
    private final @Nullable TestLease own;
    private final @Nullable TestCores enclosing;
    private final Map<CoreSlot, List<NeuronCore>> granted;
    private final Set<Lease> leases = new LinkedHashSet<>();
    private final Set<NeuronCore> all = new LinkedHashSet<>();
    private final SortedSet<NeuronCore> ownCores = new TreeSet<>();
    private final SortedSet<NeuronCore> sharedByClass = new TreeSet<>();
    private final SortedSet<NeuronCore> sharedBySession = new TreeSet<>();
    private List<String> ofCluster = List.of();
    private boolean released;

    private TestCores(TestCores kept, TestLease own) {
        this.host = kept.host;
        this.own = own;
        this.enclosing = kept.enclosing;
        this.granted = kept.granted;
        leases.add(own.lease());
        all.addAll(own.lease().cores());
        leases.addAll(kept.leases);
        all.addAll(kept.all);
        ownCores.addAll(own.lease().cores());
        ownCores.addAll(kept.ownCores);
        sharedByClass.addAll(kept.sharedByClass);
        sharedBySession.addAll(kept.sharedBySession);
    }

    /** Creates the cores that already exist: those of the enclosing classes and of the session. */
    private TestCores(Leases host, @Nullable TestCores enclosing, Map<CoreSlot, SessionCores.Part> ofSession) {
        this.host = host;
        this.own = null;
        this.enclosing = enclosing;
        this.granted = new LinkedHashMap<>();
        if (enclosing != null) {
            leases.addAll(enclosing.leases);
            all.addAll(enclosing.all);
        }
        for (Map.Entry<CoreSlot, SessionCores.Part> each : ofSession.entrySet()) {
            SessionCores.Part part = each.getValue();
            granted.put(each.getKey(), part.cores());
            leases.add(part.lease());
            all.addAll(part.cores());
            sharedBySession.addAll(part.cores());
        }
    }

    /** Returns no cores of a host yet, for a test without a class and a session on it. */
    public static TestCores of(Leases host) {
        return new TestCores(host, null, Map.of());
    }

    /** Returns the cores of a lease that the caller releases. */
    public static TestCores of(Leases host, Lease lease) {
        TestCores cores = of(host);
        cores.leases.add(lease);
        cores.all.addAll(lease.cores());
        cores.ownCores.addAll(lease.cores());
        return cores;
    }

    /** Returns the cores of a test or class before any are leased for it: those of the enclosing classes and of the session. */
    public static TestCores kept(
            Leases host, @Nullable TestCores enclosing, SessionCores session, Collection<CoreSlot> slots) {
        return new TestCores(host, enclosing, session.of(slots, enclosing == null ? List.of() : enclosing.leases));
    }

    /** Returns these cores together with those of a new lease. */
    public TestCores with(TestLease lease) {
        return new TestCores(this, lease);
    }

    /** Sets the cores of a parameter. */
    public void grant(CoreSlot place, List<NeuronCore> cores) {
        granted.put(place, cores);
        ownCores.addAll(cores);
    }

    /** Marks cores of an enclosing class that a parameter of the test takes. */
    public void share(CoreSlot ofClass) {
        of(ofClass).ifPresent(sharedByClass::addAll);
    }

    /** Records that cores come from a lease that does not belong to the test. */
    public void alsoFrom(Lease lease) {
        leases.add(lease);
    }

    /**
     * Adds cores on the hosts of a cluster, which are released by others.
     *
     * @param names the names of the cores with those of their hosts
     */
    public void alsoOnCluster(List<String> names) {
        ofCluster = List.copyOf(names);
    }

    /** Returns the names of all cores, those of a cluster with their hosts. */
    public List<String> names() {
        return ofCluster.isEmpty() ? TestLease.names(all()) : ofCluster;
    }

    /** Returns whether there are no cores, neither of this host nor of a cluster. */
    public boolean isEmpty() {
        return all.isEmpty() && ofCluster.isEmpty();
    }

    /** Checks whether the same request could also be granted without these cores. */
    public boolean canBeElsewhere(Collection<NeuronCore> avoided) {
        if (own == null) {
            return false;
        }
        try {
            own.table().check(own.request().avoiding(avoided), Set.of());
            return true;
        } catch (ImpossibleRequestException onlyHere) {
            return false;
        }
    }

    /** Returns all cores, with those of its programs first. */
    public List<NeuronCore> all() {
        Set<NeuronCore> ordered = new LinkedHashSet<>(ofPrograms());
        ordered.addAll(all);
        return List.copyOf(ordered);
    }

    /**
     * Returns the default cores for programs of the test or class. These are its own cores, else the cores of the class or session that it
     * takes as parameters, else those of the nearest enclosing class with cores. Each core runs one program at a time. Programs of a test
     * therefore leave the cores of its class to the programs of the class.
     */
    public List<NeuronCore> ofPrograms() {
        for (SortedSet<NeuronCore> some : List.of(ownCores, sharedByClass, sharedBySession)) {
            if (!some.isEmpty()) {
                return List.copyOf(some);
            }
        }
        return enclosing == null ? List.of() : enclosing.ofPrograms();
    }

    /** Returns the cores of a parameter. */
    public Optional<List<NeuronCore>> of(CoreSlot place) {
        @Nullable List<NeuronCore> cores = granted.get(place);
        return cores != null || enclosing == null ? Optional.ofNullable(cores) : enclosing.of(place);
    }

    /** Returns the leases of these cores, with its own lease first. */
    public Collection<Lease> leases() {
        return leases;
    }

    /** Returns the leases that a table has granted. */
    public List<Lease> leasesOf(Leases table) {
        List<Lease> ofTable = new ArrayList<>();
        for (Lease lease : leases) {
            if (lease.isOf(table)) {
                ofTable.add(lease);
            }
        }
        return ofTable;
    }

    /** Returns the leases that contain some of these cores. */
    public List<Lease> leasesOf(Collection<NeuronCore> used) {
        return leases.stream()
                .filter(lease -> lease.cores().stream().anyMatch(used::contains))
                .toList();
    }

    /** Returns the locks that programs hold on some of these cores. */
    public List<ProgramLock> locks(Collection<NeuronCore> used) {
        return leasesOf(used).stream()
                .flatMap(lease -> lease.programLock().stream())
                .toList();
    }

    /** Records that a process that used cores has ended. Descendants that survived SIGKILL keep the cores until they end. */
    public void ended(ProcessHandle process, Collection<Long> survivors) {
        survivors.stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .forEach(survivor -> leases.forEach(lease -> lease.startedProcess(survivor)));
        leases.forEach(lease -> lease.endedProcess(process));
    }

    /** Quarantines cores until they are known to be well. */
    public void quarantine(Collection<NeuronCore> suspects, Quarantine.Until until, String reason, TestId test) {
        among(suspects, (lease, affected) -> lease.quarantine(affected, until, reason, test.test()));
    }

    /** Clears cores of a suspicion that the kernel caused. */
    public void acquit(Collection<NeuronCore> suspects, String reason, String cause) {
        among(suspects, (lease, affected) -> lease.acquit(affected, reason, cause));
    }

    private void among(Collection<NeuronCore> suspects, BiConsumer<Lease, List<NeuronCore>> action) {
        for (Lease lease : leases) {
            List<NeuronCore> affected =
                    lease.cores().stream().filter(suspects::contains).toList();
            if (!affected.isEmpty()) {
                action.accept(lease, affected);
            }
        }
    }

    /** Checks again whether quarantined cores are well. */
    public void checkAgain() {
        host.checkAgain();
    }

    /** Returns other users of the same devices that have no lease at the moment. */
    public List<String> outsiders() {
        return all.isEmpty() ? List.of() : host.outsiders(all);
    }

    /** Returns the processes of this JVM, by device number, that have the devices open at the moment and belong to no lease. */
    public Map<Integer, List<String>> unleased() {
        return all.isEmpty() ? Map.of() : host.unleased(all);
    }

    /** Returns the current moment, as counted by the table of each lease. */
    public Map<Lease, Long> moments() {
        Map<Lease, Long> moments = new LinkedHashMap<>();
        for (Lease lease : leases) {
            moments.put(lease, lease.moment());
        }
        return moments;
    }

    /** Returns other holders of leases on the same devices since the given moments. */
    public List<String> neighbours(Map<Lease, Long> moments) {
        Set<String> neighbours = new LinkedHashSet<>();
        for (Lease lease : leases) {
            neighbours.addAll(lease.neighbours(moments.getOrDefault(lease, 0L)));
        }
        return List.copyOf(neighbours);
    }

    /** Releases its own lease once. */
    @Override
    public void close() {
        if (own != null && !released) {
            released = true;
            own.close();
        }
    }

    /**
     * Returns the cores that a parameter requests by index, if they are already held. A core that the class holds cannot be leased again.
     */
    public Optional<List<NeuronCore>> named(CoreSlot place, NeuronHost of) {
        List<NeuronCore> named = new ArrayList<>();
        if (place.request() instanceof CoreRequest.Exactly exactly) {
            exactly.indices().stream()
                    .filter(index -> index < of.cores().size())
                    .map(of.cores()::get)
                    .forEach(named::add);
        } else if (place.request() instanceof CoreRequest.Devices devices) {
            of.devices().stream()
                    .filter(device -> devices.indices().contains(device.index()))
                    .forEach(device -> named.addAll(device.cores()));
        }
        return !named.isEmpty() && all.containsAll(named) ? Optional.of(named) : Optional.empty();
    }
}
