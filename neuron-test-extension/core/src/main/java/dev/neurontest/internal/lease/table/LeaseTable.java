package dev.neurontest.internal.lease.table;

import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.ProcessOwner;
import dev.neurontest.internal.configuration.OtherOwnersPolicy;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.CoresQuarantinedException;
import dev.neurontest.internal.lease.DeviceReading;
import dev.neurontest.internal.lease.HealthCheck;
import dev.neurontest.internal.lease.ImpossibleRequestException;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseObserver;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.UnreadableTopologyException;
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
 * The table of leases: which tests have which cores of a host. The table leases no core twice. It serves requests in the order in which they came: a
 * request that could be met waits while an earlier one cannot be met, because a test that wants many cores would wait for ever
 * otherwise. Two exceptions: a test that already holds cores is served before tests that hold none, because these may be
 * waiting for its cores; and a JVM that does not answer is passed over until it does.
 *
 * <p>Where it is kept is a {@link LeaseStore}, in which the number of a JVM in a core's slot is the lease. Those of this JVM who wait are in
 * the {@link LeaseQueue} until they are signalled, and while there are any, one {@link LeaseWatch} looks after all of them.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LeaseTable implements AutoCloseable {

    private final NeuronHost host;
    private final LeaseStore store;
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
        this.news = new LeaseNews(builder.observer);
        this.host = builder.host;
        this.store = builder.directory == null
                ? LeaseStore.inMemory(processes)
                : LeaseStore.in(builder.directory, builder.mounts, processes, news::warn);
        this.programs = store.programs();
        this.outsiders = new UnleasedProcesses(host, builder.otherOwners, processes, store::members);
        this.cores = new HostCores(host, builder.part == null ? host.cores() : builder.part);
        this.checks = new HealthChecks(builder.healthCheck, cores, store);
        this.seenQuarantines = new SeenQuarantines(cores, checks, news);
        this.queue = new LeaseQueue(store, cores, outsiders, builder.otherOwners, checks, news, processes, this);
        this.edits = new CoreEdits(store, queue::makeRoom, this::lookSoon);
        this.quarantines = new Quarantines(this, store, programs, cores, checks, seenQuarantines, edits);
        this.endedLeases = new EndedLeases(store, programs, cores, seenQuarantines, news, edits, LeaseWatch.HEAD_LOOKS);
        this.passingOver = new StalledJvms(queue, store.tickets(), news);
        this.longWaits = new LongWaits(builder.waitsToldAfter, news);
        this.watch = new LeaseWatch(store, this);
        news.tell();
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
        private @Nullable Mounts mounts;
        private OtherOwnersPolicy otherOwners = OtherOwnersPolicy.AVOID;
        private @Nullable Collection<NeuronCore> part;
        private @Nullable HealthCheck healthCheck;
        private LeaseObserver observer = new LeaseObserver() {};
        private Duration waitsToldAfter = LongWaits.AFTER;

        private Builder(NeuronHost host) {
            this.host = host;
        }

        /**
         * Where the table is shared with other JVMs and users. All JVMs that use the same cores must name the same directory.
         *
         * @param shared on a local file system; it is made when it is not there
         * @return this
         */
        public Builder directory(Path shared) {
            directory = shared;
            return this;
        }

        /**
         * Demands that all JVMs of this machine can share the directory, because the cores are those of its hardware: a directory on a
         * network file system is refused, and one of a container gets a notice.
         *
         * @return this
         */
        public Builder onHardware() {
            mounts = new Mounts();
            return this;
        }

        /**
         * What becomes of cores whose device is open outside the table.
         *
         * @param setting to begin with {@link OtherOwnersPolicy#AVOID}
         * @return this
         */
        public Builder otherOwners(OtherOwnersPolicy setting) {
            otherOwners = setting;
            return this;
        }

        /**
         * Gives out only cores that the caller holds already and shares in this way.
         *
         * @param held some cores of the host; to begin with all are given out
         * @return this
         */
        public Builder only(Collection<NeuronCore> held) {
            part = List.copyOf(held);
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
         * @param told hears what happens; without this call nothing does
         * @return this
         */
        public Builder observer(LeaseObserver told) {
            observer = told;
            return this;
        }

        /** From when on the observer is told of a wait. */
        Builder waitsToldAfter(Duration after) {
            waitsToldAfter = after;
            return this;
        }

        /**
         * Makes or joins the table. The observer is told at once which JVMs have ended without giving back what they held, and which
         * cores are in quarantine.
         *
         * @return the table, to be closed
         * @throws LeaseTableException when it cannot be used
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

    /** A JVM that joins looks once. Otherwise a dead JVM stays unnoticed when no test waits for its cores, and so do its quarantines. */
    private void join() {
        store.prepare(HostCores.keys(host.cores()));
        endedLeases.look();
        update();
        quarantines.examine(entry -> checks.heals() || entry.until() != Quarantine.Until.RESET, List.of());
    }

    /**
     * Waits for cores and takes them.
     *
     * @param request everything that the holder wants, of which it gets all or nothing
     * @param atMost how long to wait; zero takes what is free now
     * @return the cores
     * @throws InterruptedException when interrupted while waiting; then nothing was taken
     * @throws ImpossibleRequestException at once, when the host could not give it even if all cores were free, or its device nodes
     *     are renumbered
     * @throws UnreadableTopologyException at once, when it asks for connected devices and this host does not show them
     * @throws CoresQuarantinedException at once, when cores in quarantine make it impossible
     * @throws LeaseTimeoutException when the time is over
     * @throws LeaseTableException when the table cannot be used
     */
    public Lease lease(LeaseRequest request, Duration atMost) throws InterruptedException {
        Waiter waiter = new Waiter(CorePlacement.of(host, request), lock.newCondition());
        locked(() -> {
            requireOpen();
            store.requireWhole();
        });
        outsiders.look(UnleasedProcesses.REMEMBERED, store::state);
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

    private Lease await(Waiter waiter, Duration atMost) throws InterruptedException {
        boolean taken = false;
        try {
            queue.enter(waiter);
            if (waiter.lease == null) {
                passingOver.tell();
                update();
                lookAtOnce(waiter);
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

    /** Searches for leases of ended JVMs before a request waits for their cores. */
    private void lookAtOnce(Waiter waiter) {
        boolean behindOutsiders = waiter.behindOutsiders;
        if (waiter.lease == null && (behindOutsiders || endedLeases.isDue())) {
            outside(() -> {
                endedLeases.lookWhenDue();
                if (behindOutsiders) {
                    outsiders.look(Duration.ZERO, store::state);
                }
            });
            requireOpen();
            update();
        }
    }

    /** Returns whether this JVM has cores for all that it still asks for. */
    boolean keepsSession() {
        return held.values().stream().anyMatch(lease -> lease.claim().lasting());
    }

    /** Makes a claim on the table a lease. */
    GrantedLease hold(LeaseState.Claim claim, Duration waited, List<List<NeuronCore>> granted) {
        GrantedLease lease = new GrantedLease(this, claim, waited, granted);
        held.put(lease.number(), lease);
        return lease;
    }

    /** Waits until there is something to do for a waiter. */
    private void awaitTurn(Waiter waiter, Duration atMost) throws InterruptedException {
        if (waiter.failure != null) {
            throw waiter.failure;
        }
        if (waiter.wantsHealthCheck) {
            waiter.wantsHealthCheck = false;
            // A look at a core can take long; meanwhile that thread shows that this JVM runs.
            watch.begin();
            outside(() -> quarantines.examine(entry -> true, List.of()));
            if (waiter.lease != null) {
                return;
            }
        }
        if (waiter.hopeless) {
            throw queue.refusal().quarantined(waiter);
        }
        long left = TimeUnit.NANOSECONDS.convert(atMost) - waiter.waited().toNanos();
        if (left <= 0) {
            throw queue.refusal().timeout(waiter, atMost);
        }
        watch.begin();
        waiter.condition.awaitNanos(left);
    }

    /** The others may have waited behind a request that leaves the queue without cores. */
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

    /** Does something with the lock of this JVM, and tells the news without it. */
    <T> T locked(Supplier<T> what) {
        lock.lock();
        try {
            return what.get();
        } catch (InternalError cut) {
            throw store.cut(cut);
        } finally {
            unlock();
        }
    }

    private void locked(Runnable what) {
        locked(() -> {
            what.run();
            return closed;
        });
    }

    private void unlock() {
        lock.unlock();
        if (!lock.isHeldByCurrentThread()) {
            news.tell();
        }
    }

    /** Does something without the lock, which the thread has once. */
    private void outside(Runnable what) {
        lock.unlock();
        try {
            news.tell();
            what.run();
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

    /** Returns whether nothing waits. */
    boolean isIdle() {
        return queue.isEmpty() && edits.isDone();
    }

    private void lookSoon() {
        watch.begin();
    }

    boolean isInFront() {
        return queue.isInFront();
    }

    /** Serves those who wait, and wakes the JVMs of those who may be served next. */
    void update() {
        locked(() -> {
            if (!closed) {
                edits.repeat();
                follow(queue.serve());
            }
        });
    }

    private void follow(LeaseState state) {
        queue.findHopeless(state);
        if (seenQuarantines.notice(state)) {
            queue.ringAll();
        }
    }

    /** Serves and examines the waiting requests; called by the thread of the watch. */
    void look() {
        if (locked(() -> closed)) {
            return;
        }
        store.requireWhole();
        update();
        endedLeases.lookWhenDue();
        outsiders.look(
                locked(queue::isBehindOutsiders) ? LeaseWatch.HEAD_LOOKS : UnleasedProcesses.REMEMBERED, store::state);
        locked(() -> {
            if (!closed) {
                long now = System.nanoTime();
                passingOver.look(now);
                update();
                longWaits.look(queue, now);
            }
        });
    }

    /** Ends all waits, because the table cannot be used. */
    void fail(RuntimeException failed) {
        locked(() -> queue.failAll(failed));
    }

    /**
     * Looks whether a request could be met if all cores were free.
     *
     * @param request what would be wanted
     * @throws ImpossibleRequestException when this host does not have it
     * @throws UnreadableTopologyException when it asks for connected devices and this host does not show them
     */
    public void check(CoreRequest request) {
        CorePlacement.of(host, new LeaseRequest("a test", List.of(request)));
    }

    /**
     * Looks whether a request could be met if only certain cores were taken.
     *
     * @param request what would be wanted
     * @param taken cores that stay taken while the holder waits, because it holds them itself
     * @throws ImpossibleRequestException when nothing that others give back would do
     * @throws UnreadableTopologyException when it asks for connected devices and this host does not show them
     */
    public void check(LeaseRequest request, Collection<NeuronCore> taken) {
        BitSet left = cores.all();
        taken.forEach(core -> left.clear(core.index()));
        if (CorePlacement.of(host, request).fit(left).isEmpty()) {
            if (taken.isEmpty()) {
                throw new ImpossibleRequestException("%s wants %s, and here there %s only %s."
                        .formatted(
                                request.holder(),
                                request.description(),
                                cores.count() == 1 ? "is" : "are",
                                ListText.of(cores.given(), NeuronCore::name)));
            }
            throw new ImpossibleRequestException(
                    "%s wants %s, which cannot be met while its class or its session holds %s."
                            .formatted(request.holder(), request.description(), ListText.of(taken, NeuronCore::name)));
        }
    }

    /**
     * What this JVM has leased at this moment.
     *
     * @return the longest held first
     */
    public List<Lease> held() {
        return locked(() -> List.copyOf(held.values()));
    }

    /**
     * The cores in quarantine, of all JVMs that share the table.
     *
     * @return the longest first
     * @throws LeaseTableException when the table cannot be read
     */
    public List<Quarantine> quarantined() {
        return locked(() -> {
            requireOpen();
            LeaseState state = store.state();
            seenQuarantines.notice(state);
            return cores.quarantines(state.barred());
        });
    }

    /** Gives back what this JVM still holds, and leaves the table to the others. It may be called again. */
    @Override
    public void close() {
        locked(() -> {
            if (!closed) {
                boolean isCut = store.isCut();
                queue.close(isCut);
                if (!isCut) {
                    LeaseState state = store.state();
                    held.values().forEach(lease -> store.cores().unlock(end(lease, state)));
                    queue.serve();
                }
                held.clear();
                closed = true;
                store.wake();
                store.close();
            }
        });
    }

    void release(GrantedLease lease) {
        try {
            List<Integer> kept = locked(() -> giveBack(lease));
            if (!kept.isEmpty()) {
                quarantines.examine(
                        entry -> LeaseState.share(List.of(entry.core()), HostCores.keys(lease.cores())), kept);
            }
        } catch (LeaseTableException unusable) {
            news.warn(unusable.getMessage());
            news.tell();
        }
    }

    /** Gives a lease back; the slots that it returns stay locked, because what is in quarantine is to be looked at. */
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

    /** Ends a lease, and the use of its lock unless a quarantine needs that. */
    private List<Integer> end(GrantedLease lease, LeaseState state) {
        LeaseState.Claim claim = lease.claim();
        LeasePrograms.Left left = programs.byNumber(claim.processes());
        List<LeaseState.QuarantineEntry> outlived = left.isNothing()
                ? List.of()
                : claim.outlivedBy(left, "the lease was given back while " + programs.running(left));
        List<Integer> its = store.cores().kept(claim);
        edits.end(state, claim, its, outlived);
        lease.closeLock(!outlived.isEmpty());
        List<Integer> kept = new ArrayList<>();
        if (!closed && !state.barred().isEmpty()) {
            checks.due(store.state()).forEach(entry -> kept.addAll(CoreSlots.slots(List.of(entry.core()))));
            kept.retainAll(its);
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

    /**
     * Makes sure that cores which a test holds already are still good to use.
     *
     * @param holder who is about to use them
     * @param held leased cores
     * @throws CoresQuarantinedException when one of them is in quarantine
     */
    public void requireWell(String holder, Collection<NeuronCore> held) {
        locked(() -> queue.refusal().ill(holder, held)).ifPresent(ill -> {
            throw ill;
        });
    }

    /**
     * Who has devices open without sharing the table, as far as {@code proc} shows it. What was seen up to a second ago counts.
     *
     * @param cores whose devices
     * @return such as {@code python3 (pid 12) on neuron0}; empty where it is not looked at
     */
    public List<String> outsiders(Collection<NeuronCore> cores) {
        return named(() -> {
            outsiders.look(UnleasedProcesses.REMEMBERED, store::state);
            Map<String, List<ProcessOwner>> outside = outsiders.among(store.state());
            return cores.stream()
                    .map(core -> core.device().name())
                    .distinct()
                    .flatMap(device ->
                            outside.getOrDefault(device, List.of()).stream().map(owner -> owner + " on " + device))
                    .toList();
        });
    }

    private List<String> named(Supplier<List<String>> processes) {
        try {
            store.cores().requireInPlace();
            return processes.get();
        } catch (LeaseTableException unreadable) {
            return List.of("a process that cannot be named: " + unreadable.getMessage());
        }
    }

    /**
     * The processes that have devices open at this moment, that this JVM has started or may have started, and that no lease knows:
     * neither as its own nor as one that it met.
     *
     * @param cores whose devices
     * @return such as {@code python3 (pid 12)} by the number of the device
     */
    public Map<Integer, List<String>> unleased(Collection<NeuronCore> cores) {
        Map<String, List<ProcessOwner>> unleased;
        try {
            store.cores().requireInPlace();
            unleased = outsiders.unleased(store::state);
        } catch (LeaseTableException unreadable) {
            // Then a test is undecided because of its lease.
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

    /** Looks again at the cores in quarantine, because something may have ended that this JVM did on them. */
    public void checkAgain() {
        locked(checks::hurry);
        quarantines.examine(entry -> true, List.of());
    }

    /**
     * The outcome of {@link #free}.
     *
     * @param ended the quarantines that were ended
     * @param refusal why none was, in words that follow the name of the core; empty when some were
     */
    public record Freed(List<Quarantine> ended, Optional<String> refusal) {

        /**
         * Keeps its own copy.
         *
         * @param ended the quarantines that were ended
         * @param refusal why none was
         */
        public Freed {
            ended = List.copyOf(ended);
        }
    }

    /**
     * Ends all quarantines of one core because a person says that the core may be used again. Does nothing while a living JVM holds
     * the core, or a program is seen that may use it.
     *
     * @param core its number, or the names of its physical cores, joined by {@code +}
     * @return what was done
     * @throws LeaseTableException when the table cannot be changed
     */
    public Freed free(String core) {
        endedLeases.look();
        return locked(() -> {
            Freed freed = quarantines.free(core);
            update();
            return freed;
        });
    }

    /**
     * This moment on the table, for {@link Lease#neighbours(long)}.
     *
     * @return a number that only grows
     * @throws LeaseTableException when the table cannot be read
     */
    public long moment() {
        return LeaseState.moment();
    }

    Optional<String> doubt(GrantedLease lease) {
        try {
            return locked(() -> {
                if (closed) {
                    return Optional.empty();
                }
                store.cores().requireInPlace();
                return held.containsKey(lease.number())
                                && store.cores()
                                        .kept(lease.claim())
                                        .equals(CoreSlots.slots(lease.claim().cores()))
                        ? Optional.empty()
                        : Optional.of("The lease table does not have this lease any more.");
            });
        } catch (LeaseTableException unreadable) {
            return Optional.of(unreadable.getMessage());
        }
    }

    List<String> neighbours(GrantedLease lease, long moment) {
        return named(() -> neighbours(store.state(), lease, moment));
    }

    private List<String> neighbours(LeaseState state, GrantedLease lease, long moment) {
        return cores.lines(state.neighbours(lease.claim(), moment));
    }
}
