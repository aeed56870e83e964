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
 * Which shard a class belongs to. It follows from the name, the number of shards and the timings alone: not from which classes a JVM has
 * discovered, nor in which order.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ShardPlan {

    private final int count;
    private final Map<String, Integer> timed;

    /** What a shard has to do so far. */
    private record Load(long nanos, int index) {}

    /**
     * Spreads the classes that have timings: the longest first, each to the shard with the least to do.
     *
     * @param count how many shards there are
     * @param timings of an earlier run
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
     * @param name of a class without others around it, or the unique id of what has no class
     * @return from 1
     */
    public int shardOf(String name) {
        Integer known = timed.get(name);
        return known != null ? known : (int) Long.remainderUnsigned(hash(name), count) + 1;
    }

    /**
     * Whether the timings have a class.
     *
     * @param name of the class
     * @return false when its shard follows from its name alone
     */
    public boolean isTimed(String name) {
        return timed.containsKey(name);
    }

    /** Never to be changed: shards of two versions of this library would lose tests. */
    static long hash(String name) {
        return ByteBuffer.wrap(Digest.sha256().digest(name.getBytes(StandardCharsets.UTF_8)))
                .getLong();
    }
}
