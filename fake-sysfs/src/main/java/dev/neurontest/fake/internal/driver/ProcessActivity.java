package dev.neurontest.fake.internal.driver;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/** The executions of one process: its counts on each core, and the durations of the last executions. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProcessActivity {

    private static final int MOST_DURATIONS = 10_000;

    // Guarded by this.
    private final Map<Core, long[]> counts = new HashMap<>();
    private final Deque<Executions> last = new ArrayDeque<>();
    private long calls;

    /**
     * Successful executions that took the same time.
     *
     * @param number the number of the call that counted them, from 1
     * @param microseconds the duration of each
     * @param times the number of executions
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Executions(long number, long microseconds, long times) {}

    synchronized void count(Core core, ExecutionCounter counter, long by) {
        counts.computeIfAbsent(core, none -> new long[ExecutionCounter.COUNT])[counter.ordinal()] += by;
    }

    synchronized void executed(long microseconds, long times) {
        last.add(new Executions(++calls, microseconds, times));
        if (last.size() > MOST_DURATIONS) {
            last.remove();
        }
    }

    /**
     * Returns a count of the process since its start.
     *
     * @param core a physical core
     * @return the count in the unit of sysfs
     */
    public synchronized long count(Core core, ExecutionCounter counter) {
        long[] ofCore = counts.get(core);
        return ofCore == null ? 0 : ofCore[counter.ordinal()] * counter.scale();
    }

    /**
     * Returns the successful executions after a call, at most the last ten thousand calls.
     *
     * @param number the number of a call; 0 for all
     * @return in the order in which they were counted
     */
    public synchronized List<Executions> after(long number) {
        return last.stream().filter(each -> each.number() > number).toList();
    }
}
