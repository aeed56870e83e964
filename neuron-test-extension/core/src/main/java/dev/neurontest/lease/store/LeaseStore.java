package dev.neurontest.lease.store;

import dev.neurontest.lease.LeaseTableException;
import dev.neurontest.process.ProgramLock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/** Where a table is kept, and how those who share it reach each other. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface LeaseStore extends AutoCloseable {

    /** This JVM among those who share the table. */
    TableState.Member self();

    /** Returns the directory of the table; empty when it ends with this JVM. */
    Optional<Path> place();

    /**
     * Changes the table. No other thread or JVM changes or reads it meanwhile. What the step throws leaves the table as it was.
     *
     * @throws LeaseTableException when the table cannot be read or written, or is locked for longer than the limit; then it is as
     *     it was
     */
    <T> T change(Function<TableState, T> step, LockLimit limit);

    /**
     * Does something while no other thread and no other JVM uses the table.
     *
     * @throws LeaseTableException when the table cannot be locked
     */
    <T> T alone(Supplier<T> what);

    /** Whether a JVM that shares the table still runs. */
    boolean alive(TableState.Member member);

    /** Whether a JVM of which only its directory's name is known still runs. */
    boolean lives(String directory);

    /** Creates what the programs of a lease of this JVM keep locked; empty where nothing can be. */
    Optional<ProgramLock> lock(TableState.Claim lease);

    /** Returns whether there is a lock of programs with this name. */
    boolean hasLock(String lock);

    /** Tests what the programs of a lease keep locked. */
    ProgramLock.State test(String lock);

    /** Wakes a JVM that waits, if it can be reached. */
    void ring(TableState.Member member);

    /** Waits until this JVM is rung, or the time is over. */
    void awaitBell(Duration atMost) throws InterruptedException;

    /** Leaves the table to the others. */
    @Override
    void close();
}
