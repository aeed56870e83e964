package dev.neurontest.lease.table;

import dev.neurontest.configuration.OtherOwnersPolicy;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.ProcessOwner;
import dev.neurontest.lease.CoreRequest;
import dev.neurontest.lease.CoresQuarantinedException;
import dev.neurontest.lease.DeviceReading;
import dev.neurontest.lease.HealthCheck;
import dev.neurontest.lease.ImpossibleRequestException;
import dev.neurontest.lease.Lease;
import dev.neurontest.lease.LeaseObserver;
import dev.neurontest.lease.LeaseRequest;
import dev.neurontest.lease.LeaseTableException;
import dev.neurontest.lease.LeaseTimeoutException;
import dev.neurontest.lease.Quarantine;
import dev.neurontest.lease.UnreadableTopologyException;
import dev.neurontest.lease.store.DirectoryStore;
import dev.neurontest.lease.store.LeaseStore;
import dev.neurontest.lease.store.LockLimit;
import dev.neurontest.lease.store.LockedPrograms;
import dev.neurontest.lease.store.LockedTableException;
import dev.neurontest.lease.store.MemoryStore;
import dev.neurontest.lease.store.Mounts;
import dev.neurontest.lease.store.TableState;
import dev.neurontest.process.ProcessIdentity;
import dev.neurontest.process.ProcessTable;
import dev.neurontest.process.ProgramLock;
import dev.neurontest.text.DurationText;
import dev.neurontest.text.ListText;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Which tests have which cores of a host. The table leases no core twice. It serves requests in the order in which they came: a
 * request that could be met waits while an earlier one cannot be met, because a test that wants many cores would wait for ever
 * otherwise. Two exceptions: a test that already holds cores is served before tests that hold none, because these may be
 * waiting for its cores; and a JVM that does not answer is passed over until it does.
 *
 * <p>What a table is and how it changes is {@link TableState}, where it is kept is a {@link LeaseStore}, how this JVM changes it
 * are its {@link TableChanges}. Those of this JVM who wait are in the {@link LeaseQueue} until they are signalled, and while there are
 * any, one {@link LeaseWatch} looks after all of them.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LeaseTable implements AutoCloseable {

    private static final Duration LONGEST_LEAVE = Duration.ofSeconds(5);

    private final NeuronHost host;
    private final LeaseStore store;
    private final ProcessTable processes;
    private final LockedPrograms programs;
    private final Outsiders outsiders;
    private final HostCores cores;
    private final HealthChecks checks;
    private final SeenQuarantines quarantines;
    private final LeaseQueue queue;
    private final EndedProcesses endedProcesses;
    private final TableChanges changes;
    private final PassingOver passingOver;
    private final LongWaits longWaits;
    private final LeaseWatch watch;
    private final LeaseNews news;
    private final Map<Long, GrantedLease> held = new LinkedHashMap<>();

    private LeaseTable(Builder builder, ProcessTable processes) {
        this.news = new LeaseNews(builder.observer);
        this.host = builder.host;
        this.processes = processes;
        this.store = builder.directory == null
                ? new MemoryStore(processes)
                : new DirectoryStore(builder.directory, builder.mounts, processes, builder.lockTimeout, news::warn);
        this.outsiders = new Outsiders(host, builder.otherOwners, processes);
        this.cores = new HostCores(host, builder.part == null ? host.cores() : builder.part);
        this.checks = new HealthChecks(builder.healthCheck, cores, store.self().number());
        this.quarantines = new SeenQuarantines(cores, checks, news);
        this.queue = new LeaseQueue(store, cores, outsiders, builder.otherOwners, checks, news, processes);
        this.programs = new LockedPrograms(processes, store::hasLock, store::test);
        this.endedProcesses = new EndedProcesses(store, programs, cores, news, LeaseWatch.HEAD_LOOKS);
        this.changes = new TableChanges(store, builder.lockTimeout, news, this::follow);
        this.passingOver = new PassingOver(store.self().number(), news);
        this.longWaits = new LongWaits(builder.waitsToldAfter, news);
        this.watch = new LeaseWatch(store, changes, queue, outsiders, endedProcesses, passingOver, longWaits);
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
        private Duration lockTimeout = Duration.ofMinutes(1);

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

        /**
         * Limits the wait for another JVM that has the table locked, such as one that is stopped just then, when a lease is given back
         * or a process is written down. A request for cores has its own limit.
         *
         * @param atMost to begin with a minute
         * @return this
         */
        public Builder lockTimeout(Duration atMost) {
            lockTimeout = atMost;
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
            if (directory != null) {
                table.lookForEndedProcesses();
            }
            return table;
        }
    }

    /** A JVM that joins looks once. Otherwise a dead JVM stays unnoticed when no test waits for its cores, and so do its quarantines. */
    private void lookForEndedProcesses() {
        try {
            if (changes.locked(() -> changes.make(endedProcesses::look))) {
                programs.test();
            }
            examine(changes.locked(() -> changes.make(change -> {
                endedProcesses.look(change);
                return checks.take(change, entry -> checks.heals() || entry.until() != Quarantine.Until.RESET);
            })));
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
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
        Waiter waiter = new Waiter(Placement.of(host, request), changes.condition());
        try {
            outsiders.look(Outsiders.REMEMBERED, () -> changes.state(limit(waiter, atMost)));
            changes.lock();
            try {
                return await(waiter, atMost);
            } finally {
                changes.unlock();
            }
        } catch (LeaseTableException failed) {
            if (failed.getCause() instanceof LockedTableException) {
                throw new LeaseTimeoutException(
                        "%s got no cores within %s. %s"
                                .formatted(request.holder(), DurationText.limit(atMost), failed.getMessage()),
                        waiter.waited());
            }
            if (failed.getCause() instanceof InterruptedIOException) {
                throw new InterruptedException(failed.getMessage());
            }
            throw failed;
        }
    }

    private Lease await(Waiter waiter, Duration atMost) throws InterruptedException {
        boolean taken = false;
        try {
            enqueue(waiter, atMost);
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

    /** Returns how long a request may still wait for another JVM that has the table locked. */
    private LockLimit limit(Waiter waiter, Duration atMost) {
        return changes.limit(atMost.minus(waiter.waited()), true);
    }

    private void enqueue(Waiter waiter, Duration atMost) {
        changes.make(
                change -> {
                    queue.enter(change, waiter);
                    queue.serve(change, this::hold);
                    if (change.state.queue().contains(waiter.ticket)) {
                        endedProcesses.lookWhenDue(change);
                    }
                    return change;
                },
                limit(waiter, atMost));
        if (waiter.lease == null && waiter.behindOutsiders) {
            changes.outside(() -> outsiders.look(Duration.ZERO, () -> changes.state(limit(waiter, atMost))));
            changes.make(change -> change, limit(waiter, atMost));
        }
    }

    private GrantedLease hold(TableState.Claim claim, Duration waited, List<List<NeuronCore>> granted) {
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
            // A look at a core can take long; meanwhile that thread answers for this JVM.
            watch.begin();
            changes.outside(() -> examine(takeChecks(limit(waiter, atMost))));
            if (waiter.lease != null) {
                return;
            }
        }
        if (waiter.hopeless) {
            throw changes.make(change -> queue.refusal(change.state).quarantined(waiter), limit(waiter, atMost));
        }
        long left = TimeUnit.NANOSECONDS.convert(atMost) - waiter.waited().toNanos();
        if (left <= 0) {
            throw changes.make(change -> queue.refusal(change.state).timeout(waiter, atMost), limit(waiter, atMost));
        }
        watch.begin();
        waiter.condition.awaitNanos(left);
    }

    /** The others may have waited behind a request that leaves the queue without cores. */
    private void leave(Waiter waiter) {
        if (waiter.lease != null) {
            giveBack(waiter.lease);
        } else if (queue.leave(waiter) && !changes.isClosed()) {
            write(change -> queue.withdraw(change, waiter.number()), changes.limit(LONGEST_LEAVE, false));
        }
    }

    /**
     * Looks whether a request could be met if all cores were free.
     *
     * @param request what would be wanted
     * @throws ImpossibleRequestException when this host does not have it
     * @throws UnreadableTopologyException when it asks for connected devices and this host does not show them
     */
    public void check(CoreRequest request) {
        Placement.of(host, new LeaseRequest("a test", List.of(request)));
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
        if (Placement.of(host, request).fit(left).isEmpty()) {
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
        return changes.locked(() -> List.copyOf(held.values()));
    }

    /**
     * The cores in quarantine, of all JVMs that share the table.
     *
     * @return the longest first
     * @throws LeaseTableException when the table cannot be read
     */
    public List<Quarantine> quarantined() {
        return changes.locked(() -> changes.make(change -> cores.quarantines(change.state.barred())));
    }

    /** Gives back what this JVM still holds, and leaves the table to the others. It may be called again. */
    @Override
    public void close() {
        changes.locked(() -> {
            if (!changes.isClosed()) {
                changes.close();
                queue.close();
                List<GrantedLease> left = List.copyOf(held.values());
                held.clear();
                // The end of this JVM, which is near, gives everything back as well.
                changes.write(
                        change -> {
                            left.forEach(lease -> end(change, lease));
                            change.state.leave(store.self().number());
                        },
                        changes.limit(LONGEST_LEAVE, false));
                store.ring(store.self());
                store.close();
            }
            return changes.isClosed();
        });
    }

    void release(GrantedLease lease) {
        List<TableState.Barred> toCheck = changes.locked(() -> giveBack(lease));
        examine(toCheck);
    }

    /** Gives a lease back; what comes back is to be checked. */
    private List<TableState.Barred> giveBack(GrantedLease lease) {
        List<TableState.Barred> toCheck = new ArrayList<>();
        boolean[] atOnce = {true};
        if (held.remove(lease.number()) != null) {
            lease.ended(List.of());
            write(change -> {
                TableState state = change.state;
                Optional<TableState.Claim> claim = state.claim(lease.number());
                if (claim.isPresent()) {
                    List<String> neighbours = cores.neighbours(state, claim.get(), 0);
                    end(change, lease);
                    // A test that needs such a core waits for the outcome instead of giving up.
                    List<TableState.Barred> mine = checks.take(
                            change,
                            entry -> atOnce[0]
                                    && TableState.share(
                                            List.of(entry.core()), claim.get().cores()));
                    change.effects.add(() -> {
                        lease.ended(neighbours);
                        toCheck.addAll(mine);
                    });
                }
            });
        }
        atOnce[0] = false;
        return toCheck;
    }

    /** Ends a lease, and the use of its lock unless a quarantine needs that. */
    private void end(TableChange change, GrantedLease lease) {
        TableState state = change.state;
        state.release(lease.number(), processes::life);
        String lock = state.lock(lease.claim());
        boolean kept = state.barred().stream().anyMatch(entry -> entry.lock().equals(lock));
        change.effects.add(() -> lease.closeLock(kept));
    }

    Optional<ProgramLock> lock(TableState.Claim lease) {
        return store.lock(lease);
    }

    void started(GrantedLease lease, long pid) {
        ProcessIdentity child = processes.identity(pid);
        changes.locked(() -> changes.isClosed() || write(change -> change.state.started(lease.number(), child)));
    }

    void ended(GrantedLease lease, long pid) {
        changes.locked(() -> changes.isClosed() || write(change -> change.state.ended(lease.number(), pid)));
    }

    void quarantine(
            GrantedLease lease, Collection<NeuronCore> suspects, Quarantine.Until until, String reason, String test) {
        Instant now = Instant.now();
        Map<NeuronDevice, DeviceReading> devices = new LinkedHashMap<>();
        suspects.forEach(core -> devices.computeIfAbsent(core.device(), DeviceReading::of));
        changes.locked(() -> changes.isClosed()
                || write(change -> change.state.claim(lease.number()).ifPresent(claim -> {
                    change.concernsAll = true;
                    suspects.stream()
                            .sorted()
                            .forEach(core -> change.state.suspect(
                                    HostCores.key(core), reason, claim, until, now, devices.get(core.device()), test));
                })));
    }

    void acquit(Collection<NeuronCore> suspects, String reason, String cause) {
        changes.locked(() -> changes.isClosed()
                || write(change -> {
                    change.concernsAll = true;
                    change.state
                            .acquit(store.self().number(), HostCores.keys(suspects), reason, cause)
                            .forEach(number -> change.cleared.put(number, cause));
                }));
    }

    /**
     * Makes sure that cores which a test holds already are still good to use.
     *
     * @param holder who is about to use them
     * @param held leased cores
     * @throws CoresQuarantinedException when one of them is in quarantine
     */
    public void requireWell(String holder, Collection<NeuronCore> held) {
        changes.locked(() -> changes.make(change -> queue.refusal(change.state).ill(holder, held)))
                .ifPresent(ill -> {
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
        Map<String, List<ProcessOwner>> outside;
        try {
            outsiders.look(Outsiders.REMEMBERED, changes::state);
            outside = outsiders.among(changes.state());
        } catch (LeaseTableException unreadable) {
            return List.of("a process that cannot be named: " + unreadable.getMessage());
        }
        return cores.stream()
                .map(core -> core.device().name())
                .distinct()
                .flatMap(device ->
                        outside.getOrDefault(device, List.of()).stream().map(owner -> owner + " on " + device))
                .toList();
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
            unleased = outsiders.unleased(changes::state);
        } catch (LeaseTableException unreadable) {
            // Then a test is undecided because of its lease.
            return Map.of();
        }
        Set<String> met = changes.locked(() ->
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
        examine(changes.locked(() -> {
            checks.hurry();
            return changes.isClosed() ? List.of() : changes.make(change -> checks.take(change, entry -> true));
        }));
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
        FreeingByHand freeing = new FreeingByHand(cores, programs, store::alive);
        changes.locked(() -> changes.make(endedProcesses::look));
        programs.test();
        return changes.locked(() -> changes.make(change -> freeing.free(change, core)));
    }

    private List<TableState.Barred> takeChecks(LockLimit limit) {
        return changes.locked(() -> changes.make(change -> checks.take(change, entry -> true), limit));
    }

    private void examine(List<TableState.Barred> taken) {
        for (TableState.Barred entry : taken) {
            Optional<String> trouble = checks.trouble(entry);
            changes.locked(() -> {
                checks.found(entry, trouble);
                return changes.isClosed() || write(change -> checks.write(change, entry, trouble));
            });
        }
    }

    /**
     * This moment on the table, for {@link Lease#neighbours(long)}.
     *
     * @return a number that only grows
     * @throws LeaseTableException when the table cannot be read
     */
    public long moment() {
        return changes.state().last();
    }

    Optional<String> doubt(GrantedLease lease) {
        try {
            return changes.locked(() -> changes.isClosed()
                            || changes.state().claim(lease.number()).isPresent())
                    ? Optional.empty()
                    : Optional.of("The lease table does not have this lease any more.");
        } catch (LeaseTableException unreadable) {
            return Optional.of(unreadable.getMessage());
        }
    }

    List<String> neighbours(GrantedLease lease, long moment) {
        try {
            return changes.locked(() -> changes.make(change -> change.state
                    .claim(lease.number())
                    .map(claim -> cores.neighbours(change.state, claim, moment))
                    .orElse(List.of())));
        } catch (LeaseTableException unreadable) {
            return List.of("a process that cannot be named: " + unreadable.getMessage());
        }
    }

    /** What follows from every change of the table. */
    private void follow(TableChange change) {
        passingOver.tell(change);
        queue.serve(change, this::hold);
        queue.findHopeless(change);
        quarantines.notice(change);
    }

    private boolean write(Consumer<TableChange> step) {
        return again(changes.write(step));
    }

    private boolean write(Consumer<TableChange> step, LockLimit limit) {
        return again(changes.write(step, limit));
    }

    private boolean again(boolean written) {
        if (!written && !changes.isClosed()) {
            watch.begin();
        }
        return written;
    }
}
