package dev.neurontest.internal.cluster.rank;

import static dev.neurontest.internal.cluster.rank.RankFixture.GONE;
import static dev.neurontest.internal.cluster.rank.RankFixture.WAITS;
import static dev.neurontest.internal.cluster.rank.RankFixture.exited;
import static dev.neurontest.internal.cluster.rank.RankFixture.lost;
import static dev.neurontest.internal.cluster.rank.RankFixture.stopped;
import static dev.neurontest.internal.cluster.rank.RankFixture.timedOut;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.cluster.ClusterFailure;
import dev.neurontest.cluster.ClusterResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterMessageTest {

    private static final long DEADLINE = Duration.ofSeconds(60).toNanos();

    private static ClusterResult result(List<RankEnd> ends) {
        return FirstEnd.of(ends, DEADLINE, null).result("train.py", ends, Duration.ofMillis(1234));
    }

    private static String message(RankEnd... ends) {
        return new ClusterMessage(result(List.of(ends))).text();
    }

    @Test
    void showsFirstRankAndLineForEachOther() {
        assertThat(message(
                        exited(0, 30, 1, GONE),
                        exited(1, 30, 1, "ValueError: 7"),
                        exited(2, 20, 3, "nrt_execute status=1202"),
                        exited(3, 10, 0, "")))
                .isEqualTo("""
                        Workload train.py failed on 2 hosts: rank 2 of 4 failed first, on host1 (local rank 0).

                        Workload infer.py on cores 8-11 ended with exit code 3 after 3.210 s: NRT_EXEC_HW_ERR_NC_UE (1202), an uncorrectable error of a core's memory, with wrong results

                          NRT_EXEC_HW_ERR_NC_UE (1202) at execution: an uncorrectable error of a core's memory, with wrong results
                            Cause: hardware that needs to be replaced.
                            Next: Replace the instance; AWS announces its retirement within 15 minutes.

                          command: python infer.py --token ***

                          stderr: nothing

                          last lines of stdout:
                            nrt_execute status=1202

                          full output: /out/workload-infer.py/stdout.log and stderr.log

                          the other ranks:
                            rank 0 on host0 ended with exit code 1, after another rank
                            rank 1 on host0 ended with exit code 1: ValueError: 7
                            rank 3 on host1 ended with exit code 0
                        """);
    }

    @Test
    void countsEqualEndsOf64Ranks() {
        List<RankEnd> ends = new ArrayList<>();
        for (int rank = 0; rank < 64; rank++) {
            ends.add(rank == 40 ? exited(40, 10, 3, "bad") : rank < 8 ? exited(rank, 20, 1, GONE) : stopped(rank, 30));
        }

        assertThat(new ClusterMessage(result(ends)).text()).endsWith("""

                  the other ranks:
                    8 ranks (0-7) on host0, host1, host2 and 1 more ended with exit code 1, after another rank
                    55 ranks (8-39, 41-63) on host4, host5, host6 and 25 more stopped
                """);
    }

    @Test
    void boundsNumberOfDifferentEnds() {
        List<RankEnd> ends = new ArrayList<>();
        for (int rank = 0; rank < 64; rank++) {
            ends.add(exited(rank, rank, 1, "error " + rank));
        }

        assertThat(new ClusterMessage(result(ends)).text())
                .contains("    rank 12 on host6 ended with exit code 1: error 12\n")
                .doesNotContain("error 13\n")
                .endsWith("    and 51 ranks with further ends\n");
    }

    @Test
    void namesLostHost() {
        assertThat(message(stopped(0, 20), stopped(1, 20), lost(2, 10), lost(3, 11)))
                .isEqualTo("""
                        Workload train.py lost a host: host1 with rank 2 of 4.

                        host1: the connection to its agent ended.

                          the other ranks:
                            2 ranks (0-1) on host0 stopped
                            rank 3 on host1 lost with the host
                        """);
    }

    @Test
    void namesLateRankAndThoseThatWait() {
        assertThat(message(timedOut(0, WAITS), timedOut(1, "compiling"), timedOut(2, WAITS)))
                .startsWith(
                        "Workload train.py reached its deadline on 2 hosts: rank 1 of 3 on host0 (local rank 1) was late, and 2 ranks waited (0, 2).\n")
                .endsWith("    2 ranks (0, 2) on host0, host1 waited until the deadline\n");
    }

    @Test
    void doesNotGuessLateRankWhenNoneWaits() {
        assertThat(message(timedOut(0, "step 1"), timedOut(1, "step 1")))
                .startsWith(
                        "Workload train.py reached its deadline on 1 host: 2 ranks still running, and no line shows for which one the others wait.\n");
    }

    @Test
    void namesRankWithExitCodeZeroWhenOthersWaitForIt() {
        assertThat(message(timedOut(0, WAITS), exited(1, 10, 0, "")))
                .startsWith(
                        "Workload train.py reached its deadline on 1 host: all ranks that still ran waited for another one (0).\n"
                                + "  It reports that another rank is gone or late, and before it only ranks with exit code 0 ended: 1.\n");
    }

    @Test
    void advisesOnPortInUse() {
        assertThat(message(exited(0, 10, 1, "Failed to bind(127.0.0.1<59573>) Address already in use"), stopped(1, 20)))
                .contains("  Rank 0 could not open a port, because another program uses it. Run the test again,");
    }

    @Test
    void escapesOutputInFailure() {
        assertThat(new ClusterFailure(result(List.of(exited(0, 10, 1, "\u001b[31mred\n::error::stop")))))
                .message()
                .contains("\\u001b[31mred", ":\\u003aerror::stop");
    }

    @Test
    void describesSuccessInOneLine() {
        assertThat(result(List.of(exited(0, 10, 0, ""), exited(2, 10, 0, ""))))
                .hasToString("Workload train.py: 2 ranks on 2 hosts ended as expected after 1.2 s");
    }
}
