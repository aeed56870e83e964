package dev.neurontest.lease.store;

import dev.neurontest.process.ProcessIdentity;
import dev.neurontest.process.ProcessTable;
import dev.neurontest.process.ProgramLock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The programs of leases by their numbers and their locks. A number decides where it can be seen; a lock decides where it cannot,
 * and for what a program has left. A lock that is free is never taken again, because its JVM has ended. What a test found is
 * remembered for those who look while the table is locked.
 *
 * <p>A held lock decides also against the boot id: containers of systemd-nspawn have one of their own.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LockedPrograms implements LeasePrograms {

    /** How often a lock is worth a test. */
    private static final long BETWEEN = Duration.ofSeconds(1).toNanos();

    private final ProcessTable processes;
    private final Predicate<String> exists;
    private final Function<String, ProgramLock.State> test;
    private final Map<String, Tested> tested = new ConcurrentHashMap<>();
    private final Set<String> wanted = ConcurrentHashMap.newKeySet();

    /**
     * The result of a test.
     *
     * @param named those that run without a free lock, by the name of the lock in their environment
     */
    private record Tested(ProgramLock.State state, List<ProcessIdentity> named, long at) {}

    /**
     * Creates a view that has tested nothing yet.
     *
     * @param exists returns at once whether there is a lock of that name
     * @param test tests a lock by its name
     */
    public LockedPrograms(ProcessTable processes, Predicate<String> exists, Function<String, ProgramLock.State> test) {
        this.processes = processes;
        this.exists = exists;
        this.test = test;
    }

    @Override
    public ProcessTable.Life life(ProcessIdentity process) {
        return processes.life(process);
    }

    @Override
    public Left left(List<ProcessIdentity> recorded, String lock) {
        Left byNumber = byNumber(recorded);
        if (lock.isEmpty()) {
            return byNumber;
        }
        if (!isTested(lock)) {
            return new Left(byNumber.processes(), ProgramLock.State.HELD);
        }
        Tested found = tested.get(lock);
        if (found.state() == ProgramLock.State.FREE) {
            return new Left(withoutLock(byNumber.processes(), found.named()), found.state());
        }
        wanted.add(lock);
        return new Left(byNumber.processes(), found.state());
    }

    @Override
    public boolean isTested(String lock) {
        if (lock.isEmpty() || tested.containsKey(lock)) {
            return true;
        }
        if (!exists.test(lock)) {
            tested.put(lock, new Tested(ProgramLock.State.UNKNOWN, List.of(), System.nanoTime()));
            return true;
        }
        wanted.add(lock);
        return false;
    }

    @Override
    public void test() {
        for (String lock : List.copyOf(wanted)) {
            wanted.remove(lock);
            Tested before = tested.get(lock);
            if (before == null || System.nanoTime() - before.at() >= BETWEEN) {
                tested.put(lock, tested(lock));
            }
        }
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
}
