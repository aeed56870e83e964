package dev.neurontest.internal.lease.table;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.ProcessOwner;
import dev.neurontest.internal.configuration.OtherOwnersPolicy;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.DeviceReading;
import dev.neurontest.internal.lease.HealthCheck;
import dev.neurontest.internal.lease.ImpossibleRequestException;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseObserver;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.lease.Leases;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.store.CoreSlots;
import dev.neurontest.internal.lease.store.LeasePrograms;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseStore;
import dev.neurontest.internal.lease.store.Mounts;
import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.internal.process.ProgramLock;
import dev.neurontest.internal.text.ListText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The table of leases, which assigns the cores of a host to tests. The table leases no core twice. It serves requests in the
 * order of their arrival: a request waits while an earlier one cannot be met. Otherwise a test that needs many cores might wait
 * forever. There are two exceptions. A test that already holds cores is served before tests without cores, because these might
 * wait for its cores. A JVM that does not answer is passed over until it answers.
 *
 * <p>The data of the table is in a {@link LeaseStore}, where a lease is the number of a JVM in the slot of a core. The waiting
 * requests of this JVM are in the {@link LeaseQueue} until they are signalled. While there are any, a {@link LeaseWatch} polls
 * for all of them.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LeaseTable implements Leases {

    private final NeuronHost host;
    private final LeaseStore store;
    private final Supplier<LeaseState> states;
    private final LeasePrograms programs;
    private final UnleasedProcesses outsiders;
    private final HostCores cores;
    private final HealthChecks checks;
    private final CoreEdits edits;
    private final SeenQuarantines seenQuarantines;
    private final Quarantines quarantines;
    private final LeaseQueue queue;
    private final EndedLeases endedLeases;
    private final StalledJvms passingOver;
    private final LongWaits longWaits;
    private final LeaseWatch watch;
    private final LeaseNews news;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, GrantedLease> held = new LinkedHashMap<>();
    private boolean closed;

    private LeaseTable(Builder builder, ProcessTable processes) {
        this.news = new LeaseNews(builder.observer == null ? new LeaseObserver() {} : builder.observer);
        this.host = builder.host;
        this.store = builder.directory == null
                ? LeaseStore.inMemory(processes)
                : LeaseStore.in(builder.directory, builder.mounts, processes, news::warn);
        this.states = store::state;
        this.programs = store.programs();
        this.outsiders = new UnleasedProcesses(host, builder.otherOwners, processes, store::members);
        this.cores = new HostCores(host, builder.part == null ? host.cores() : builder.part);
        this.checks = new HealthChecks(builder.healthCheck, cores, store);
        this.seenQuarantines = new SeenQuarantines(cores, checks, news);
        this.queue = new LeaseQueue(store, cores, outsiders, builder.otherOwners, checks, news, processes, this);
        this.edits = new CoreEdits(store, queue::makeRoom, this::pollSoon);
        this.quarantines = new Quarantines(this, store, programs, cores, checks, seenQuarantines, edits);
        this.endedLeases = new EndedLeases(store, programs, cores, seenQuarantines, news, edits, LeaseWatch.HEAD_POLL);
        this.passingOver = new StalledJvms(queue, store.tickets(), news);
        this.longWaits = new LongWaits(builder.waitsReportedAfter, news);
        this.watch = new LeaseWatch(store, this);
        news.notifyObservers();
    }

    /**
     * Creates a builder of a table.
     *
     * @param host the host of the cores
     * @return the options with their defaults: in memory, avoiding cores used by other processes, no health check
     */
    public static Builder builder(NeuronHost host) {
        return new Builder(host);
    }

    /** Builder of a table. */
    public static final class Builder {

        private final NeuronHost host;
        private @Nullable Path directory;
        private @Nullable Mounts mounts;
        private OtherOwnersPolicy otherOwners = OtherOwnersPolicy.AVOID;
        private @Nullable Collection<NeuronCore> part;
        private @Nullable HealthCheck healthCheck;
        private @Nullable LeaseObserver observer;
        private Duration waitsReportedAfter = LongWaits.AFTER;

        private Builder(NeuronHost host) {
            this.host = host;
        }

        /**
         * Sets the directory of a table shared with other JVMs and users. All JVMs that use the same cores must use the same
         * directory.
         *
         * @param shared a directory on a local file system, created if it does not exist
         */
        public Builder directory(Path shared) {
            directory = shared;
            return this;
        }

        /**
         * Requires that all JVMs of this machine can share the directory, because the cores are real hardware. A directory on a
         * network file system is rejected, and one inside a container causes a notice.
         */
        public Builder onHardware() {
            mounts = new Mounts();
            return this;
        }

        /**
         * Sets the policy for cores on devices that a process without a lease has open.
         *
         * @param setting the policy, by default {@link OtherOwnersPolicy#AVOID}
         */
        public Builder otherOwners(OtherOwnersPolicy setting) {
            otherOwners = setting;
            return this;
        }

        /**
         * Limits the table to cores that the caller already holds and shares this way.
         *
         * @param held cores of the host, by default all
         */
        public Builder only(Collection<NeuronCore> held) {
            part = List.copyOf(held);
            return this;
        }

        /**
         * Sets the health check that ends quarantines.
         *
         * @param check the health check, by default none
         */
        public Builder healthCheck(HealthCheck check) {
            healthCheck = check;
            return this;
        }

        /**
         * Sets the observer of events other than leases.
         *
         * @param receiver the observer, by default none
         */
        public Builder observer(LeaseObserver receiver) {
            observer = receiver;
            return this;
        }

        /** Sets the wait after which the observer is notified. */
        Builder waitsReportedAfter(Duration after) {
            waitsReportedAfter = after;
            return this;
        }

        /**
         * Creates or joins the table. The observer is notified at once about leases of ended JVMs and about cores in quarantine.
         *
         * @return the table, to be closed
         * @throws LeaseTableException if the table cannot be used
         */
        public LeaseTable open() {
            LeaseTable table = new LeaseTable(this, new ProcessTable());
            try {
                table.join();
            } catch (RuntimeException failed) {
                table.close();
                throw failed;
            }
            return table;
        }
    }

    /** Polls once. Otherwise a dead JVM and its quarantines might stay undetected while no test waits for its cores. */
    private void join() {
        store.prepare(HostCores.keys(host.cores()));
        endedLeases.poll();
        update();
        quarantines.examine(entry -> checks.heals() || entry.until() != Quarantine.Until.RESET, List.of());
    }

    @Override
    public Lease lease(LeaseRequest request, Duration atMost) throws InterruptedException {
        Waiter waiter = new Waiter(CorePlacement.of(host, request), lock.newCondition());
        requireUsable();
        outsiders.scan(UnleasedProcesses.REMEMBERED, states);
        lock.lock();
        try {
            requireOpen();
            return await(waiter, atMost);
        } catch (InternalError cut) {
            throw store.cut(cut);
        } finally {
            unlock();
        }
    }

    private void requireUsable() {
        lock.lock();
        try {
            requireOpen();
            store.requireWhole();
        } catch (InternalError cut) {
            throw store.cut(cut);
        } finally {
            unlock();
        }
    }

    private Lease await(Waiter waiter, Duration atMost) throws InterruptedException {
        boolean taken = false;
        try {
            queue.enter(waiter);
            if (waiter.lease == null) {
                passingOver.reportHeads();
                update();
                pollAtOnce(waiter);
            }
            while (waiter.lease == null) {
                awaitTurn(waiter, atMost);
            }
            taken = true;
            longWaits.served(waiter);
            return waiter.lease;
        } finally {
            if (!taken) {
                leave(waiter);
            }
        }
    }

    /** Polls for leases of ended JVMs before a request waits for their cores. */
    private void pollAtOnce(Waiter waiter) {
        boolean behindOutsiders = waiter.behindOutsiders;
        if (waiter.lease == null && (behindOutsiders || endedLeases.isDue())) {
            outside(() -> {
                endedLeases.pollWhenDue();
                if (behindOutsiders) {
                    outsiders.scan(Duration.ZERO, states);
                }
            });
            requireOpen();
            update();
        }
    }

    /** Checks whether this JVM has a lease that it keeps for all its requests. */
    boolean keepsSession() {
        for (GrantedLease lease : held.values()) {
            if (lease.claim().lasting()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the quarantines that this JVM may check now. */
    List<LeaseState.QuarantineEntry> due() {
        lock.lock();
        try {
            return closed ? List.of() : checks.due(store.state());
        } catch (InternalError cut) {
            throw store.cut(cut);
        } finally {
            unlock();
        }
    }

    /** Creates the lease of a claim and stores it. */
    GrantedLease hold(LeaseState.Claim claim, Duration waited, List<List<NeuronCore>> granted) {
        GrantedLease lease = new GrantedLease(this, claim, waited, granted);
        held.put(lease.number(), lease);
        return lease;
    }

    /** Waits until a waiter needs to act. */
    private void awaitTurn(Waiter waiter, Duration atMost) throws InterruptedException {
        if (waiter.failure != null) {
            throw waiter.failure;
        }
        if (waiter.needsHealthCheck) {
            waiter.needsHealthCheck = false;
            // A health check can take long. The thread of the watch shows in this time that this JVM runs.
            watch.begin();
            outside(() -> quarantines.examine(entry -> true, List.of()));
            if (waiter.lease != null) {
                return;
            }
        }
        if (waiter.hopeless) {
            throw queue.refusal().quarantined(waiter);
        }
        long remainingNanos =
                TimeUnit.NANOSECONDS.convert(atMost) - waiter.waited().toNanos();
        if (remainingNanos <= 0) {
            throw queue.refusal().timeout(waiter, atMost);
        }
        watch.begin();
        waiter.condition.awaitNanos(remainingNanos);
    }

    /** Removes a waiter. A request that leaves the queue without cores might have blocked others. */
    private void leave(Waiter waiter) {
        if (waiter.lease != null) {
            store.cores().unlock(giveBack(waiter.lease));
        } else if (store.isCut()) {
            queue.forget(waiter);
        } else if (!closed) {
            queue.leave(waiter);
            update();
        }
    }

    /** Executes an action with the lock of this JVM, and sends the notifications without it. */
    <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } catch (InternalError cut) {
            throw store.cut(cut);
        } finally {
            unlock();
        }
    }

    private void locked(Runnable action) {
        locked(() -> {
            action.run();
            return closed;
        });
    }

    private void unlock() {
        lock.unlock();
        if (!lock.isHeldByCurrentThread()) {
            news.notifyObservers();
        }
    }

    /** Executes an action without the lock, which the thread must hold exactly once. */
    private void outside(Runnable action) {
        lock.unlock();
        try {
            news.notifyObservers();
            action.run();
        } finally {
            lock.lock();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the lease table is closed");
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Checks whether no request waits and no change is pending. */
    boolean isIdle() {
        return queue.isEmpty() && edits.isDone();
    }

    private void pollSoon() {
        watch.begin();
    }

    boolean isInFront() {
        return queue.isInFront();
    }

    /** Serves the waiting requests, and wakes the JVMs that might be served next. */
    void update() {
        lock.lock();
        try {
            if (!closed) {
                edits.repeat();
                follow(queue.serve());
            }
        } catch (InternalError cut) {
            throw store.cut(cut);
        } finally {
            unlock();
        }
    }

    private void follow(LeaseState state) {
        queue.findHopeless(state);
        if (seenQuarantines.notice(state)) {
            queue.ringAll();
        }
    }

    /** Serves and checks the waiting requests. Called by the thread of the watch. */
    void poll() {
        if (locked(() -> closed)) {
            return;
        }
        store.requireWhole();
        update();
        endedLeases.pollWhenDue();
        outsiders.scan(locked(queue::isBehindOutsiders) ? LeaseWatch.HEAD_POLL : UnleasedProcesses.REMEMBERED, states);
        locked(() -> {
            if (!closed) {
                long now = System.nanoTime();
                passingOver.poll(now);
                update();
                longWaits.reportWaits(queue, now);
            }
        });
    }

    /** Fails all waits, because the table cannot be used. */
    void fail(RuntimeException failed) {
        locked(() -> queue.failAll(failed));
    }

    @Override
    public void check(CoreRequest request) {
        CorePlacement.of(host, new LeaseRequest("a test", List.of(request)));
    }

    @Override
    public void check(LeaseRequest request, Collection<NeuronCore> taken) {
        BitSet remaining = cores.all();
        taken.forEach(core -> remaining.clear(core.index()));
        if (CorePlacement.of(host, request).fit(remaining).isEmpty()) {
            if (taken.isEmpty()) {
                throw new ImpossibleRequestException("%s requests %s, but here there %s only %s."
                        .formatted(
                                request.holder(),
                                request.description(),
                                cores.count() == 1 ? "is" : "are",
                                ListText.of(cores.given(), NeuronCore::name)));
            }
            throw new ImpossibleRequestException(
                    "%s requests %s, which cannot be met while its class or its session holds %s."
                            .formatted(request.holder(), request.description(), ListText.of(taken, NeuronCore::name)));
        }
    }

    /**
     * Returns the current leases of this JVM.
     *
     * @return the leases, the oldest first
     */
    public List<Lease> held() {
        return locked(() -> List.copyOf(held.values()));
    }

    /**
     * Returns the cores in quarantine, of all JVMs that share the table.
     *
     * @return the quarantines, the oldest first
     * @throws LeaseTableException if the table cannot be read
     */
    public List<Quarantine> quarantined() {
        return locked(() -> {
            requireOpen();
            LeaseState state = store.state();
            seenQuarantines.notice(state);
            return cores.quarantines(state.barred());
        });
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                boolean isCut = store.isCut();
                queue.close(isCut);
                if (!isCut) {
                    LeaseState state = store.state();
                    for (GrantedLease lease : held.values()) {
                        store.cores().unlock(end(lease, state));
                    }
                    queue.serve();
                }
                held.clear();
                closed = true;
                store.wake();
                store.close();
            }
        } catch (InternalError cut) {
            throw store.cut(cut);
        } finally {
            unlock();
        }
    }

    void release(GrantedLease lease) {
        try {
            List<Integer> kept = lockAndGiveBack(lease);
            if (!kept.isEmpty()) {
                quarantines.examine(
                        entry -> LeaseState.share(List.of(entry.core()), HostCores.keys(lease.cores())), kept);
            }
        } catch (LeaseTableException unusable) {
            news.warn(unusable.getMessage());
            news.notifyObservers();
        }
    }

    private List<Integer> lockAndGiveBack(GrantedLease lease) {
        lock.lock();
        try {
            return giveBack(lease);
        } catch (InternalError cut) {
            throw store.cut(cut);
        } finally {
            unlock();
        }
    }

    /** Releases a lease. The returned slots stay locked for the health check of their quarantines. */
    private List<Integer> giveBack(GrantedLease lease) {
        if (held.remove(lease.number()) == null) {
            return List.of();
        }
        store.requireWhole();
        LeaseState state = store.state();
        lease.ended(neighbours(state, lease, 0));
        List<Integer> kept = end(lease, state);
        queue.makeRoom();
        if (queue.isEmpty() && state.barred().isEmpty() && kept.isEmpty()) {
            queue.serve();
            follow(state);
        } else {
            update();
        }
        return kept;
    }

    /** Ends a lease. Its program lock is closed unless a quarantine needs it. */
    private List<Integer> end(GrantedLease lease, LeaseState state) {
        LeaseState.Claim claim = lease.claim();
        LeasePrograms.Remaining remaining = programs.byNumber(claim.processes());
        List<LeaseState.QuarantineEntry> outlived = remaining.isNothing()
                ? List.of()
                : claim.outlivedBy(remaining, "the lease was released while " + programs.running(remaining));
        List<Integer> owned = store.cores().kept(claim);
        edits.end(state, claim, owned, outlived);
        lease.closeLock(!outlived.isEmpty());
        List<Integer> kept = new ArrayList<>();
        if (!closed && !state.barred().isEmpty()) {
            checks.due(store.state()).forEach(entry -> kept.addAll(CoreSlots.slots(List.of(entry.core()))));
            kept.retainAll(owned);
        }
        List<Integer> free = new ArrayList<>(CoreSlots.slots(claim.cores()));
        free.removeAll(kept);
        store.cores().unlock(free);
        return kept;
    }

    Optional<ProgramLock> lock(long lease) {
        return store.lock(lease);
    }

    void started(GrantedLease lease, long pid) {
        ProcessIdentity child = new ProcessTable().identity(pid);
        change(
                lease,
                processes -> Stream.concat(processes.stream(), Stream.of(child))
                        .distinct()
                        .toList());
    }

    void ended(GrantedLease lease, long pid) {
        change(
                lease,
                processes -> processes.stream()
                        .filter(process -> process.pid() != pid)
                        .toList());
    }

    private void change(GrantedLease lease, UnaryOperator<List<ProcessIdentity>> processes) {
        locked(() -> {
            if (held.containsKey(lease.number())) {
                LeaseState.Claim claim =
                        lease.withProcesses(processes.apply(lease.claim().processes()));
                claim.cores()
                        .forEach(core -> edits.edit(
                                core, content -> content.isOf(claim.number()) ? content.with(claim) : content));
            }
        });
    }

    void quarantine(
            GrantedLease lease, Collection<NeuronCore> suspects, Quarantine.Until until, String reason, String test) {
        Map<NeuronDevice, DeviceReading> devices = new LinkedHashMap<>();
        suspects.forEach(core -> devices.computeIfAbsent(core.device(), DeviceReading::of));
        locked(() -> {
            if (held.containsKey(lease.number())) {
                suspects.stream()
                        .sorted()
                        .forEach(core -> quarantines.add(
                                lease.claim(), HostCores.key(core), until, reason, devices.get(core.device()), test));
                update();
            }
        });
    }

    void acquit(Collection<NeuronCore> suspects, String reason, String cause) {
        locked(() -> {
            if (!closed) {
                HostCores.keys(suspects).forEach(core -> quarantines.acquit(core, reason, cause));
                update();
            }
        });
    }

    @Override
    public void requireWell(String holder, Collection<NeuronCore> held) {
        locked(() -> queue.refusal().ill(holder, held)).ifPresent(ill -> {
            throw ill;
        });
    }

    @Override
    public List<String> outsiders(Collection<NeuronCore> cores) {
        try {
            store.cores().requireInPlace();
            outsiders.scan(UnleasedProcesses.REMEMBERED, states);
            return named(outsiders.among(store.state()), cores);
        } catch (LeaseTableException unreadable) {
            return unnamed(unreadable);
        }
    }

    private static List<String> named(Map<String, List<ProcessOwner>> outside, Collection<NeuronCore> cores) {
        Set<String> devices = new LinkedHashSet<>();
        for (NeuronCore core : cores) {
            devices.add(core.device().name());
        }
        List<String> named = new ArrayList<>();
        for (String device : devices) {
            for (ProcessOwner owner : outside.getOrDefault(device, List.of())) {
                named.add(owner + " on " + device);
            }
        }
        return named;
    }

    private static List<String> unnamed(LeaseTableException unreadable) {
        return List.of("a process with an unknown name: " + unreadable.getMessage());
    }

    @Override
    public Map<Integer, List<String>> unleased(Collection<NeuronCore> cores) {
        Map<String, List<ProcessOwner>> unleased;
        try {
            store.cores().requireInPlace();
            unleased = outsiders.unleased(states);
        } catch (LeaseTableException unreadable) {
            // In this case the doubt about its lease makes the test undecided.
            return Map.of();
        }
        Set<String> met = locked(() ->
                held.values().stream().flatMap(lease -> lease.met().stream()).collect(Collectors.toSet()));
        Map<Integer, List<String>> open = new TreeMap<>();
        cores.stream().map(NeuronCore::device).distinct().forEach(device -> {
            List<String> processes = unleased.getOrDefault(device.name(), List.of()).stream()
                    .filter(process -> !met.contains(process + " on " + device.name()))
                    .map(ProcessOwner::toString)
                    .toList();
            if (!processes.isEmpty()) {
                open.put(device.index(), processes);
            }
        });
        return open;
    }

    @Override
    public void checkAgain() {
        locked(checks::hurry);
        quarantines.examine(entry -> true, List.of());
    }

    /**
     * The outcome of {@link #free}.
     *
     * @param ended the ended quarantines
     * @param refusal the reason why no quarantine was ended, as words after the name of the core; empty on success
     */
    public record Freed(List<Quarantine> ended, Optional<String> refusal) {

        /** Creates the outcome with a copy of the list. */
        public Freed {
            ended = List.copyOf(ended);
        }
    }

    /**
     * Ends all quarantines of a core on request of a person. This has no effect while a live JVM holds the core, or a visible
     * program might use it.
     *
     * @param core its number, or the names of its physical cores, joined by {@code +}
     * @throws LeaseTableException if the table cannot be changed
     */
    public Freed free(String core) {
        endedLeases.poll();
        return locked(() -> {
            Freed freed = quarantines.free(core);
            update();
            return freed;
        });
    }

    /**
     * Returns the current time of the table, for {@link Lease#neighbours(long)}.
     *
     * @return a number that only increases
     */
    public long moment() {
        return LeaseState.moment();
    }

    Optional<String> doubt(GrantedLease lease) {
        lock.lock();
        try {
            return closed || isKept(lease)
                    ? Optional.empty()
                    : Optional.of("The lease table no longer contains this lease.");
        } catch (InternalError cut) {
            return Optional.of(store.cut(cut).getMessage());
        } catch (LeaseTableException unreadable) {
            return Optional.of(unreadable.getMessage());
        } finally {
            unlock();
        }
    }

    private boolean isKept(GrantedLease lease) {
        store.cores().requireInPlace();
        return held.containsKey(lease.number())
                && store.cores()
                        .kept(lease.claim())
                        .equals(CoreSlots.slots(lease.claim().cores()));
    }

    List<String> neighbours(GrantedLease lease, long moment) {
        try {
            store.cores().requireInPlace();
            return neighbours(store.state(), lease, moment);
        } catch (LeaseTableException unreadable) {
            return unnamed(unreadable);
        }
    }

    private List<String> neighbours(LeaseState state, GrantedLease lease, long moment) {
        return cores.lines(state.neighbours(lease.claim(), moment));
    }
}
