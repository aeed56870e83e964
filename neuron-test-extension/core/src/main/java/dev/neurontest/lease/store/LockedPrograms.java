package dev.neurontest.lease.store;

import dev.neurontest.process.ProgramLock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The programs of leases by their numbers and their locks. A number decides where it can be seen; a lock decides where it cannot,
 * and for what a program has left. A lock that is free is never taken again, because its JVM has ended.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LockedPrograms implements LeasePrograms {

    /** How long a test is believed that started a program. */
    private static final Duration REMEMBERED = Duration.ofSeconds(1);

    private final ProcessTable processes;
    private final Function<String, ProgramLock.State> test;
    private final Map<String, Tested> tested = new HashMap<>();

    /** The result of a test. */
    private record Tested(ProgramLock.State state, long at) {

        boolean isOld() {
            return state != ProgramLock.State.FREE && System.nanoTime() - at > REMEMBERED.toNanos();
        }
    }

    /**
     * Creates a view that has tested nothing yet.
     *
     * @param test tests a lock by its name
     */
    public LockedPrograms(ProcessTable processes, Function<String, ProgramLock.State> test) {
        this.processes = processes;
        this.test = test;
    }

    @Override
    public ProcessTable.Life life(ProcessIdentity process) {
        return processes.life(process);
    }

    @Override
    public Left left(List<ProcessIdentity> recorded, String lock) {
        Left byNumber = byNumber(recorded);
        boolean isOfAnotherBoot = !recorded.isEmpty() && recorded.stream().allMatch(processes::isOfAnotherBoot);
        if (lock.isEmpty() || isOfAnotherBoot) {
            return byNumber;
        }
        ProgramLock.State state = state(lock);
        return new Left(
                state == ProgramLock.State.FREE ? seen(byNumber.processes(), lock) : byNumber.processes(), state);
    }

    private synchronized ProgramLock.State state(String lock) {
        Tested before = tested.get(lock);
        if (before == null || before.isOld()) {
            before = new Tested(test.apply(lock), System.nanoTime());
            tested.put(lock, before);
        }
        return before.state();
    }

    /** Returns those that run without the lock: a program may close what it inherits. */
    private List<ProcessIdentity> seen(List<ProcessIdentity> left, String lock) {
        List<ProcessIdentity> alive = left.stream()
                .filter(process -> life(process) == ProcessTable.Life.ALIVE)
                .toList();
        return alive.size() == left.size()
                ? alive
                : Stream.concat(
                                alive.stream(),
                                ProgramLock.named(lock).stream()
                                        .map(processes::identity)
                                        .filter(process -> life(process) == ProcessTable.Life.ALIVE))
                        .distinct()
                        .toList();
    }
}
