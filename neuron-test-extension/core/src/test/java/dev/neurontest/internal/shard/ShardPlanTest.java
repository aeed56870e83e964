package dev.neurontest.internal.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardPlanTest {

    /** Verifies that all versions of this library divide the suite in the same way. */
    @ParameterizedTest
    @CsvSource({
        "com.acme.BertTest, 2e5294a307014b81, 1, 2, 322",
        "com.acme.LlamaTest, c6f6e64a7eb4c07b, 2, 4, 60",
        "[engine:cucumber]/[feature:infer.feature], f7b30b7480d7f3f5, 2, 6, 830",
        "é, 4a99557e4033c353, 1, 4, 52",
    })
    void withoutTimingsPlanNeverChanges(String name, String hash, int of3, int of8, int of1000) {
        // then
        assertThat(Long.toHexString(ShardPlan.hash(name))).isEqualTo(hash);
        assertThat(List.of(3, 8, 1000))
                .extracting(count -> new ShardPlan(count, Timings.NONE).shardOf(name))
                .containsExactly(of3, of8, of1000);
    }

    @Test
    void withoutTimingsNamesSpreadEvenly() {
        // given
        ShardPlan plan = new ShardPlan(8, Timings.NONE);

        // when
        Map<Integer, Long> sizes = IntStream.range(0, 8000)
                .mapToObj(number -> "com.acme.Kernel" + number + "Test")
                .collect(Collectors.groupingBy(plan::shardOf, Collectors.counting()));

        // then
        assertThat(sizes)
                .hasSize(8)
                .allSatisfy((shard, size) -> assertThat(size).isBetween(900L, 1100L));
    }

    @Test
    void withTimingsLongestClassGoesToLeastLoadedShard() {
        // given
        Timings timings = new Timings(Map.of("a.A", 7L, "a.B", 5L, "a.C", 4L, "a.D", 3L, "a.E", 1L), "x");

        // when
        ShardPlan plan = new ShardPlan(2, timings);

        // then: 7 | 5, then 4 joins 5, then 3 joins 7, then 1 joins 9
        assertThat(List.of("a.A", "a.B", "a.C", "a.D", "a.E"))
                .extracting(plan::shardOf)
                .containsExactly(1, 2, 2, 1, 2);
    }

    @Test
    void withEqualTimingsClassesAreAssignedByName() {
        // given
        Map<String, Long> same = new LinkedHashMap<>();
        List.of("a.D", "a.A", "a.C", "a.B").forEach(name -> same.put(name, 5L));

        // when
        ShardPlan plan = new ShardPlan(2, new Timings(same, "x"));

        // then
        assertThat(List.of("a.A", "a.B", "a.C", "a.D"))
                .extracting(plan::shardOf)
                .containsExactly(1, 2, 1, 2);
    }

    @Test
    void classWithoutTimingIsAssignedByHash() {
        // given
        ShardPlan plan = new ShardPlan(8, new Timings(Map.of("a.A", 7L), "x"));

        // then
        assertThat(plan.isTimed("a.A")).isTrue();
        assertThat(plan.isTimed("com.acme.LlamaTest")).isFalse();
        assertThat(plan.shardOf("com.acme.LlamaTest")).isEqualTo(4);
    }

    /** Verifies the promised balance, the longest shard over the mean, if no single class takes longer. */
    @ParameterizedTest
    @CsvSource({"50, 2000", "1000, 10000", "1000, 20000"})
    void withTimingsPlanIsBalanced(int shards, int classes) {
        // when
        LongSummaryStatistics loads = loads(shards, suite(classes));

        // then
        assertThat(loads.getMax() / loads.getAverage()).isLessThan(1.1);
    }

    @Test
    void classLongerThanMeanHasShardAlone() {
        // given
        Map<String, Long> nanos = suite(10000);
        nanos.put("a.Huge", nanos.values().stream().mapToLong(Long::longValue).sum() / 100);

        // then
        assertThat(loads(1000, nanos).getMax()).isEqualTo(nanos.get("a.Huge"));
    }

    private static Map<String, Long> suite(int classes) {
        Random random = new Random(1);
        Map<String, Long> nanos = new LinkedHashMap<>();
        IntStream.range(0, classes)
                .forEach(number -> nanos.put("a.T" + number, (long) (1e9 * Math.exp(0.5 * random.nextGaussian()))));
        return nanos;
    }

    private static LongSummaryStatistics loads(int shards, Map<String, Long> nanos) {
        ShardPlan plan = new ShardPlan(shards, new Timings(nanos, "x"));
        long[] loads = new long[shards];
        nanos.forEach((name, took) -> loads[plan.shardOf(name) - 1] += took);
        return LongStream.of(loads).summaryStatistics();
    }

    @ParameterizedTest
    @CsvSource({
        "com.acme.BertTest, com.acme.BertTest",
        "com.acme.BertTest$Large, com.acme.BertTest",
        "com.acme.BertTest$Large$Batch, com.acme.BertTest",
        "BertTest$Large, BertTest",
        "com.acme.$Odd, com.acme.$Odd",
    })
    void nestedClassBelongsToOutermostClass(String name, String outermost) {
        // then
        assertThat(TestClassName.outermost(name)).isEqualTo(outermost);
    }
}
