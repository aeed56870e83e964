package dev.neurontest.internal.shard;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.apiguardian.api.API;

/**
 * The assignment of classes to shards. It depends only on the name, the number of shards and the timings. It does not depend on
 * the classes that a JVM has discovered or on their order.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ShardPlan {

    private final int count;
    private final Map<String, Integer> timed;

    /** The total duration of a shard so far. */
    private record Load(long nanos, int index) {}

    /**
     * Creates the plan. Classes with timings are distributed first: the longest first, each to the shard with the least load.
     *
     * @param count the number of shards
     * @param timings the timings of an earlier run
     */
    public ShardPlan(int count, Timings timings) {
        this.count = count;
        this.timed = new HashMap<>();
        PriorityQueue<Load> loads =
                new PriorityQueue<>(Comparator.comparingLong(Load::nanos).thenComparingInt(Load::index));
        for (int index = 1; index <= count; index++) {
            loads.add(new Load(0, index));
        }
        List<Map.Entry<String, Long>> longestFirst = timings.nanos().entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .toList();
        for (Map.Entry<String, Long> each : longestFirst) {
            Load least = loads.remove();
            timed.put(each.getKey(), least.index());
            loads.add(new Load(least.nanos() + each.getValue(), least.index()));
        }
    }

    /**
     * Finds the shard of a class.
     *
     * @param name the name of an outermost class, or the unique id of a test without a class
     * @return the number of the shard, from 1
     */
    public int shardOf(String name) {
        Integer known = timed.get(name);
        return known != null ? known : (int) Long.remainderUnsigned(hash(name), count) + 1;
    }

    /**
     * Checks whether the timings contain a class.
     *
     * @return false if its shard depends only on its name
     */
    public boolean isTimed(String name) {
        return timed.containsKey(name);
    }

    /** Returns a hash of a name. It must never change, because shards with two versions of this library would lose tests. */
    static long hash(String name) {
        return ByteBuffer.wrap(Digest.sha256().digest(name.getBytes(StandardCharsets.UTF_8)))
                .getLong();
    }
}
