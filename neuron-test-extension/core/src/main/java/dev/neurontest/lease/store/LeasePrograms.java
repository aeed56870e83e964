package dev.neurontest.lease.store;

import dev.neurontest.process.ProcessIdentity;
import dev.neurontest.process.ProcessTable;
import dev.neurontest.process.ProgramLock;
import java.util.List;
import org.apiguardian.api.API;

/** A view of the programs of leases, for one that looks whether they still run. */
@API(status = API.Status.INTERNAL, since = "0.1")
@FunctionalInterface
public interface LeasePrograms {

    /** Returns whether a process runs, by its number. */
    ProcessTable.Life life(ProcessIdentity process);

    /**
     * Looks for the programs of a lease that cannot be asked for, because its JVM has ended.
     *
     * @param recorded the processes that are known
     * @param lock the name of what its programs keep locked
     */
    default Left left(List<ProcessIdentity> recorded, String lock) {
        return byNumber(recorded);
    }

    /**
     * Returns whether {@link #left} decides. A test of a lock takes milliseconds, too long for a thread that has the table locked, so
     * that {@link #test} comes first.
     *
     * @param lock the name of what programs keep locked
     */
    default boolean isTested(String lock) {
        return true;
    }

    /** Tests the locks that were needed. The table is not locked meanwhile. */
    default void test() {}

    /** Looks for the recorded processes only. */
    default Left byNumber(List<ProcessIdentity> recorded) {
        return new Left(
                recorded.stream()
                        .filter(process -> life(process) != ProcessTable.Life.ENDED)
                        .toList(),
                ProgramLock.State.UNKNOWN);
    }

    /**
     * The rest of the programs of a lease.
     *
     * @param processes those that run or cannot be seen
     * @param lock the state of their lock
     */
    record Left(List<ProcessIdentity> processes, ProgramLock.State lock) {

        /** Returns whether it is certain that no program of the lease runs. */
        boolean isNothing() {
            return processes.isEmpty() && lock != ProgramLock.State.HELD;
        }
    }
}
