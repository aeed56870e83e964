package dev.neurontest.lease;

import static java.util.stream.Collectors.joining;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.ProcessOwner;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Who has which cores of a host. Among those who share a table no core is leased twice, whoever asked first is served first, and nobody
 * overtakes: a request that could be met waits all the same while an earlier one cannot be, or a holder that wants much would
 * wait for ever.
 *
 * <p>What a table is and how it changes is {@link TableState}, where it is kept is a {@link LeaseStore}. Here is the waiting:
 * the threads of this JVM wait to be signalled, and while any of them does, one thread looks after all of them.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LeaseTable implements AutoCloseable {

    /** How often the first in the queue looks again for what rings no bell: the end of a JVM or of another process. */
    private static final Duration HEAD_LOOKS = Duration.ofMillis(50);

    /** How often those behind it make sure that its JVM still runs. */
    private static final Duration OTHERS_LOOK = Duration.ofMillis(300);

    /** How long it is remembered who has the devices open, and how long the looking thread stays without work. */
    private static final Duration A_WHILE = Duration.ofSeconds(1);

    private final NeuronHost host;
    private final LeaseStore store;
    private final ProcessTable processes;
    private final Outsiders outsiders;
    private final OtherOwners otherOwners;
    private final HostCores cores;
    private final LeaseNews news;
    private final HealthChecks checks;
    private final SeenQuarantines quarantines;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, Waiter> waiting = new TreeMap<>();
    private final Map<Long, Lease> held = new LinkedHashMap<>();
    private final List<Consumer<Turn>> unwritten = new ArrayList<>();
    private @Nullable Thread watch;
    private Duration watchPause = Duration.ZERO;
    private long lookedAt = System.nanoTime() - HEAD_LOOKS.toNanos();
    private boolean headIsMine;
    private boolean warnedOfUnwritten;
    private boolean closed;

    /**
     * A table of this JVM alone, on which everything is free. It does not look who else has a device open, and quarantines last.
     *
     * @param host whose cores it gives out
     */
    public LeaseTable(NeuronHost host) {
        this(builder(host).otherOwners(OtherOwners.IGNORE), new ProcessTable());
    }

    private LeaseTable(Builder builder, ProcessTable processes) {
        this.host = builder.host;
        this.processes = processes;
        this.news = new LeaseNews(builder.observer);
        this.store = builder.directory == null
                ? new MemoryStore(processes)
                : new DirectoryStore(builder.directory, processes, news::warn);
        this.otherOwners = builder.otherOwners;
        this.outsiders = new Outsiders(host, otherOwners, processes);
        this.cores = new HostCores(host);
        this.checks = new HealthChecks(builder.healthCheck, cores, store.self().number());
        this.quarantines = new SeenQuarantines(cores, checks, news);
    }

    /**
     * A table with options.
     *
     * @param host whose cores it gives out
     * @return the options, to begin with: the memory of this JVM, avoiding other owners, no health check
     */
    public static Builder builder(NeuronHost host) {
        return new Builder(host);
    }

    /** Options of a table. */
    public static final class Builder {

        private final NeuronHost host;
        private @Nullable Path directory;
        private OtherOwners otherOwners = OtherOwners.AVOID;
        private @Nullable HealthCheck healthCheck;
        private LeaseObserver observer = new LeaseObserver() {};

        private Builder(NeuronHost host) {
            this.host = host;
        }

        /**
         * Where the table is shared with other JVMs and users. Whoever uses the same cores must name the same directory.
         *
         * @param shared on a local file system; it is made when it is not there
         * @return this
         */
        public Builder directory(Path shared) {
            directory = shared;
            return this;
        }

        /**
         * What becomes of cores whose device is open outside the table.
         *
         * @param setting to begin with {@link OtherOwners#AVOID}
         * @return this
         */
        public Builder otherOwners(OtherOwners setting) {
            otherOwners = setting;
            return this;
        }

        /**
         * What ends a quarantine.
         *
         * @param check to begin with nothing does
         * @return this
         */
        public Builder healthCheck(HealthCheck check) {
            healthCheck = check;
            return this;
        }

        /**
         * Who is told what happens besides leases.
         *
         * @param told to begin with nobody
         * @return this
         */
        public Builder observer(LeaseObserver told) {
            observer = told;
            return this;
        }

        /**
         * Makes or joins the table.
         *
         * @return the table, to be closed
         * @throws LeaseTableException when it cannot be used
         */
        public LeaseTable open() {
            LeaseTable table = new LeaseTable(this, new ProcessTable());
            table.news.tell();
            return table;
        }
    }

    /**
     * Waits for cores and takes them.
     *
     * @param request everything that the holder wants, of which it gets all or nothing
     * @param atMost how long to wait; zero takes what is free now
     * @return the cores
     * @throws InterruptedException when interrupted while waiting; then nothing was taken
     * @throws ImpossibleRequestException at once, when the host could not give it even if nobody held anything
     * @throws UnreadableTopologyException at once, when it asks for connected devices and this host does not show them
     * @throws CoresQuarantinedException at once, when cores in quarantine make it impossible
     * @throws LeaseTimeoutException when the time is over
     * @throws LeaseTableException when the table cannot be used
     */
    public Lease lease(LeaseRequest request, Duration atMost) throws InterruptedException {
        Waiter waiter = new Waiter(Placement.of(host, request), lock.newCondition());
        outsiders.look(A_WHILE, this::state);
        boolean taken = false;
        lock.lock();
        try {
            enqueue(waiter);
            while (waiter.lease == null) {
                await(waiter, atMost);
            }
            taken = true;
            return waiter.lease;
        } finally {
            if (!taken) {
                leave(waiter);
            }
            lock.unlock();
            tell();
        }
    }

    private void enqueue(Waiter waiter) {
        change(turn -> {
            Thread thread = waiter.thread;
            TableState.Ticket ticket = turn.state.enqueue(
                    store.self().number(),
                    waiter.request().holder(),
                    waiter.request().description(),
                    thread.getName(),
                    thread.getId(),
                    waiter.request().within().stream().map(Lease::number).toList());
            waiter.ticket = ticket;
            waiting.put(ticket.number(), waiter);
            serve(turn);
            if (turn.state.queue().contains(ticket)) {
                look(turn);
            }
            return ticket;
        });
        if (waiter.lease == null && waiter.behindOutsiders) {
            outside(() -> outsiders.look(Duration.ZERO, this::state));
            change(turn -> turn);
        }
    }

    /** Waits until there is something to do for a waiter. */
    private void await(Waiter waiter, Duration atMost) throws InterruptedException {
        if (waiter.failure != null) {
            throw waiter.failure;
        }
        if (waiter.wantsHealthCheck) {
            waiter.wantsHealthCheck = false;
            outside(() -> examine(takeChecks()));
            if (waiter.lease != null) {
                return;
            }
        }
        if (waiter.hopeless) {
            throw change(turn -> refusal(turn.state).quarantined(waiter.request()));
        }
        long left = TimeUnit.NANOSECONDS.convert(atMost) - waiter.waited().toNanos();
        if (left <= 0) {
            throw change(turn -> refusal(turn.state).timeout(waiter, atMost));
        }
        lookAfterWaiters();
        waiter.turn.awaitNanos(left);
    }

    /** Does something without the lock. */
    private void outside(Runnable what) {
        lock.unlock();
        try {
            what.run();
        } finally {
            lock.lock();
        }
    }

    private TableState state() {
        return store.change(state -> state);
    }

    private Refusal refusal(TableState state) {
        return new Refusal(
                state, store.self().number(), cores, outsiders.among(state), checks.troubles(), store.place());
    }

    /** Whoever goes without its cores may have been the one that the others waited behind. */
    private void leave(Waiter waiter) {
        if (waiter.lease != null) {
            giveBack(waiter.lease);
        } else if (waiting.remove(waiter.number()) != null && !closed) {
            long number = waiter.number();
            write(turn -> withdraw(turn.state, number));
        }
    }

    private void withdraw(TableState state, long number) {
        state.queue().stream()
                .filter(ticket -> ticket.number() == number && isMine(ticket))
                .findFirst()
                .ifPresent(ticket -> state.withdraw(number));
    }

    private boolean isMine(TableState.Ticket ticket) {
        return ticket.member() == store.self().number();
    }

    /**
     * Looks whether a request could be met if nobody held anything.
     *
     * @param request what would be wanted
     * @throws ImpossibleRequestException when this host does not have it
     * @throws UnreadableTopologyException when it asks for connected devices and this host does not show them
     */
    public void check(CoreRequest request) {
        Placement.of(host, new LeaseRequest("a test", List.of(request)));
    }

    /**
     * Looks whether a request could be met if nobody held anything but certain cores.
     *
     * @param request what would be wanted
     * @param taken cores that stay taken while the holder waits, because it holds them itself
     * @throws ImpossibleRequestException when nothing that others give back would do
     * @throws UnreadableTopologyException when it asks for connected devices and this host does not show them
     */
    public void check(LeaseRequest request, Collection<NeuronCore> taken) {
        BitSet left = cores.all();
        taken.forEach(core -> left.clear(core.index()));
        if (Placement.of(host, request).fit(left).isEmpty()) {
            throw new ImpossibleRequestException(
                    "%s wants %s, which cannot be met while its class or its session holds %s."
                            .formatted(
                                    request.holder(),
                                    request.description(),
                                    taken.stream().map(NeuronCore::name).collect(joining(", "))));
        }
    }

    /**
     * What this JVM has leased at this moment.
     *
     * @return the longest held first
     */
    public List<Lease> held() {
        lock.lock();
        try {
            return List.copyOf(held.values());
        } finally {
            lock.unlock();
        }
    }

    /**
     * The cores in quarantine, of everybody who shares the table.
     *
     * @return the longest first
     * @throws LeaseTableException when the table cannot be read
     */
    public List<Quarantine> quarantined() {
        return locked(() -> change(turn -> cores.quarantines(turn.state.barred())));
    }

    /** Gives back what this JVM still holds, and leaves the table to the others. It may be called again. */
    @Override
    public void close() {
        locked(() -> {
            if (!closed) {
                closed = true;
                waiting.values()
                        .forEach(waiter -> waiter.fail(
                                new IllegalStateException("%s waited for cores when its lease table was closed"
                                        .formatted(waiter.request().holder()))));
                waiting.clear();
                held.keySet().forEach(number -> unwritten.add(turn -> turn.state.release(number, processes::life)));
                held.clear();
                write(turn -> turn.state.leave(store.self().number()));
                store.ring(store.self());
                store.close();
            }
            return closed;
        });
    }

    void release(Lease lease) {
        List<TableState.Barred> toCheck = locked(() -> giveBack(lease));
        examine(toCheck);
    }

    /** Gives a lease back; what comes back is to be checked. */
    private List<TableState.Barred> giveBack(Lease lease) {
        List<TableState.Barred> toCheck = new ArrayList<>();
        boolean[] atOnce = {true};
        if (held.remove(lease.number()) != null) {
            lease.ended(List.of());
            write(turn -> {
                TableState state = turn.state;
                Optional<TableState.Claim> claim = state.claim(lease.number());
                if (claim.isPresent()) {
                    List<String> neighbours = cores.neighbours(state, claim.get());
                    state.release(lease.number(), processes::life);
                    // Whoever needs such a core waits for the outcome instead of giving up.
                    List<TableState.Barred> mine = checks.take(
                            turn,
                            entry -> atOnce[0]
                                    && TableState.share(
                                            List.of(entry.core()), claim.get().cores()));
                    turn.effects.add(() -> {
                        lease.ended(neighbours);
                        toCheck.addAll(mine);
                    });
                }
            });
        }
        atOnce[0] = false;
        return toCheck;
    }

    void started(Lease lease, long pid) {
        ProcessIdentity child = processes.identity(pid);
        locked(() -> closed || write(turn -> turn.state.started(lease.number(), child)));
    }

    void ended(Lease lease, long pid) {
        locked(() -> closed || write(turn -> turn.state.ended(lease.number(), pid)));
    }

    void quarantine(Lease lease, Collection<NeuronCore> suspects, boolean ofHardware, String reason) {
        Instant now = Instant.now();
        locked(() -> closed
                || write(turn -> turn.state.claim(lease.number()).ifPresent(claim -> {
                    turn.concernsAll = true;
                    suspects.stream()
                            .sorted()
                            .forEach(core ->
                                    turn.state.bar(HostCores.key(core), reason, claim, ofHardware, now, List.of()));
                })));
    }

    /**
     * Makes sure that cores which somebody holds already are still good to use.
     *
     * @param holder who is about to use them
     * @param held leased cores
     * @throws CoresQuarantinedException when one of them is in quarantine
     */
    public void requireWell(String holder, Collection<NeuronCore> held) {
        locked(() -> change(turn -> refusal(turn.state).ill(holder, held))).ifPresent(ill -> {
            throw ill;
        });
    }

    /** Looks again at the cores in quarantine, because something may have ended that this JVM did on them. */
    public void checkAgain() {
        locked(() -> {
            checks.hurry();
            return closed;
        });
        if (!closed) {
            examine(takeChecks());
        }
    }

    private List<TableState.Barred> takeChecks() {
        return locked(() -> change(turn -> checks.take(turn, entry -> true)));
    }

    private void examine(List<TableState.Barred> taken) {
        for (TableState.Barred entry : taken) {
            Optional<String> trouble = checks.trouble(entry);
            locked(() -> {
                checks.found(entry, trouble);
                return closed || write(turn -> checks.write(turn, entry, trouble));
            });
        }
    }

    List<String> neighbours(Lease lease) {
        try {
            return locked(() -> change(turn -> turn.state
                    .claim(lease.number())
                    .map(claim -> cores.neighbours(turn.state, claim))
                    .orElse(List.of())));
        } catch (LeaseTableException unreadable) {
            return List.of("somebody who cannot be named: " + unreadable.getMessage());
        }
    }

    private <T> T locked(Supplier<T> what) {
        lock.lock();
        try {
            return what.get();
        } finally {
            lock.unlock();
            tell();
        }
    }

    /** Changes the table, together with what could not be written before, and serves whoever can be served then. */
    private <T> T change(Function<Turn, T> step) {
        if (closed) {
            throw new IllegalStateException("the lease table is closed");
        }
        return changeEvenClosed(step);
    }

    private <T> T changeEvenClosed(Function<Turn, T> step) {
        List<Consumer<Turn>> late = List.copyOf(unwritten);
        List<Runnable> effects = new ArrayList<>();
        T result = store.change(state -> {
            Turn turn = new Turn(state);
            late.forEach(each -> each.accept(turn));
            T of = step.apply(turn);
            serve(turn);
            findHopeless(turn);
            quarantines.notice(turn);
            ring(turn);
            boolean first = state.front().stream().anyMatch(this::isMine);
            turn.effects.add(() -> headIsMine = first);
            effects.addAll(turn.effects);
            return of;
        });
        unwritten.subList(0, late.size()).clear();
        warnedOfUnwritten &= !unwritten.isEmpty();
        effects.forEach(Runnable::run);
        return result;
    }

    /** Changes the table at once or, when that fails, together with the next change. */
    private boolean write(Consumer<Turn> step) {
        try {
            changeEvenClosed(turn -> {
                step.accept(turn);
                return turn;
            });
            return true;
        } catch (LeaseTableException failed) {
            unwritten.add(step);
            if (!warnedOfUnwritten) {
                warnedOfUnwritten = true;
                news.warn(
                        "What was given back could not be written down and others do not see it yet; that is tried again. "
                                + failed.getMessage());
            }
            if (!closed) {
                lookAfterWaiters();
            }
            return false;
        }
    }

    /** Hands out as long as somebody of this JVM is at the front of the queue and can be served. */
    private void serve(Turn turn) {
        boolean served;
        do {
            served = false;
            for (TableState.Ticket ticket : turn.state.front()) {
                served = served || isMine(ticket) && serve(turn, ticket);
            }
        } while (served);
    }

    private boolean serve(Turn turn, TableState.Ticket ticket) {
        TableState state = turn.state;
        Waiter waiter = waiting.get(ticket.number());
        if (waiter == null) {
            state.withdraw(ticket.number());
            return true;
        }
        Map<String, List<ProcessOwner>> outside = outsiders.among(state);
        boolean avoid = otherOwners == OtherOwners.AVOID;
        Set<String> unusable = state.examined();
        unusable.addAll(avoid ? outside.keySet() : Set.of());
        BitSet free = cores.free(state.taken(), unusable);
        Optional<List<List<NeuronCore>>> granted = waiter.placement.fit(free);
        if (granted.isEmpty()) {
            whatWouldHelp(turn, waiter, outside.keySet());
            return false;
        }
        List<NeuronCore> chosen =
                granted.get().stream().flatMap(List::stream).sorted().toList();
        TableState.Claim claim = state.grant(ticket, HostCores.keys(chosen), Instant.now());
        turn.effects.add(() -> {
            Lease lease = new Lease(this, claim, waiter.waited(), granted.get());
            waiting.remove(ticket.number());
            held.put(claim.number(), lease);
            waiter.lease = lease;
            waiter.turn.signal();
            warnOfOutsiders(lease, outside);
        });
        return true;
    }

    private void whatWouldHelp(Turn turn, Waiter waiter, Set<String> outside) {
        TableState state = turn.state;
        boolean behindOutsiders = !outside.isEmpty()
                && otherOwners == OtherOwners.AVOID
                && waiter.placement.fit(cores.free(state.taken(), Set.of())).isPresent();
        Set<String> ill = new HashSet<>();
        checks.due(state).forEach(entry -> TableState.physical(entry.core()).forEach(ill::add));
        Set<String> taken = state.taken();
        taken.removeAll(ill);
        boolean wantsHealthCheck = !ill.isEmpty()
                && waiter.placement.fit(cores.free(taken, Set.of())).isPresent();
        turn.effects.add(() -> {
            waiter.behindOutsiders = behindOutsiders;
            waiter.wantsHealthCheck = wantsHealthCheck;
            if (wantsHealthCheck) {
                waiter.turn.signal();
            }
        });
    }

    private void warnOfOutsiders(Lease lease, Map<String, List<ProcessOwner>> outside) {
        lease.cores().stream()
                .map(core -> core.device().name())
                .distinct()
                .filter(outside::containsKey)
                .forEach(device -> news.warn("%s got cores of %s although it is open in %s, which has no lease."
                        .formatted(
                                lease.holder(),
                                device,
                                outside.get(device).stream()
                                        .map(ProcessOwner::toString)
                                        .collect(joining(", ")))));
    }

    /** Finds the waiters of this JVM who wait in vain. */
    private void findHopeless(Turn turn) {
        if (waiting.isEmpty()) {
            return;
        }
        Set<String> ill = new HashSet<>();
        turn.state.barred().stream()
                .filter(turn.state::lasting)
                .forEach(entry -> TableState.physical(entry.core()).forEach(ill::add));
        boolean canBeChecked = !checks.due(turn.state).isEmpty();
        BitSet well = cores.free(ill, Set.of());
        waiting.values().forEach(waiter -> {
            boolean hopeless = !ill.isEmpty() && waiter.placement.fit(well).isEmpty();
            turn.effects.add(() -> {
                waiter.hopeless = hopeless;
                if (hopeless) {
                    waiter.wantsHealthCheck = canBeChecked;
                    waiter.turn.signal();
                }
            });
        });
        findDeadlock(turn);
    }

    /**
     * When nobody who holds cores and waits for more can be served even if everybody else gave back what they have, the last of
     * them gives up: its cores are what the others wait for.
     */
    private void findDeadlock(Turn turn) {
        TableState state = turn.state;
        List<TableState.Ticket> holders = state.front().stream()
                .filter(ticket -> !ticket.within().isEmpty())
                .toList();
        if (holders.size() < 2 || !isMine(holders.get(holders.size() - 1))) {
            return;
        }
        Waiter last = waiting.get(holders.get(holders.size() - 1).number());
        BitSet atBest = cores.free(state.heldByWaiters(), Set.of());
        if (last != null && !last.hopeless && last.placement.fit(atBest).isEmpty()) {
            LeaseDeadlockException deadlock = refusal(state).deadlock(last.request(), holders);
            turn.effects.add(() -> last.fail(deadlock));
        }
    }

    /** Wakes the JVM that is to be served next, or everybody when everybody has to think again. */
    private void ring(Turn turn) {
        TableState state = turn.state;
        Set<Long> waitingMembers = new HashSet<>();
        if (turn.concernsAll) {
            state.queue().forEach(ticket -> waitingMembers.add(ticket.member()));
        } else if (state.roomMade()) {
            state.head().ifPresent(ticket -> waitingMembers.add(ticket.member()));
        }
        waitingMembers.remove(store.self().number());
        waitingMembers.forEach(number ->
                state.member(number).ifPresent(member -> turn.effects.add(() -> news.add(() -> store.ring(member)))));
    }

    /** Looks for what rings no bell. */
    private void look(Turn turn) {
        if (System.nanoTime() - lookedAt < HEAD_LOOKS.toNanos() / 2) {
            return;
        }
        TableState state = turn.state;
        boolean first = state.head().filter(this::isMine).isPresent();
        boolean firstLives = state.head()
                .flatMap(ticket -> state.member(ticket.member()))
                .filter(this::lives)
                .isPresent();
        if (first || !firstLives) {
            lookedAt = System.nanoTime();
            for (TableState.Death death : state.bury(this::lives, processes::life)) {
                DeadHolder dead = cores.dead(death);
                turn.effects.add(() -> news.report(told -> told.holderDied(dead)));
                turn.concernsAll |= !dead.survivors().isEmpty();
            }
            for (TableState.Barred over : state.endQuarantines(processes::life)) {
                turn.cleared.put(over.number(), "its processes have ended");
            }
        }
    }

    private boolean lives(TableState.Member member) {
        return member.number() == store.self().number() || store.alive(member);
    }

    /** Makes sure that somebody looks after those who wait, and after what could not be written. */
    private void lookAfterWaiters() {
        if (watch == null) {
            watchPause = HEAD_LOOKS;
            watch = new Thread(this::watch, "neuron-lease-watch");
            watch.setDaemon(true);
            watch.start();
        } else if (watchPause.compareTo(HEAD_LOOKS) > 0) {
            store.ring(store.self());
        }
    }

    private void watch() {
        while (pause()) {
            boolean behindOutsiders = behindOutsiders();
            try {
                outsiders.look(behindOutsiders ? HEAD_LOOKS : A_WHILE, this::state);
                locked(() -> closed
                        || change(turn -> {
                            look(turn);
                            serve(turn);
                            return true;
                        }));
            } catch (RuntimeException failed) {
                locked(() -> {
                    waiting.values().forEach(waiter -> waiter.fail(failed));
                    return closed;
                });
            }
        }
    }

    private boolean behindOutsiders() {
        lock.lock();
        try {
            return waiting.values().stream().anyMatch(waiter -> waiter.behindOutsiders);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until it is time to look again; false when there is nothing to look after any more. */
    private boolean pause() {
        Duration pause;
        lock.lock();
        try {
            boolean idle = waiting.isEmpty() && unwritten.isEmpty();
            if (closed || idle && watchPause.equals(A_WHILE)) {
                watch = null;
                return false;
            }
            pause = idle ? A_WHILE : headIsMine ? HEAD_LOOKS : OTHERS_LOOK;
            watchPause = pause;
        } finally {
            lock.unlock();
        }
        try {
            store.awaitBell(pause);
        } catch (InterruptedException nobodyDoesThat) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    /** Tells the observer, and rings the others, what happened under the lock. */
    private void tell() {
        if (!lock.isHeldByCurrentThread()) {
            news.tell();
        }
    }
}
