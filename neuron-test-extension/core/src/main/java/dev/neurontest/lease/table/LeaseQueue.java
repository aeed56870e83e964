package dev.neurontest.lease.table;

import dev.neurontest.configuration.OtherOwnersPolicy;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.ProcessOwner;
import dev.neurontest.lease.Lease;
import dev.neurontest.lease.LeaseDeadlockException;
import dev.neurontest.lease.store.LeaseStore;
import dev.neurontest.lease.store.TableState;
import dev.neurontest.process.ProcessTable;
import dev.neurontest.text.ListText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The requests of this JVM that wait, what each gets, and which wait in vain. It is used only with the table's lock. */
final class LeaseQueue {

    private final LeaseStore store;
    private final HostCores cores;
    private final Outsiders outsiders;
    private final OtherOwnersPolicy otherOwners;
    private final HealthChecks checks;
    private final LeaseNews news;
    private final ProcessTable processes;
    private final Map<Long, Waiter> waiting = new TreeMap<>();
    private boolean inFront;

    LeaseQueue(
            LeaseStore store,
            HostCores cores,
            Outsiders outsiders,
            OtherOwnersPolicy otherOwners,
            HealthChecks checks,
            LeaseNews news,
            ProcessTable processes) {
        this.store = store;
        this.cores = cores;
        this.outsiders = outsiders;
        this.otherOwners = otherOwners;
        this.checks = checks;
        this.news = news;
        this.processes = processes;
    }

    /** Makes a claim on the table a lease. */
    @FunctionalInterface
    interface Granting {
        GrantedLease grant(TableState.Claim claim, Duration waited, List<List<NeuronCore>> cores);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Whether a request of this JVM may be served next. */
    boolean isInFront() {
        return inFront;
    }

    boolean isBehindOutsiders() {
        return waiting.values().stream().anyMatch(waiter -> waiter.behindOutsiders);
    }

    /** Puts a request at the end of the queue. */
    void enter(TableChange change, Waiter waiter) {
        Thread thread = waiter.thread;
        TableState.Ticket ticket = change.state.enqueue(
                store.self().number(),
                waiter.request().holder(),
                waiter.request().description(),
                thread.getName(),
                thread.getId(),
                waiter.request().within().stream().map(Lease::number).toList());
        waiter.ticket = ticket;
        waiting.put(ticket.number(), waiter);
    }

    /** Forgets a request, which still has to be {@linkplain #withdraw withdrawn}; false when it did not wait. */
    boolean leave(Waiter waiter) {
        return waiting.remove(waiter.number()) != null;
    }

    /** Takes a request from the table, unless it could not be written and another JVM has its number. */
    void withdraw(TableChange change, long number) {
        change.state.queue().stream()
                .filter(ticket -> ticket.number() == number && isMine(ticket))
                .findFirst()
                .ifPresent(ticket -> change.state.withdraw(number));
    }

    void failAll(RuntimeException failure) {
        waiting.values().forEach(waiter -> waiter.fail(failure));
    }

    void close() {
        waiting.values()
                .forEach(waiter ->
                        waiter.fail(new IllegalStateException("%s waited for cores when its lease table was closed"
                                .formatted(waiter.request().holder()))));
        waiting.clear();
    }

    Refusal refusal(TableState state) {
        return new Refusal(
                state,
                store.self().number(),
                cores,
                outsiders.among(state),
                checks.troubles(),
                store.place(),
                processes);
    }

    /** First come, first. */
    Collection<Waiter> waiting() {
        return waiting.values();
    }

    private boolean isMine(TableState.Ticket ticket) {
        return ticket.member() == store.self().number();
    }

    /** Hands out cores as long as a request of this JVM is at the front of the queue and can be served. */
    void serve(TableChange change, Granting granting) {
        boolean served;
        do {
            served = false;
            for (TableState.Ticket ticket : change.state.front()) {
                served = served || isMine(ticket) && serve(change, ticket, granting);
            }
        } while (served);
        boolean first = change.state.front().stream().anyMatch(this::isMine);
        change.effects.add(() -> inFront = first);
    }

    private boolean serve(TableChange change, TableState.Ticket ticket, Granting granting) {
        TableState state = change.state;
        Waiter waiter = waiting.get(ticket.number());
        if (waiter == null) {
            state.withdraw(ticket.number());
            return true;
        }
        Map<String, List<ProcessOwner>> outside = outsiders.among(state);
        Set<String> unusable = state.examined();
        unusable.addAll(otherOwners == OtherOwnersPolicy.AVOID ? outside.keySet() : Set.of());
        Optional<List<List<NeuronCore>>> granted = waiter.placement.fit(cores.free(state.taken(), unusable));
        if (granted.isEmpty()) {
            findWhatWouldHelp(change, waiter, outside.keySet());
            return false;
        }
        List<NeuronCore> chosen =
                granted.get().stream().flatMap(List::stream).sorted().toList();
        TableState.Claim claim =
                state.grant(ticket, HostCores.keys(chosen), waiter.request().lasting(), Instant.now());
        change.effects.add(() -> {
            GrantedLease lease = granting.grant(claim, waiter.waited(), granted.get());
            waiting.remove(ticket.number());
            waiter.lease = lease;
            waiter.condition.signal();
            warnOfOutsiders(lease, outside);
        });
        return true;
    }

    private void findWhatWouldHelp(TableChange change, Waiter waiter, Set<String> outside) {
        TableState state = change.state;
        boolean behindOutsiders = !outside.isEmpty()
                && otherOwners == OtherOwnersPolicy.AVOID
                && waiter.placement.fit(cores.free(state.taken(), Set.of())).isPresent();
        Set<String> ill = physical(checks.due(state));
        Set<String> taken = state.taken();
        taken.removeAll(ill);
        boolean wantsHealthCheck = !ill.isEmpty()
                && waiter.placement.fit(cores.free(taken, Set.of())).isPresent();
        change.effects.add(() -> {
            waiter.behindOutsiders = behindOutsiders;
            waiter.wantsHealthCheck = wantsHealthCheck;
            if (wantsHealthCheck) {
                waiter.condition.signal();
            }
        });
    }

    private void warnOfOutsiders(GrantedLease lease, Map<String, List<ProcessOwner>> outside) {
        List<String> met = new ArrayList<>();
        lease.cores().stream()
                .map(core -> core.device().name())
                .distinct()
                .filter(outside::containsKey)
                .forEach(device -> {
                    outside.get(device).forEach(owner -> met.add(owner + " on " + device));
                    news.warn("%s got cores of %s although it is open in %s, which has no lease."
                            .formatted(lease.holder(), device, ListText.of(outside.get(device))));
                });
        lease.meets(met);
    }

    /** Finds those who wait in vain. */
    void findHopeless(TableChange change) {
        if (waiting.isEmpty()) {
            return;
        }
        TableState state = change.state;
        Set<String> ill = physical(checks.hopeless(state));
        boolean canBeChecked = !checks.due(state).isEmpty();
        BitSet well = cores.free(ill, Set.of());
        waiting.values().forEach(waiter -> {
            boolean hopeless = !ill.isEmpty() && waiter.placement.fit(well).isEmpty();
            change.effects.add(() -> {
                waiter.hopeless = hopeless;
                if (hopeless) {
                    waiter.wantsHealthCheck = canBeChecked;
                    waiter.condition.signal();
                }
            });
        });
        findDeadlock(change);
    }

    private static Set<String> physical(List<TableState.Barred> entries) {
        Set<String> physical = new HashSet<>();
        entries.forEach(entry -> TableState.physical(entry.core()).forEach(physical::add));
        return physical;
    }

    /**
     * A request is stuck when its test holds cores and waits for cores of other tests that wait too. Each JVM says which of its own
     * are. When all requests of tests that hold cores are stuck, none will ever be served; the last of them gives up, because
     * the others wait for its cores.
     */
    private void findDeadlock(TableChange change) {
        TableState state = change.state;
        if (state.holders().size() < 2) {
            return;
        }
        BitSet atBest = cores.free(state.heldByWaiters(), Set.of());
        for (TableState.Ticket ticket : state.holders()) {
            Waiter waiter = isMine(ticket) ? waiting.get(ticket.number()) : null;
            if (waiter != null && waiter.placement.fit(atBest).isEmpty()) {
                state.stuck(ticket.number());
            }
        }
        List<TableState.Ticket> holders = state.holders();
        TableState.Ticket last = holders.get(holders.size() - 1);
        Waiter waiter = isMine(last) ? waiting.get(last.number()) : null;
        if (waiter != null && holders.stream().allMatch(TableState.Ticket::stuck)) {
            LeaseDeadlockException deadlock = refusal(state).deadlock(waiter.request(), holders);
            change.effects.add(() -> waiter.fail(deadlock));
        }
    }
}
