package dev.neurontest.internal.lease.store;

import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.internal.process.ProgramLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The programs of leases, identified by process numbers and locks. A visible process number decides whether a program runs. A
 * lock decides if the process is not visible, and for processes that a program left behind. A free lock is never taken again,
 * because its JVM has ended.
 *
 * <p>A held lock also takes precedence over the boot id, because containers of systemd-nspawn have their own boot id.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LeasePrograms {

    /** The minimum interval between two tests of a lock. Each test starts a program. */
    private static final long BETWEEN = Duration.ofSeconds(1).toNanos();

    private final ProcessTable processes;
    private final Function<String, ProgramLock.State> test;
    private final Map<String, Tested> tested = new ConcurrentHashMap<>();

    /**
     * The result of a test of a lock.
     *
     * @param named the processes that run without the free lock, found by the name of the lock in their environment
     */
    private record Tested(ProgramLock.State state, List<ProcessIdentity> named, long at) {

        private boolean isOld() {
            return state != ProgramLock.State.FREE && System.nanoTime() - at >= BETWEEN;
        }
    }

    /**
     * Creates the programs without any test results.
     *
     * @param test the function that tests a lock by its name
     */
    public LeasePrograms(ProcessTable processes, Function<String, ProgramLock.State> test) {
        this.processes = processes;
        this.test = test;
    }

    /**
     * The remaining programs of a lease.
     *
     * @param processes the processes that run or are not visible
     * @param lock the state of their lock
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Remaining(List<ProcessIdentity> processes, ProgramLock.State lock) {

        /** Checks whether no program of the lease can be running. */
        public boolean isNothing() {
            return processes.isEmpty() && lock != ProgramLock.State.HELD;
        }

        /** Returns the name of the lock that decides. If the lock is free, only process numbers decide, and the name is empty. */
        String decidingLock(String name) {
            return lock == ProgramLock.State.FREE ? "" : name;
        }
    }

    public ProcessTable.Liveness liveness(ProcessIdentity process) {
        return processes.liveness(process);
    }

    /** Finds the remaining processes by their numbers only. */
    public Remaining byNumber(List<ProcessIdentity> recorded) {
        List<ProcessIdentity> remaining = new ArrayList<>();
        for (ProcessIdentity process : recorded) {
            if (liveness(process) != ProcessTable.Liveness.ENDED) {
                remaining.add(process);
            }
        }
        return new Remaining(List.copyOf(remaining), ProgramLock.State.UNKNOWN);
    }

    /**
     * Finds the remaining programs of a lease after the end of its JVM.
     *
     * @param recorded the known processes
     * @param lock the name of the lock of its programs; empty if there is none
     */
    public Remaining remaining(List<ProcessIdentity> recorded, String lock) {
        Remaining byNumber = byNumber(recorded);
        if (lock.isEmpty()) {
            return byNumber;
        }
        Tested result =
                tested.compute(lock, (name, before) -> before == null || before.isOld() ? tested(name) : before);
        return result.state() == ProgramLock.State.FREE
                ? new Remaining(withoutLock(byNumber.processes(), result.named()), result.state())
                : new Remaining(byNumber.processes(), result.state());
    }

    private Tested tested(String lock) {
        ProgramLock.State state = test.apply(lock);
        List<ProcessIdentity> named = state == ProgramLock.State.FREE
                ? ProgramLock.named(lock).stream().map(processes::identity).toList()
                : List.of();
        return new Tested(state, named, System.nanoTime());
    }

    /** Returns the processes that run without the lock. A program might close its inherited descriptors. */
    private List<ProcessIdentity> withoutLock(List<ProcessIdentity> recorded, List<ProcessIdentity> named) {
        return Stream.concat(recorded.stream(), named.stream())
                .filter(process -> liveness(process) == ProcessTable.Liveness.ALIVE)
                .distinct()
                .toList();
    }

    /** Describes the running programs. */
    public String running(Remaining remaining) {
        boolean isLocked = remaining.lock() == ProgramLock.State.HELD;
        if (remaining.processes().isEmpty()) {
            return "a process that its program had started was alive";
        }
        return remaining.processes().stream()
                .map(process -> (liveness(process) == ProcessTable.Liveness.ALIVE
                                ? "its process %s was alive"
                                : isLocked
                                        ? "its process %s, of another container or user, or a process that it had started, was alive"
                                        : "its process %s, of another container or user, was not visible from here")
                        .formatted(process.pid()))
                .collect(Collectors.joining(", "));
    }
}
