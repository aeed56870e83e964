package dev.neurontest.internal.cluster.rank;

import dev.neurontest.cluster.RankResult;
import dev.neurontest.internal.status.RuntimeWaits;
import dev.neurontest.runtime.RuntimeCause;
import dev.neurontest.runtime.RuntimeLine;
import dev.neurontest.workload.ChildEnd;
import dev.neurontest.workload.ExitCode;
import dev.neurontest.workload.WorkloadResult;
import java.util.Comparator;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The end of a rank.
 *
 * @param nanos the time of the end by {@link System#nanoTime}
 */
record RankEnd(RankResult rank, long nanos) {

    /** The order of the ends. Clocks for durations are compared by their difference, because they may overflow. */
    static final Comparator<RankEnd> EARLIEST_FIRST = (one, other) -> Long.signum(one.nanos - other.nanos);

    private static final Set<RuntimeCause> OF_ANOTHER_RANK =
            Set.of(RuntimeCause.RANK_GONE, RuntimeCause.HANG_ON_COLLECTIVES);
    private static final int COLLECTIVES = 1200;

    /** The pattern of lines of frameworks whose connection to another rank ended. */
    private static final Pattern PEER_GONE =
            Pattern.compile("(?i)connection (?:was )?(?:closed|reset) by (?:remote )?peer|remote process exited");

    private static final int LAST_LINES = 50;

    private ChildEnd.Cause cause() {
        return rank.result().map(WorkloadResult::cause).orElse(ChildEnd.Cause.EXITED);
    }

    /** Returns whether the rank failed without a request of this JVM and before its deadline. */
    boolean failedByItself() {
        return cause() == ChildEnd.Cause.EXITED && !rank.succeeded();
    }

    boolean timedOut() {
        return cause() == ChildEnd.Cause.TIMED_OUT;
    }

    boolean endedWithZero() {
        return rank.result().filter(WorkloadResult::endedWithZero).isPresent();
    }

    boolean wasStopped() {
        return cause() == ChildEnd.Cause.STOPPED;
    }

    /** Returns whether the rank ended with an exit code of its own, and its lines report only that another rank ended or hangs. */
    boolean isFollower() {
        return rank.result()
                .filter(result -> !isEndedBy("SIGKILL"))
                .filter(result -> result.report().lines().stream().noneMatch(line -> isOwn(result, line)))
                .filter(result -> result.report().lines().stream().anyMatch(RankEnd::isOfAnotherRank)
                        || lastLines(result).anyMatch(PEER_GONE.asPredicate()))
                .isPresent();
    }

    /** Returns whether a signal of this name ended the rank. */
    boolean isEndedBy(String signal) {
        return rank.result()
                .flatMap(WorkloadResult::exitCode)
                .flatMap(ExitCode::signal)
                .filter(signal::equals)
                .isPresent();
    }

    private static boolean isOfAnotherRank(RuntimeLine line) {
        return line.cause().filter(OF_ANOTHER_RANK::contains).isPresent()
                || line.status().filter(status -> status.code() == COLLECTIVES).isPresent();
    }

    /** Returns whether a line reports a fault of this rank's own hardware or port. */
    private static boolean isOwn(WorkloadResult result, RuntimeLine line) {
        return !isOfAnotherRank(line)
                && (result.report().verdict(line).keepsBack()
                        || line.cause().filter(RuntimeCause.PORT_TAKEN::equals).isPresent());
    }

    /** Returns whether the last lines of the rank report that it waits for another one. */
    boolean isWaiting() {
        return rank.result()
                .filter(result -> Stream.of(result.stdout(), result.stderr()).anyMatch(RuntimeWaits::isLastIn))
                .isPresent();
    }

    private static Stream<String> lastLines(WorkloadResult result) {
        return Stream.of(result.stdout(), result.stderr()).flatMap(output -> {
            String[] lines = output.split("\n");
            return Stream.of(lines).skip(Math.max(0, lines.length - LAST_LINES));
        });
    }
}
