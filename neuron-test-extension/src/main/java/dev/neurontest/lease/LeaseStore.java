package dev.neurontest.lease;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** Where a table is kept, and how those who share it reach each other. */
interface LeaseStore extends AutoCloseable {

    /** This JVM among those who share the table. */
    TableState.Member self();

    /** What a person can remove to begin anew when nobody uses the table; empty when it ends with this JVM. */
    Optional<Path> place();

    /**
     * Changes the table. Nobody else does so or looks at it meanwhile. What the step throws leaves the table as it was.
     *
     * @throws LeaseTableException when the table cannot be read or written; then it is as it was
     */
    <T> T change(Function<TableState, T> step);

    /** Whether a JVM that shares the table still runs. */
    boolean alive(TableState.Member member);

    /** Wakes a JVM that waits, if it can be reached. */
    void ring(TableState.Member member);

    /** Waits until this JVM is rung, or the time is over. */
    void awaitBell(Duration atMost) throws InterruptedException;

    /** Leaves the table to the others. */
    @Override
    void close();
}
