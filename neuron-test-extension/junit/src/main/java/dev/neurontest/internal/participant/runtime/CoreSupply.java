package dev.neurontest.internal.participant.runtime;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.ImpossibleRequestException;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.Leases;
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
import java.util.function.BooleanSupplier;
import org.apiguardian.api.API;

/**
 * A supplier of cores for tests: from the host, or from the cores of the runtime in this JVM.
 *
 * @param table the lease table of the host
 * @param leases waits for cores
 * @param session the cores that tests share
 * @param runtime the runtime in this JVM, which can release its cores for other tests
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record CoreSupply(
        NeuronHost host, Leases table, TestLeases leases, SessionCores session, SessionRuntime runtime) {

    /**
     * Leases the cores that a test or class requests and does not have yet.
     *
     * @param notRecorded the cores that the test did not have when it was recorded
     * @throws RuntimeException if that is not possible; then no additional cores are leased
     */
    public TestCores take(CoreRequirement requirement, Set<NeuronCore> notRecorded) {
        boolean wantsSome =
                !requirement.places().isEmpty() || requirement.target().isPresent();
        Set<NeuronCore> others = wantsSome && requirement.avoided().isEmpty() ? notRecorded : Set.of();
        if (others.isEmpty()) {
            return leaseWithout(requirement, requirement.avoided());
        }
        try {
            return leaseWithout(requirement, others);
        } catch (ImpossibleRequestException | TooFewCoresException otherCores) {
            return leaseWithout(requirement, Set.of());
        }
    }

    private TestCores leaseWithout(CoreRequirement requirement, Set<NeuronCore> avoided) {
        TestCores kept = TestCores.kept(table, requirement.enclosing(), session, requirement.ofSession());
        for (CoreSlot place : requirement.ofClass()) {
            kept.share(place);
        }
        if (!kept.all().isEmpty()) {
            table.requireWell(requirement.test().name(), kept.all());
        }
        List<CoreSlot> missing = new ArrayList<>();
        for (CoreSlot place : requirement.places()) {
            Optional<List<NeuronCore>> named = kept.named(place, host);
            if (named.isPresent()) {
                kept.grant(place, named.get());
            } else {
                missing.add(place);
            }
        }
        if (requirement.target().isPresent()) {
            requirePossibleGroups(requirement.test(), missing);
        }
        List<CoreRequest> requests = new ArrayList<>();
        if (requirement.target().isPresent()) {
            requests.add(requirement.target().get().request());
        } else {
            for (CoreSlot place : missing) {
                requests.add(place.request());
            }
        }
        if (requests.isEmpty()) {
            return kept;
        }
        LeaseRequest request = new LeaseRequest(requirement.test().name(), requests).avoiding(avoided);
        Optional<TestLease> onAnotherDevice = requirement.avoided().isEmpty() || requirement.usesRuntime()
                ? Optional.empty()
                : elsewhere(requirement, kept, request);
        if (onAnotherDevice.isPresent()) {
            return served(kept, onAnotherDevice.get(), requirement, missing);
        }
        TestLease lease = requirement.usesRuntime()
                ? ofRuntime(requirement.test(), kept, request)
                : ofHost(requirement.test(), kept, request);
        return served(kept, lease, requirement, missing);
    }

    /** Leases cores of other devices, if they are free. A failure on another device is more informative than one on other cores. */
    private Optional<TestLease> elsewhere(CoreRequirement requirement, TestCores kept, LeaseRequest request) {
        List<NeuronCore> onTheSameDevices = requirement.avoided().stream()
                .map(NeuronCore::device)
                .distinct()
                .flatMap(device -> device.cores().stream())
                .toList();
        return leases.takeIfFree(
                table, requirement.test(), request.avoiding(onTheSameDevices).within(kept.leasesOf(table)));
    }

    /**
     * Rejects impossible core groups for collectives. A run for one core or device serves such groups from its own cores, without a
     * separate lease that would reject them.
     */
    private void requirePossibleGroups(TestId test, List<CoreSlot> places) {
        places.stream()
                .map(CoreSlot::request)
                .filter(CoreRequest.ForCollectives.class::isInstance)
                .forEach(group -> table.check(new LeaseRequest(test.name(), List.of(group)), Set.of()));
    }

    private TestLease ofHost(TestId test, TestCores kept, LeaseRequest request) {
        Set<NeuronCore> taken = new LinkedHashSet<>(kept.all());
        taken.addAll(session.all());
        BooleanSupplier onlyOnItsCores =
                () -> impossibleBesideTheRuntime(request, taken).isPresent();
        runtime.addWaiting(onlyOnItsCores);
        try {
            Optional<ImpossibleRequestException> beside = impossibleBesideTheRuntime(request, taken);
            if (beside.isPresent()) {
                if (!runtime.releaseFor(request, kept.leases())) {
                    throw beside.get();
                }
                table.check(request, taken);
            }
            return leases.take(table, test, request.within(kept.leasesOf(table)));
        } finally {
            runtime.removeWaiting(onlyOnItsCores);
        }
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

    /** Leases cores for a test from those of the runtime in this JVM, which holds its own lease. */
    private TestLease ofRuntime(TestId test, TestCores kept, LeaseRequest request) {
        table.check(request, Set.of());
        SessionRuntime.Cores claimed = runtime.claim(kept.leasesOf(table));
        try {
            kept.alsoFrom(claimed.lease().lease());
            List<Lease> within = kept.leasesOf(claimed.table());
            claimed.table()
                    .check(
                            request,
                            within.stream()
                                    .flatMap(lease -> lease.cores().stream())
                                    .toList());
            return leases.take(claimed.table(), test, request.within(within), runtime::unclaim);
        } catch (ImpossibleRequestException tooMuch) {
            runtime.unclaim();
            throw runtime.tooFew(tooMuch);
        } catch (RuntimeException failed) {
            runtime.unclaim();
            throw failed;
        }
    }

    private static TestCores served(
            TestCores kept, TestLease lease, CoreRequirement requirement, List<CoreSlot> missing) {
        TestCores cores = kept.with(lease);
        try {
            if (requirement.target().isPresent()) {
                requirement.target().get().serve(missing, lease.lease().cores()).forEach(cores::grant);
            }
            for (int i = 0; requirement.target().isEmpty() && i < missing.size(); i++) {
                cores.grant(missing.get(i), lease.lease().granted().get(i));
            }
            return cores;
        } catch (RuntimeException wrong) {
            cores.close();
            throw wrong;
        }
    }
}
