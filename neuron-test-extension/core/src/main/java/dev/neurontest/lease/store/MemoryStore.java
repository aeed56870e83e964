package dev.neurontest.lease.store;

import dev.neurontest.process.ProcessTable;
import dev.neurontest.process.ProgramLock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/** A table of this JVM alone. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class MemoryStore implements LeaseStore {

    private final Semaphore bell = new Semaphore(0);
    private final TableState.Member self;
    private TableState state;

    public MemoryStore(ProcessTable processes) {
        TableState first = new TableState();
        self = first.join(processes.self(), "", "", Instant.now());
        state = first.copy();
    }

    @Override
    public TableState.Member self() {
        return self;
    }

    @Override
    public Optional<Path> place() {
        return Optional.empty();
    }

    @Override
    public synchronized <T> T change(Function<TableState, T> step, LockLimit limit) {
        TableState next = state.copy();
        T result = step.apply(next);
        state = next;
        return result;
    }

    @Override
    public synchronized <T> T alone(Supplier<T> what) {
        return what.get();
    }

    @Override
    public boolean lives(String directory) {
        return directory.equals(self.directory());
    }

    @Override
    public boolean alive(TableState.Member member) {
        return true;
    }

    @Override
    public Optional<ProgramLock> lock(TableState.Claim lease) {
        return Optional.empty();
    }

    @Override
    public boolean hasLock(String lock) {
        return false;
    }

    @Override
    public ProgramLock.State test(String lock) {
        return ProgramLock.State.UNKNOWN;
    }

    @Override
    public void ring(TableState.Member member) {
        bell.release();
    }

    @Override
    public void awaitBell(Duration atMost) throws InterruptedException {
        if (bell.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
            bell.drainPermits();
        }
    }

    @Override
    public void close() {}
}
