package dev.neurontest;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.lease.CoreRequest;
import dev.neurontest.lease.ImpossibleRequestException;
import dev.neurontest.lease.Lease;
import dev.neurontest.lease.LeaseRequest;
import dev.neurontest.lease.LeaseTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** The cores that a test or class uses: its own lease, the leases of the classes around it, and those of the session. */
final class TestCores implements AutoCloseable {

    private final @Nullable TestLease own;
    private final @Nullable TestCores around;
    private final Map<Slot, List<NeuronCore>> granted;
    private final Set<Lease> leases = new LinkedHashSet<>();
    private final Set<NeuronCore> all = new LinkedHashSet<>();
    private boolean released;

    private TestCores(TestCores kept, TestLease own) {
        this.own = own;
        this.around = kept.around;
        this.granted = kept.granted;
        leases.add(own.lease());
        all.addAll(own.lease().cores());
        leases.addAll(kept.leases);
        all.addAll(kept.all);
    }

    /** What there is already: of the classes around, and of the session. */
    private TestCores(@Nullable TestCores around, Map<Slot, SessionCores.Part> ofSession) {
        this.own = null;
        this.around = around;
        this.granted = new LinkedHashMap<>();
        if (around != null) {
            leases.addAll(around.leases);
            all.addAll(around.all);
        }
        ofSession.forEach((slot, part) -> {
            granted.put(slot, part.cores());
            leases.add(part.lease());
            all.addAll(part.cores());
        });
    }

    /**
     * Leases what a test or class asks for and does not have yet.
     *
     * @throws RuntimeException when that is not possible; then nothing more is leased than before
     */
    static TestCores take(Session session, TestLife.Plan plan) {
        Set<NeuronCore> notRecorded = plan.avoided().isEmpty() ? notRecorded(session, plan) : Set.of();
        if (notRecorded.isEmpty()) {
            return take(session, plan, plan.avoided());
        }
        try {
            return take(session, plan, notRecorded);
        } catch (ImpossibleRequestException | ExtensionConfigurationException otherCores) {
            return take(session, plan, Set.of());
        }
    }

    /** The cores that it did not have when it was recorded. */
    private static Set<NeuronCore> notRecorded(Session session, TestLife.Plan plan) {
        return plan.slots().isEmpty() && plan.assigned().isEmpty()
                ? Set.of()
                : session.replay().map(replay -> replay.avoided(plan.test())).orElse(Set.of());
    }

    private static TestCores take(Session session, TestLife.Plan plan, Set<NeuronCore> avoided) {
        @Nullable
        TestCores around = plan.around() == null ? null : plan.around().cores();
        TestCores kept =
                new TestCores(around, session.cores().of(plan.ofSession(), around == null ? List.of() : around.leases));
        if (!kept.all.isEmpty()) {
            session.host().leases().requireWell(plan.test().name(), kept.all);
        }
        List<Slot> missing = new ArrayList<>();
        for (Slot slot : plan.slots()) {
            // A core that the class holds already cannot be leased again: whoever names it gets it from there.
            kept.held(slot, session.host().platform().host())
                    .ifPresentOrElse(cores -> kept.granted.put(slot, cores), () -> missing.add(slot));
        }
        List<CoreRequest> requests = plan.assigned().isPresent()
                ? plan.assigned().stream().map(Assigned::request).toList()
                : missing.stream().map(Slot::request).toList();
        if (requests.isEmpty()) {
            return kept;
        }
        LeaseRequest request = new LeaseRequest(plan.test().name(), requests).avoiding(avoided);
        TestLease lease = plan.usesRuntime()
                ? kept.takeOfRuntime(session, plan, request)
                : kept.takeOfHost(session, plan, request);
        return kept.with(lease, plan, missing);
    }

    private TestLease takeOfHost(Session session, TestLife.Plan plan, LeaseRequest request) {
        LeaseTable table = session.host().leases();
        Set<NeuronCore> kept = new LinkedHashSet<>(all);
        kept.addAll(session.cores().all());
        return session.runtime()
                .whileItMayGetThem(
                        () -> impossibleBesideTheRuntime(session, request, kept).isPresent(), () -> {
                            Optional<ImpossibleRequestException> beside =
                                    impossibleBesideTheRuntime(session, request, kept);
                            if (beside.isPresent()) {
                                if (!session.runtime().giveWay(request, leases)) {
                                    throw beside.get();
                                }
                                table.check(request, kept);
                            }
                            return TestLease.take(session, table, plan.test(), request.within(leasesOf(table)));
                        });
    }

    private static Optional<ImpossibleRequestException> impossibleBesideTheRuntime(
            Session session, LeaseRequest request, Set<NeuronCore> kept) {
        Set<NeuronCore> taken = new LinkedHashSet<>(kept);
        taken.addAll(session.runtime().held());
        try {
            if (!taken.isEmpty()) {
                session.host().leases().check(request, taken);
            }
            return Optional.empty();
        } catch (ImpossibleRequestException impossible) {
            return Optional.of(impossible);
        }
    }

    /** The runtime in this JVM has leased its cores for itself, and a test gets some of them. */
    private TestLease takeOfRuntime(Session session, TestLife.Plan plan, LeaseRequest request) {
        SessionRuntime runtime = session.runtime();
        SessionRuntime.Cores its = runtime.claim(leasesOf(session.host().leases()));
        try {
            leases.add(its.lease().lease());
            List<Lease> kept = leasesOf(its.table());
            its.table()
                    .check(
                            request,
                            kept.stream()
                                    .flatMap(lease -> lease.cores().stream())
                                    .toList());
            return TestLease.take(session, its.table(), plan.test(), request.within(kept), runtime::unclaim);
        } catch (ImpossibleRequestException tooMuch) {
            runtime.unclaim();
            throw runtime.tooFew(tooMuch);
        } catch (RuntimeException failed) {
            runtime.unclaim();
            throw failed;
        }
    }

    private List<Lease> leasesOf(LeaseTable table) {
        return leases.stream().filter(lease -> lease.isOf(table)).toList();
    }

    private TestCores with(TestLease lease, TestLife.Plan plan, List<Slot> missing) {
        TestCores cores = new TestCores(this, lease);
        try {
            if (plan.assigned().isPresent()) {
                granted.putAll(
                        plan.assigned().get().serve(missing, lease.lease().cores()));
            }
            for (int i = 0; plan.assigned().isEmpty() && i < missing.size(); i++) {
                granted.put(missing.get(i), lease.lease().granted().get(i));
            }
            return cores;
        } catch (RuntimeException wrong) {
            cores.close();
            throw wrong;
        }
    }

    /** Whether the same could be leased without these cores, too. */
    boolean canBeElsewhere(Collection<NeuronCore> avoided) {
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

    /** All of them, its own first. */
    List<NeuronCore> all() {
        return List.copyOf(all);
    }

    /** The cores of a parameter. */
    Optional<List<NeuronCore>> of(Slot slot) {
        return Optional.ofNullable(granted.get(slot))
                .or(() -> Optional.ofNullable(around).flatMap(outer -> outer.of(slot)));
    }

    /** The leases that these are from. */
    Collection<Lease> leases() {
        return leases;
    }

    /** The leases that some of these cores are from. */
    List<Lease> leasesOf(Collection<NeuronCore> used) {
        return leases.stream()
                .filter(lease -> lease.cores().stream().anyMatch(used::contains))
                .toList();
    }

    /** A process that used cores is gone; what even SIGKILL did not end keeps them until it has ended all the same. */
    void ended(ProcessHandle process, Collection<Long> survivors) {
        survivors.stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .forEach(survivor -> leases.forEach(lease -> lease.startedProcess(survivor)));
        leases.forEach(lease -> lease.endedProcess(process));
    }

    /** Keeps cores from the others until they are known to be well. */
    void quarantine(Collection<NeuronCore> suspects, boolean ofHardware, String reason) {
        for (Lease lease : leases) {
            List<NeuronCore> its =
                    lease.cores().stream().filter(suspects::contains).toList();
            if (!its.isEmpty()) {
                lease.quarantine(its, ofHardware, reason);
            }
        }
    }

    /** Who else uses the same devices without a lease, at this moment. */
    List<String> outsiders(LeaseTable table) {
        return all.isEmpty() ? List.of() : table.outsiders(all);
    }

    /** This moment, as the table of each lease counts it. */
    Map<Lease, Long> moments() {
        Map<Lease, Long> moments = new LinkedHashMap<>();
        leases.forEach(lease -> moments.put(lease, lease.moment()));
        return moments;
    }

    /** Who else had leases on the same devices since some moment. */
    List<String> neighbours(Map<Lease, Long> moments) {
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

    /** What is held already of what somebody names. */
    private Optional<List<NeuronCore>> held(Slot slot, NeuronHost host) {
        List<NeuronCore> named = new ArrayList<>();
        if (slot.request() instanceof CoreRequest.Exactly exactly) {
            exactly.indices().stream()
                    .filter(index -> index < host.cores().size())
                    .map(host.cores()::get)
                    .forEach(named::add);
        } else if (slot.request() instanceof CoreRequest.Devices devices) {
            host.devices().stream()
                    .filter(device -> devices.indices().contains(device.index()))
                    .forEach(device -> named.addAll(device.cores()));
        }
        return !named.isEmpty() && all.containsAll(named) ? Optional.of(named) : Optional.empty();
    }
}
