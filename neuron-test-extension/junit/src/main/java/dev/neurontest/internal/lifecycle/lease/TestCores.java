package dev.neurontest.internal.lifecycle.lease;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.ImpossibleRequestException;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.table.LeaseTable;
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
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The cores that a test or class uses: its own lease, the leases of the classes around it, and those of the session. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TestCores implements AutoCloseable {

    private final LeaseTable host;
    private final @Nullable TestLease own;
    private final @Nullable TestCores around;
    private final Map<CoreSlot, List<NeuronCore>> granted;
    private final Set<Lease> leases = new LinkedHashSet<>();
    private final Set<NeuronCore> all = new LinkedHashSet<>();
    private final SortedSet<NeuronCore> ownCores = new TreeSet<>();
    private final SortedSet<NeuronCore> sharedByClass = new TreeSet<>();
    private final SortedSet<NeuronCore> sharedBySession = new TreeSet<>();
    private boolean released;

    private TestCores(TestCores kept, TestLease own) {
        this.host = kept.host;
        this.own = own;
        this.around = kept.around;
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

    /** What there is already: of the classes around, and of the session. */
    private TestCores(LeaseTable host, @Nullable TestCores around, Map<CoreSlot, SessionCores.Part> ofSession) {
        this.host = host;
        this.own = null;
        this.around = around;
        this.granted = new LinkedHashMap<>();
        if (around != null) {
            leases.addAll(around.leases);
            all.addAll(around.all);
        }
        ofSession.forEach((place, part) -> {
            granted.put(place, part.cores());
            leases.add(part.lease());
            all.addAll(part.cores());
            sharedBySession.addAll(part.cores());
        });
    }

    /** What a test or class has before anything is leased for it: of the classes around it and of the session. */
    public static TestCores kept(
            LeaseTable host, @Nullable TestCores around, SessionCores session, Collection<CoreSlot> wanted) {
        return new TestCores(host, around, session.of(wanted, around == null ? List.of() : around.leases));
    }

    /** The same and what was leased for it. */
    public TestCores with(TestLease lease) {
        return new TestCores(this, lease);
    }

    /** Says what a parameter gets. */
    public void grant(CoreSlot place, List<NeuronCore> cores) {
        granted.put(place, cores);
        ownCores.addAll(cores);
    }

    /** Marks cores of a class around as those that a parameter of the test takes. */
    public void share(CoreSlot ofClass) {
        of(ofClass).ifPresent(sharedByClass::addAll);
    }

    /** Says that cores come out of a lease that is not the test's own. */
    public void alsoFrom(Lease lease) {
        leases.add(lease);
    }

    /** Whether the same could be leased without these cores, too. */
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

    /** All of them, those of its programs first. */
    public List<NeuronCore> all() {
        Set<NeuronCore> ordered = new LinkedHashSet<>(ofPrograms());
        ordered.addAll(all);
        return List.copyOf(ordered);
    }

    /**
     * Returns the cores that a program of the test or class uses unless it chooses others: its own, else those of the class or of the
     * session that it takes as parameters, else those of the nearest class around it that has any. Each core has one program at a time,
     * so that the programs of a test leave the cores of its class to the programs of the class.
     */
    public List<NeuronCore> ofPrograms() {
        return Stream.of(ownCores, sharedByClass, sharedBySession)
                .filter(some -> !some.isEmpty())
                .findFirst()
                .map(List::copyOf)
                .orElseGet(() -> around == null ? List.of() : around.ofPrograms());
    }

    /** The cores of a parameter. */
    public Optional<List<NeuronCore>> of(CoreSlot place) {
        return Optional.ofNullable(granted.get(place))
                .or(() -> Optional.ofNullable(around).flatMap(outer -> outer.of(place)));
    }

    /** The leases that these are from, its own first. */
    public Collection<Lease> leases() {
        return leases;
    }

    /** The leases that a table has given. */
    public List<Lease> leasesOf(LeaseTable table) {
        return leases.stream().filter(lease -> lease.isOf(table)).toList();
    }

    /** The leases that some of these cores are from. */
    public List<Lease> leasesOf(Collection<NeuronCore> used) {
        return leases.stream()
                .filter(lease -> lease.cores().stream().anyMatch(used::contains))
                .toList();
    }

    /** Returns what the programs on some of these cores keep locked. */
    public List<ProgramLock> locks(Collection<NeuronCore> used) {
        return leasesOf(used).stream()
                .flatMap(lease -> lease.programLock().stream())
                .toList();
    }

    /** A process that used cores is gone; what even SIGKILL did not end keeps them until it has ended all the same. */
    public void ended(ProcessHandle process, Collection<Long> survivors) {
        survivors.stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .forEach(survivor -> leases.forEach(lease -> lease.startedProcess(survivor)));
        leases.forEach(lease -> lease.endedProcess(process));
    }

    /** Keeps cores from the others until they are known to be well. */
    public void quarantine(Collection<NeuronCore> suspects, Quarantine.Until until, String reason, TestId test) {
        among(suspects, (lease, its) -> lease.quarantine(its, until, reason, test.test()));
    }

    /** Takes back the blame for what the kernel did. */
    public void acquit(Collection<NeuronCore> suspects, String reason, String cause) {
        among(suspects, (lease, its) -> lease.acquit(its, reason, cause));
    }

    private void among(Collection<NeuronCore> suspects, BiConsumer<Lease, List<NeuronCore>> action) {
        for (Lease lease : leases) {
            List<NeuronCore> its =
                    lease.cores().stream().filter(suspects::contains).toList();
            if (!its.isEmpty()) {
                action.accept(lease, its);
            }
        }
    }

    /** Looks again whether cores in quarantine are well. */
    public void checkAgain() {
        host.checkAgain();
    }

    /** Who else uses the same devices without a lease, at this moment. */
    public List<String> outsiders() {
        return all.isEmpty() ? List.of() : host.outsiders(all);
    }

    /** The processes that have their devices open at this moment, come from this JVM and are known to no lease; by device number. */
    public Map<Integer, List<String>> unleased() {
        return all.isEmpty() ? Map.of() : host.unleased(all);
    }

    /** This moment, as the table of each lease counts it. */
    public Map<Lease, Long> moments() {
        Map<Lease, Long> moments = new LinkedHashMap<>();
        leases.forEach(lease -> moments.put(lease, lease.moment()));
        return moments;
    }

    /** Who else had leases on the same devices since some moment. */
    public List<String> neighbours(Map<Lease, Long> moments) {
        return leases.stream()
                .flatMap(lease -> lease.neighbours(moments.getOrDefault(lease, 0L)).stream())
                .distinct()
                .toList();
    }

    /** Gives back its own, once. */
    @Override
    public void close() {
        if (own != null && !released) {
            released = true;
            own.close();
        }
    }

    /** What there is already of what a parameter names. A core that the class has cannot be leased again. */
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
