package dev.neurontest.lease.table;

import dev.neurontest.lease.DeviceReading;
import dev.neurontest.lease.LeaseTableException;
import dev.neurontest.lease.Quarantine.Until;
import dev.neurontest.lease.store.LeaseStore;
import dev.neurontest.lease.store.LockLimit;
import dev.neurontest.lease.store.MemoryStore;
import dev.neurontest.lease.store.TableState;
import dev.neurontest.patience.Patience;
import dev.neurontest.process.ProcessIdentity;
import dev.neurontest.process.ProcessTable;
import dev.neurontest.process.ProgramLock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A table in memory that other JVMs seem to share: they die when a test says so, and the table is out of order when it does. */
final class SharedStoreFixture implements LeaseStore {

    private final ProcessTable processes = new ProcessTable();
    private final MemoryStore memory = new MemoryStore(processes);
    private final Set<Long> dead = ConcurrentHashMap.newKeySet();
    private final Semaphore bell = new Semaphore(0);

    /** The locks of programs, by their names. */
    final Map<String, ProgramLock.State> locks = new ConcurrentHashMap<>();

    /** Whose bells were rung. */
    final List<Long> rung = new CopyOnWriteArrayList<>();

    /** How long each wait for the bell was to be at most: it lasts until {@link #goOn}. */
    final LinkedBlockingQueue<Duration> pauses = new LinkedBlockingQueue<>();

    /** The thread that waits for the bell, or did last. */
    volatile @Nullable Thread waiting;

    volatile boolean outOfOrder;

    /** Another JVM has it locked; who waits no longer than a second does not wait here. */
    volatile boolean locked;

    /** Another JVM, whose process has ended long ago. */
    TableState.Member join(long pid) {
        ProcessIdentity self = processes.self();
        return change(state -> state.join(
                new ProcessIdentity(pid, 1, self.namespace(), self.user()), "another", "jvm-" + pid, Instant.EPOCH));
    }

    void die(TableState.Member member) {
        dead.add(member.number());
    }

    /** A request that waits. */
    TableState.Ticket enqueue(TableState.Member member, String holder, Long... within) {
        return change(state -> state.enqueue(member.number(), holder, "1 core", "main", 1, List.of(within)));
    }

    TableState.Claim grant(TableState.Member member, String holder, String... cores) {
        TableState.Ticket ticket = enqueue(member, holder);
        return change(state -> state.grant(ticket, List.of(cores), false, Instant.EPOCH));
    }

    TableState.Barred bar(TableState.Claim claim, Until until, String core) {
        return bar(claim, until, "status 1202", core);
    }

    TableState.Barred bar(TableState.Claim claim, Until until, String reason, String core) {
        return change(state -> state.bar(core, reason, claim, until, Instant.EPOCH, DeviceReading.NONE, List.of()));
    }

    TableState state() {
        return change(state -> state);
    }

    /** Ends one wait for the bell. */
    void goOn() {
        bell.release();
    }

    @Override
    public TableState.Member self() {
        return memory.self();
    }

    @Override
    public Optional<Path> place() {
        return memory.place();
    }

    <T> T change(Function<TableState, T> step) {
        return change(step, LockLimit.of(Patience.LIMIT));
    }

    @Override
    public <T> T change(Function<TableState, T> step, LockLimit limit) {
        while (locked) {
            if (limit.atMost().equals(LockLimit.SHORTEST)) {
                throw new LeaseTableException("the table is locked");
            }
            limit.outside().accept(() -> LockSupport.parkNanos(1_000_000));
        }
        if (outOfOrder) {
            throw new LeaseTableException("the table is out of order");
        }
        return memory.change(step, limit);
    }

    @Override
    public <T> T alone(Supplier<T> what) {
        return memory.alone(what);
    }

    @Override
    public boolean alive(TableState.Member member) {
        return !dead.contains(member.number());
    }

    @Override
    public boolean lives(String directory) {
        return memory.lives(directory);
    }

    @Override
    public Optional<ProgramLock> lock(TableState.Claim lease) {
        return memory.lock(lease);
    }

    @Override
    public boolean hasLock(String lock) {
        return locks.containsKey(lock);
    }

    @Override
    public ProgramLock.State test(String lock) {
        return locks.getOrDefault(lock, ProgramLock.State.UNKNOWN);
    }

    @Override
    public void ring(TableState.Member member) {
        rung.add(member.number());
    }

    @Override
    public void awaitBell(Duration atMost) throws InterruptedException {
        waiting = Thread.currentThread();
        pauses.add(atMost);
        bell.acquire();
    }

    @Override
    public void close() {
        memory.close();
    }
}
