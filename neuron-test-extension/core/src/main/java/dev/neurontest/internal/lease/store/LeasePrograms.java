package dev.neurontest.internal.lease.store;

import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.internal.process.ProgramLock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The programs of leases by their numbers and their locks. A number decides where it can be seen; a lock decides where it cannot,
 * and for what a program has left. A lock that is free is never taken again, because its JVM has ended.
 *
 * <p>A held lock decides also against the boot id: containers of systemd-nspawn have one of their own.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LeasePrograms {

    /** The interval between two tests of a lock, each of which starts a program. */
    private static final long BETWEEN = Duration.ofSeconds(1).toNanos();

    private final ProcessTable processes;
    private final Function<String, ProgramLock.State> test;
    private final Map<String, Tested> tested = new ConcurrentHashMap<>();

    /**
     * The result of a test.
     *
     * @param named those that run without a free lock, by the name of the lock in their environment
     */
    private record Tested(ProgramLock.State state, List<ProcessIdentity> named, long at) {

        private boolean isOld() {
            return state != ProgramLock.State.FREE && System.nanoTime() - at >= BETWEEN;
        }
    }

    /**
     * Creates a view that has tested nothing yet.
     *
     * @param test tests a lock by its name
     */
    public LeasePrograms(ProcessTable processes, Function<String, ProgramLock.State> test) {
        this.processes = processes;
        this.test = test;
    }

    /**
     * The rest of the programs of a lease.
     *
     * @param processes those that run or cannot be seen
     * @param lock the state of their lock
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Left(List<ProcessIdentity> processes, ProgramLock.State lock) {

        /** Returns whether it is certain that no program of the lease runs. */
        public boolean isNothing() {
            return processes.isEmpty() && lock != ProgramLock.State.HELD;
        }

        /** Returns the lock that decides; a program that runs without a lock that is free is known by its number only. */
        String lockThatDecides(String name) {
            return lock == ProgramLock.State.FREE ? "" : name;
        }
    }

    /** Returns whether a process runs, by its number. */
    public ProcessTable.Life life(ProcessIdentity process) {
        return processes.life(process);
    }

    /** Looks for the recorded processes only. */
    public Left byNumber(List<ProcessIdentity> recorded) {
        return new Left(
                recorded.stream()
                        .filter(process -> life(process) != ProcessTable.Life.ENDED)
                        .toList(),
                ProgramLock.State.UNKNOWN);
    }

    /**
     * Looks for the programs of a lease that cannot be asked for, because its JVM has ended.
     *
     * @param recorded the processes that are known
     * @param lock the name of what its programs keep locked; empty without
     */
    public Left left(List<ProcessIdentity> recorded, String lock) {
        Left byNumber = byNumber(recorded);
        if (lock.isEmpty()) {
            return byNumber;
        }
        Tested found = tested.compute(lock, (name, before) -> before == null || before.isOld() ? tested(name) : before);
        return found.state() == ProgramLock.State.FREE
                ? new Left(withoutLock(byNumber.processes(), found.named()), found.state())
                : new Left(byNumber.processes(), found.state());
    }

    private Tested tested(String lock) {
        ProgramLock.State state = test.apply(lock);
        List<ProcessIdentity> named = state == ProgramLock.State.FREE
                ? ProgramLock.named(lock).stream().map(processes::identity).toList()
                : List.of();
        return new Tested(state, named, System.nanoTime());
    }

    /** Returns those that run without the lock: a program may close what it inherits. */
    private List<ProcessIdentity> withoutLock(List<ProcessIdentity> recorded, List<ProcessIdentity> named) {
        return Stream.concat(recorded.stream(), named.stream())
                .filter(process -> life(process) == ProcessTable.Life.ALIVE)
                .distinct()
                .toList();
    }

    /** Describes what runs. */
    public String running(Left left) {
        boolean isLocked = left.lock() == ProgramLock.State.HELD;
        if (left.processes().isEmpty()) {
            return "a process that its program had started was alive";
        }
        return left.processes().stream()
                .map(process -> (life(process) == ProcessTable.Life.ALIVE
                                ? "its process %s was alive"
                                : isLocked
                                        ? "its process %s, of another container or user, or what that had started, was alive"
                                        : "its process %s, of another container or user, could not be seen from here")
                        .formatted(process.pid()))
                .collect(Collectors.joining(", "));
    }
}
