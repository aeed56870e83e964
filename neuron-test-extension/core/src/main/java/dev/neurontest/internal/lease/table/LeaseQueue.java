package dev.neurontest.internal.lease.table;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.ProcessOwner;
import dev.neurontest.internal.configuration.OtherOwnersPolicy;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseStore;
import dev.neurontest.internal.lease.store.TicketSlots;
import dev.neurontest.internal.lease.store.TicketSlots.Head;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.internal.text.ListText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The waiting requests of this JVM: it grants leases and detects requests that can never be served. Callers must hold the lock of
 * this JVM.
 */
final class LeaseQueue {

    private final LeaseStore store;
    private final TicketSlots tickets;
    private final HostCores cores;
    private final UnleasedProcesses outsiders;
    private final OtherOwnersPolicy otherOwners;
    private final HealthChecks checks;
    private final LeaseNews news;
    private final ProcessTable processes;
    private final LeaseTable table;
    private final Map<Integer, Waiter> waiting = new LinkedHashMap<>();
    private boolean inFront;
    private volatile boolean roomMade;
    private List<Head> heads = List.of();
    private @Nullable LeaseState current;

    LeaseQueue(
            LeaseStore store,
            HostCores cores,
            UnleasedProcesses outsiders,
            OtherOwnersPolicy otherOwners,
            HealthChecks checks,
            LeaseNews news,
            ProcessTable processes,
            LeaseTable table) {
        this.store = store;
        this.tickets = store.tickets();
        this.cores = cores;
        this.outsiders = outsiders;
        this.otherOwners = otherOwners;
        this.checks = checks;
        this.news = news;
        this.processes = processes;
        this.table = table;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Checks whether a request of this JVM might be served next. */
    boolean isInFront() {
        return inFront;
    }

    boolean isBehindOutsiders() {
        for (Waiter waiter : waiting.values()) {
            if (waiter.behindOutsiders) {
                return true;
            }
        }
        return false;
    }

    /** Serves a request at once if no request waits. Otherwise appends it to the queue. */
    void enter(Waiter waiter) {
        List<Head> before = tickets.heads();
        if (!before.isEmpty() || !grant(waiter)) {
            store.cores().requireInPlace();
            Thread thread = waiter.thread;
            LeaseState.Ticket ticket = new LeaseState.Ticket(
                    null,
                    store.self(),
                    store.process(),
                    waiter.request().holder(),
                    waiter.request().description(),
                    thread.getName(),
                    thread.getId(),
                    within(waiter));
            Head head = tickets.enter(ticket, keeps(waiter), before);
            waiter.head = head;
            waiting.put(head.slot(), waiter);
        }
    }

    private static List<Long> within(Waiter waiter) {
        List<Long> numbers = new ArrayList<>();
        for (Lease lease : waiter.request().within()) {
            numbers.add(lease.number());
        }
        return List.copyOf(numbers);
    }

    private boolean keeps(Waiter waiter) {
        return !waiter.request().within().isEmpty() || table.keepsSession();
    }

    /** Removes a request from the queue. */
    void leave(Waiter waiter) {
        if (forget(waiter)) {
            tickets.leave(waiter.head);
            makeRoom();
        }
    }

    /** Removes a request, but not its slot in the table. Returns whether it was in the queue. */
    boolean forget(Waiter waiter) {
        return waiter.head != null && waiting.remove(waiter.head.slot()) != null;
    }

    void failAll(RuntimeException failure) {
        waiting.values().forEach(waiter -> waiter.fail(failure));
    }

    /**
     * Ends all waits.
     *
     * @param isCut true if the file of the table was truncated and its slots cannot be released
     */
    void close(boolean isCut) {
        for (Waiter waiter : List.copyOf(waiting.values())) {
            waiter.fail(new IllegalStateException("%s waited for cores when its lease table was closed"
                    .formatted(waiter.request().holder())));
            if (!isCut) {
                leave(waiter);
            }
        }
        waiting.clear();
    }

    Refusal refusal() {
        LeaseState state = store.stateWithQueue();
        return new Refusal(
                state, store, cores, outsiders.among(state), checks.lasting(state), checks.troubles(), processes);
    }

    /** Returns the waiting requests in their order. */
    Collection<Waiter> waiting() {
        return waiting.values();
    }

    boolean isMine(Head head) {
        Waiter waiter = waiting.get(head.slot());
        return waiter != null && waiter.head != null && waiter.head.number() == head.number();
    }

    /** Updates the requests to show that this JVM runs. Returns whether this JVM was passed over. */
    boolean beat() {
        boolean[] passedOver = {false};
        tickets.heads().stream().filter(this::isMine).filter(Head::passedOver).forEach(head -> {
            passedOver[0] = true;
            tickets.pass(head, false);
        });
        waiting.values().forEach(waiter -> write(waiter, waiter.head.stuck()));
        return passedOver[0];
    }

    private void write(Waiter waiter, long stuck) {
        Head last = waiter.head;
        waiter.head =
                new Head(last.slot(), last.number(), last.within(), keeps(waiter), stuck, last.beats() + 1, false);
        tickets.write(waiter.head);
    }

    /**
     * Returns the requests that may be served now, in order. These are the requests of tests that hold cores, because others wait
     * for these cores. If there are none, it is only the first request. Requests of JVMs that do not answer are passed over.
     */
    private List<Head> front() {
        while (true) {
            heads = tickets.heads();
            List<Head> front = front(heads);
            boolean removed = false;
            for (Head head : heads) {
                if ((head.passedOver() || front.contains(head)) && !isMine(head)) {
                    removed |= tickets.removeDead(head);
                }
            }
            if (!removed) {
                return front;
            }
            makeRoom();
        }
    }

    private static List<Head> front(List<Head> heads) {
        List<Head> answering = new ArrayList<>();
        List<Head> holders = new ArrayList<>();
        for (Head head : heads) {
            if (!head.passedOver()) {
                answering.add(head);
                if (head.within()) {
                    holders.add(head);
                }
            }
        }
        return holders.isEmpty() && !answering.isEmpty() ? List.of(answering.get(0)) : holders;
    }

    /**
     * Grants leases while a request of this JVM is at the front of the queue and can be served. Then wakes the next JVM.
     *
     * @return the state of the table after the last grant
     */
    LeaseState serve() {
        current = null;
        List<Head> front = front();
        boolean served = !waiting.isEmpty();
        while (served) {
            served = serveFirst(front);
            front = served ? front() : front;
        }
        inFront = false;
        for (Head head : front) {
            inFront |= isMine(head);
        }
        if (roomMade) {
            roomMade = false;
            ring(front);
        }
        return current == null ? store.state() : current;
    }

    /** Serves the first request of this JVM that can be served. Returns whether there is one. */
    private boolean serveFirst(List<Head> front) {
        for (Head head : front) {
            if (isMine(head) && serve(waiting.get(head.slot()))) {
                return true;
            }
        }
        return false;
    }

    /** Marks that a waiting request might be served now. */
    void makeRoom() {
        roomMade = true;
    }

    private boolean serve(Waiter waiter) {
        try {
            if (!grant(waiter)) {
                return false;
            }
        } catch (LeaseTableException failed) {
            waiter.fail(failed);
        }
        leave(waiter);
        return true;
    }

    /** Wakes all waiting JVMs. */
    void ringAll() {
        ring(tickets.heads());
    }

    private void ring(List<Head> heads) {
        Set<String> jvms = new HashSet<>();
        for (Head head : heads) {
            if (!isMine(head)) {
                tickets.ticket(head).ifPresent(ticket -> jvms.add(ticket.jvm()));
            }
        }
        for (String jvm : jvms) {
            news.add(() -> store.ring(jvm));
        }
    }

    private boolean grant(Waiter waiter) {
        LeaseState state = store.state();
        Map<String, List<ProcessOwner>> outside = outsiders.among(state);
        Set<String> unusable = otherOwners == OtherOwnersPolicy.AVOID ? outside.keySet() : Set.of();
        Set<String> taken = new HashSet<>(state.taken());
        while (true) {
            Optional<List<List<NeuronCore>>> granted = waiter.placement.fit(cores.free(taken, unusable));
            if (granted.isEmpty()) {
                examineObstacles(state, waiter, outside.keySet());
                current = state;
                return false;
            }
            LeaseState.Claim claim = claim(waiter, granted.get());
            Optional<String> busy = store.cores().take(claim);
            if (busy.isEmpty()) {
                GrantedLease lease = table.hold(claim, waiter.waited(), granted.get());
                current = null;
                waiter.lease = lease;
                waiter.condition.signal();
                warnOfOutsiders(lease, outside);
                return true;
            }
            taken.add(busy.get());
        }
    }

    private LeaseState.Claim claim(Waiter waiter, List<List<NeuronCore>> granted) {
        List<NeuronCore> chosen = new ArrayList<>();
        for (List<NeuronCore> each : granted) {
            chosen.addAll(each);
        }
        chosen.sort(null);
        long moment = LeaseState.moment();
        return new LeaseState.Claim(
                moment,
                store.self(),
                store.process(),
                waiter.request().holder(),
                waiter.thread.getName(),
                waiter.thread.getId(),
                moment,
                Instant.now(),
                HostCores.keys(chosen),
                within(waiter),
                waiter.request().lasting(),
                List.of());
    }

    private void examineObstacles(LeaseState state, Waiter waiter, Set<String> outside) {
        waiter.behindOutsiders = !outside.isEmpty()
                && otherOwners == OtherOwnersPolicy.AVOID
                && waiter.placement.fit(cores.free(state.taken(), Set.of())).isPresent();
        Set<String> ill = physical(checks.due(state));
        Set<String> taken = new HashSet<>(state.taken());
        taken.removeAll(ill);
        waiter.needsHealthCheck = !ill.isEmpty()
                && waiter.placement.fit(cores.free(taken, Set.of())).isPresent();
        if (waiter.needsHealthCheck) {
            waiter.condition.signal();
        }
    }

    private void warnOfOutsiders(GrantedLease lease, Map<String, List<ProcessOwner>> outside) {
        Set<String> devices = new LinkedHashSet<>();
        for (NeuronCore core : lease.cores()) {
            devices.add(core.device().name());
        }
        devices.retainAll(outside.keySet());
        List<String> met = new ArrayList<>();
        for (String device : devices) {
            outside.get(device).forEach(owner -> met.add(owner + " on " + device));
            news.warn("%s got cores of %s although it is open in %s, which has no lease."
                    .formatted(lease.holder(), device, ListText.of(outside.get(device))));
        }
        lease.meets(met);
    }

    /** Finds requests that can never be served. */
    void findHopeless(LeaseState state) {
        if (waiting.isEmpty()) {
            return;
        }
        Set<String> ill = physical(checks.hopeless(state));
        if (!ill.isEmpty()) {
            boolean canBeChecked = !checks.due(state).isEmpty();
            BitSet well = cores.free(ill, Set.of());
            waiting.values().forEach(waiter -> {
                waiter.hopeless = waiter.placement.fit(well).isEmpty();
                if (waiter.hopeless) {
                    waiter.needsHealthCheck = canBeChecked;
                    waiter.condition.signal();
                }
            });
        }
        if (heads.stream().filter(Head::keeps).count() > 1) {
            findDeadlock(store.stateWithQueue());
        }
    }

    private static Set<String> physical(List<LeaseState.QuarantineEntry> entries) {
        Set<String> physical = new HashSet<>();
        entries.forEach(entry -> LeaseState.physical(entry.core()).forEach(physical::add));
        return physical;
    }

    /**
     * Finds a deadlock. A request is stuck if its test holds cores and waits for cores of other waiting tests. Each JVM marks its
     * own stuck requests. If all requests of tests with cores are stuck in the same situation, none can be served. The last of
     * them fails, because the others wait for its cores.
     */
    private void findDeadlock(LeaseState state) {
        List<LeaseState.Ticket> holders = state.holders();
        if (holders.size() < 2) {
            return;
        }
        long situation = state.situation();
        BitSet atBest = cores.free(state.heldByWaiters(), Set.of());
        boolean all = true;
        for (LeaseState.Ticket ticket : holders) {
            Waiter waiter = isMine(ticket.head()) ? waiting.get(ticket.head().slot()) : null;
            if (waiter != null) {
                long stuck = waiter.placement.fit(atBest).isEmpty() ? situation : 0;
                if (waiter.head.stuck() != stuck) {
                    write(waiter, stuck);
                }
                all &= stuck != 0;
            } else {
                all &= ticket.head().stuck() == situation;
            }
        }
        Head last = holders.get(holders.size() - 1).head();
        if (all && isMine(last)) {
            Waiter waiter = waiting.get(last.slot());
            waiter.fail(refusal().deadlock(waiter.request(), holders));
        }
    }
}
