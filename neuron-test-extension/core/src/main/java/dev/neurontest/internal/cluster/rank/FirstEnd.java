package dev.neurontest.internal.cluster.rank;

import dev.neurontest.cluster.ClusterResult;
import dev.neurontest.cluster.RankResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rank that explains the failure of a workload. Times are those of clocks for durations, because the system clocks of hosts may differ.
 *
 * @param rank the rank; empty without a failure
 * @param unmet the violated expectation; empty without a failure
 */
record FirstEnd(OptionalInt rank, Optional<String> unmet) {

    static final String EXIT = "exit code 0 of each rank";
    static final String ANSWER = "an answer of each host";
    static final String DEADLINE = "an end before its deadline";
    static final String TEST = "an end before that of its test";
    static final String INTERRUPTION = "an end without an interruption";

    /**
     * Finds the rank.
     *
     * @param ends the ends of all ranks
     * @param deadlineNanos the deadline by {@link System#nanoTime}
     * @param stopped the violated expectation of a workload that was stopped; null if stopping it is no failure
     */
    static FirstEnd of(List<RankEnd> ends, long deadlineNanos, @Nullable String stopped) {
        // A scheduler that loses a host sends SIGTERM to the ranks of the others, often before the loss is seen here.
        boolean hostIsLost = ends.stream().anyMatch(end -> end.rank().lost().isPresent());
        Optional<RankEnd> failed = first(
                ends,
                end -> end.failedByItself() && end.nanos() - deadlineNanos < 0,
                end -> end.isFollower() || hostIsLost && end.isEndedBy("SIGTERM"));
        if (failed.isPresent()) {
            RankResult rank = failed.get().rank();
            return new FirstEnd(
                    OptionalInt.of(rank.rank()), Optional.of(rank.lost().isPresent() ? ANSWER : EXIT));
        }
        Optional<RankEnd> late =
                first(ends, end -> end.timedOut() || end.failedByItself(), end -> end.isWaiting() || !end.timedOut());
        if (late.isPresent()) {
            return new FirstEnd(OptionalInt.of(late.get().rank().rank()), Optional.of(DEADLINE));
        }
        return stopped == null
                ? new FirstEnd(OptionalInt.empty(), Optional.empty())
                : ends.stream()
                        .filter(RankEnd::wasStopped)
                        .findFirst()
                        .map(end -> new FirstEnd(OptionalInt.of(end.rank().rank()), Optional.of(stopped)))
                        .orElseGet(() -> new FirstEnd(OptionalInt.empty(), Optional.empty()));
    }

    /** Returns the earliest of some ends, an end that follows from another one only if there is no other. */
    private static Optional<RankEnd> first(
            List<RankEnd> ends, Predicate<RankEnd> among, Predicate<RankEnd> followsFromAnother) {
        List<RankEnd> candidates = ends.stream().filter(among).toList();
        return Stream.of(candidates.stream().filter(followsFromAnother.negate()), candidates.stream())
                .flatMap(some -> some.min(RankEnd.EARLIEST_FIRST).stream())
                .findFirst();
    }

    ClusterResult result(String name, List<RankEnd> ends, Duration duration) {
        return new ClusterResult(name, ends.stream().map(RankEnd::rank).toList(), rank, unmet, duration);
    }
}
