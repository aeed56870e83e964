package dev.neurontest.internal.participant.runtime;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.ImpossibleRequestException;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.table.LeaseTable;
import dev.neurontest.internal.lifecycle.lease.RunTarget;
import dev.neurontest.internal.lifecycle.lease.SessionCores;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.lifecycle.lease.TestLease;
import dev.neurontest.internal.lifecycle.lease.TestLeases;
import dev.neurontest.internal.plan.CoreSlot;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * Gives tests their cores: of the host, or of those that the runtime in this JVM has.
 *
 * @param host where the cores are
 * @param table who has which of them
 * @param leases how they are waited for
 * @param session those that tests share
 * @param runtime shares its cores with the others
 * @param notRecorded the cores that a test did not have when it was recorded
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record CoreSupply(
        NeuronHost host,
        LeaseTable table,
        TestLeases leases,
        SessionCores session,
        SessionRuntime runtime,
        Function<TestId, Set<NeuronCore>> notRecorded) {

    /**
     * Leases what a test or class asks for and does not have yet.
     *
     * @throws RuntimeException when that is not possible; then nothing more is leased than before
     */
    public TestCores take(CoreDemand demand) {
        boolean wantsSome = !demand.places().isEmpty() || demand.target().isPresent();
        Set<NeuronCore> others = wantsSome && demand.avoided().isEmpty() ? notRecorded.apply(demand.test()) : Set.of();
        if (others.isEmpty()) {
            return take(demand, demand.avoided());
        }
        try {
            return take(demand, others);
        } catch (ImpossibleRequestException | TooFewCoresException otherCores) {
            return take(demand, Set.of());
        }
    }

    private TestCores take(CoreDemand demand, Set<NeuronCore> avoided) {
        TestCores kept = TestCores.kept(table, demand.around(), session, demand.ofSession());
        demand.ofClass().forEach(kept::share);
        if (!kept.all().isEmpty()) {
            table.requireWell(demand.test().name(), kept.all());
        }
        List<CoreSlot> missing = new ArrayList<>();
        for (CoreSlot place : demand.places()) {
            kept.named(place, host).ifPresentOrElse(cores -> kept.grant(place, cores), () -> missing.add(place));
        }
        if (demand.target().isPresent()) {
            requirePossibleGroups(demand.test(), missing);
        }
        List<CoreRequest> requests = demand.target().isPresent()
                ? demand.target().stream().map(RunTarget::request).toList()
                : missing.stream().map(CoreSlot::request).toList();
        if (requests.isEmpty()) {
            return kept;
        }
        LeaseRequest request = new LeaseRequest(demand.test().name(), requests).avoiding(avoided);
        Optional<TestLease> onAnotherDevice = demand.avoided().isEmpty() || demand.usesRuntime()
                ? Optional.empty()
                : elsewhere(demand, kept, request);
        if (onAnotherDevice.isPresent()) {
            return served(kept, onAnotherDevice.get(), demand, missing);
        }
        TestLease lease =
                demand.usesRuntime() ? ofRuntime(demand.test(), kept, request) : ofHost(demand.test(), kept, request);
        return served(kept, lease, demand, missing);
    }

    /** Tries other devices, which tell more of a failure than other cores. None of them is waited for. */
    private Optional<TestLease> elsewhere(CoreDemand demand, TestCores kept, LeaseRequest request) {
        List<NeuronCore> onTheSameDevices = demand.avoided().stream()
                .map(NeuronCore::device)
                .distinct()
                .flatMap(device -> device.cores().stream())
                .toList();
        return leases.takeIfFree(
                table, demand.test(), request.avoiding(onTheSameDevices).within(kept.leasesOf(table)));
    }

    /** Refuses groups that a run for one core or device would be served from what it has. */
    private void requirePossibleGroups(TestId test, List<CoreSlot> places) {
        places.stream()
                .map(CoreSlot::request)
                .filter(CoreRequest.ForCollectives.class::isInstance)
                .forEach(group -> table.check(new LeaseRequest(test.name(), List.of(group)), Set.of()));
    }

    private TestLease ofHost(TestId test, TestCores kept, LeaseRequest request) {
        Set<NeuronCore> taken = new LinkedHashSet<>(kept.all());
        taken.addAll(session.all());
        return runtime.whileItMayGetThem(
                () -> impossibleBesideTheRuntime(request, taken).isPresent(), () -> {
                    Optional<ImpossibleRequestException> beside = impossibleBesideTheRuntime(request, taken);
                    if (beside.isPresent()) {
                        if (!runtime.giveWay(request, kept.leases())) {
                            throw beside.get();
                        }
                        table.check(request, taken);
                    }
                    return leases.take(table, test, request.within(kept.leasesOf(table)));
                });
    }

    private Optional<ImpossibleRequestException> impossibleBesideTheRuntime(
            LeaseRequest request, Set<NeuronCore> others) {
        Set<NeuronCore> taken = new LinkedHashSet<>(others);
        taken.addAll(runtime.held());
        try {
            if (!taken.isEmpty()) {
                table.check(request, taken);
            }
            return Optional.empty();
        } catch (ImpossibleRequestException impossible) {
            return Optional.of(impossible);
        }
    }

    /** The runtime in this JVM has leased its cores for itself, and a test gets some of them. */
    private TestLease ofRuntime(TestId test, TestCores kept, LeaseRequest request) {
        table.check(request, Set.of());
        SessionRuntime.Cores its = runtime.claim(kept.leasesOf(table));
        try {
            kept.alsoFrom(its.lease().lease());
            List<Lease> within = kept.leasesOf(its.table());
            its.table()
                    .check(
                            request,
                            within.stream()
                                    .flatMap(lease -> lease.cores().stream())
                                    .toList());
            return leases.take(its.table(), test, request.within(within), runtime::unclaim);
        } catch (ImpossibleRequestException tooMuch) {
            runtime.unclaim();
            throw runtime.tooFew(tooMuch);
        } catch (RuntimeException failed) {
            runtime.unclaim();
            throw failed;
        }
    }

    private static TestCores served(TestCores kept, TestLease lease, CoreDemand demand, List<CoreSlot> missing) {
        TestCores cores = kept.with(lease);
        try {
            if (demand.target().isPresent()) {
                demand.target().get().serve(missing, lease.lease().cores()).forEach(cores::grant);
            }
            for (int i = 0; demand.target().isEmpty() && i < missing.size(); i++) {
                cores.grant(missing.get(i), lease.lease().granted().get(i));
            }
            return cores;
        } catch (RuntimeException wrong) {
            cores.close();
            throw wrong;
        }
    }
}
