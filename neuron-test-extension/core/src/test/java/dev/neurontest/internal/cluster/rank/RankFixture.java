package dev.neurontest.internal.cluster.rank;

import dev.neurontest.cluster.RankResult;
import dev.neurontest.workload.ChildEnd.Cause;
import dev.neurontest.workload.ResultFixture;
import dev.neurontest.workload.WorkloadResult;
import java.time.Duration;
import java.util.Optional;

/** Ends of ranks, created by hand. The rank n is on the host n / 2. */
final class RankFixture {

    static final String GONE = "NRT: RX, connection closed by remote peer";
    static final String WAITS = "NRT: Timeout waiting for RX (waited 120 sec) - retrying";

    private RankFixture() {}

    static RankEnd rank(int rank, long nanos, WorkloadResult result) {
        return new RankEnd(
                new RankResult(rank, "host" + rank / 2, rank % 2, Optional.of(result), Optional.empty()), nanos);
    }

    static RankEnd exited(int rank, long nanos, int code, String line) {
        return rank(rank, nanos, ResultFixture.printed(Cause.EXITED, code, line));
    }

    static RankEnd stopped(int rank, long nanos) {
        return rank(rank, nanos, ResultFixture.ended(Cause.STOPPED, 143));
    }

    static RankEnd timedOut(int rank, String line) {
        return rank(rank, Duration.ofSeconds(60).toNanos() + rank, ResultFixture.printed(Cause.TIMED_OUT, 143, line));
    }

    static RankEnd lost(int rank, long nanos) {
        return new RankEnd(
                new RankResult(
                        rank,
                        "host" + rank / 2,
                        rank % 2,
                        Optional.empty(),
                        Optional.of("host" + rank / 2 + ": the connection to its agent ended.")),
                nanos);
    }
}
