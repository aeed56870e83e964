package dev.neurontest.internal.report.merge;

import static dev.neurontest.internal.evidence.RunLinesFixture.test;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunLinesFixture;
import dev.neurontest.internal.gate.GateRules;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.ReportedShards;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.ShardAttempt;
import dev.neurontest.internal.report.TestOutcome;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of run files of several hosts, each with a shard of one suite. */
class ShardsTest {

    private static final String CORE = "neuron0/neuron_core0";
    private static final String CODE = "c0de000000000000";

    @TempDir
    private Path folder;

    private long pid = 1;

    private static RunEvent.Sharded sharded(int shard, int count) {
        return new RunEvent.Sharded(shard, count, "", null, 0, CODE, false);
    }

    private static RunEvent.Sharded slurm(int shard, int count, String job, int restarts) {
        return new RunEvent.Sharded(shard, count, "", job, restarts, CODE, false);
    }

    private RunLinesFixture jvm(String machine, RunEvent.Sharded shard) {
        return new RunLinesFixture(pid++).started(machine).add(shard).onHardware();
    }

    /** Writes the run file of a JVM that ran one test and ended normally. */
    private void ran(String machine, RunEvent.Sharded shard, String test) throws IOException {
        jvm(machine, shard).ran(test(test), Outcome.PASSED, CORE).finished().writeTo(folder.resolve(machine));
    }

    private RunReport merged() {
        return RunReports.merge(List.of(folder), jvm -> false);
    }

    private static GateOutcome gate(RunReport report, String name) {
        return GateRules.ofDefaults().decide(report).stream()
                .filter(gate -> gate.gate().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String balance(RunReport report) {
        return ReportedShards.of(report.jvms()).balance().orElseThrow();
    }

    @Test
    void completeShardsFormOneRun() throws IOException {
        // given
        ran("n1", sharded(1, 2), "a");
        ran("n2", sharded(2, 2), "b");

        // when
        RunReport report = merged();

        // then
        assertThat(report.problems()).isEmpty();
        assertThat(report.notices()).isEmpty();
        assertThat(gate(report, "complete").passed()).isTrue();
        assertThat(ReportedShards.of(report.jvms()).attempts())
                .extracting(
                        ShardAttempt::name,
                        ShardAttempt::place,
                        ShardAttempt::host,
                        shard -> shard.tests(report.testsByJvm()))
                .containsExactly(
                        tuple(
                                "1/2",
                                "n1",
                                "trn2.48xlarge (real), driver 2.30.51.0, 16 devices with 64 cores, LNC 2",
                                1L),
                        tuple(
                                "2/2",
                                "n2",
                                "trn2.48xlarge (real), driver 2.30.51.0, 16 devices with 64 cores, LNC 2",
                                1L));
    }

    @Test
    void mayHaveSeveralJvmsOnTheirHost() throws IOException {
        // given: forks of Surefire, one of them without tests
        ran("n1", sharded(1, 2), "a");
        ran("n1", sharded(1, 2), "b");
        jvm("n1", sharded(1, 2)).finished().writeTo(folder);
        ran("n2", sharded(2, 2), "c");

        // when
        RunReport report = merged();

        // then
        assertThat(report.problems()).isEmpty();
        assertThat(ReportedShards.of(report.jvms()).attempts())
                .extracting(ShardAttempt::name, shard -> shard.jvms().size())
                .containsExactly(tuple("1/2", 3), tuple("2/2", 1));
    }

    @Test
    void sameTestInTwoJvmsOfShardIsNoticed() throws IOException {
        // given
        Path first = jvm("n1", sharded(1, 1))
                .ran(test("a"), Outcome.PASSED, CORE)
                .finished()
                .writeTo(folder);
        Path second = jvm("n1", sharded(1, 1))
                .ran(test("a"), Outcome.PASSED, CORE)
                .ran(test("b"), Outcome.PASSED, CORE)
                .finished()
                .writeTo(folder);

        // when
        RunReport report = merged();

        // then
        assertThat(report.problems()).isEmpty();
        assertThat(report.tests()).hasSize(3);
        assertThat(report.notices())
                .containsExactly(
                        "1 test ran in more than one JVM, and each time counts: BertTest > a() ran twice in shard 1/1 (%s and %s). A shard was run again, or two jobs had the same number."
                                .formatted(first, second));
    }

    static Stream<Arguments> incomplete() {
        return Stream.of(
                Arguments.of(
                        "Shards 2, 4-5 of 5 are missing: there is no run file of them. Run each missing shard (such as neuron.test.shard=2/5), or"
                                + " add the folder that it wrote to; if its node does not share that folder, copy it from there.",
                        List.of(sharded(1, 5), sharded(3, 5))),
                Arguments.of(
                        "Shard 1/2 ran twice at the same time, on n0 (Slurm job 11) and on n1 (Slurm job 12): two jobs had the same"
                                + " number, and another shard may have no job. Set a different neuron.test.shard for each job.",
                        List.of(slurm(1, 2, "Slurm job 11", 0), slurm(1, 2, "Slurm job 12", 0), sharded(2, 2))),
                Arguments.of(
                        "Shards of different counts are in one report: of 2 (shards 1-2), of 4 (shard 3). Tests may be in none of"
                                + " them. Start all shards of a run with the same count, and remove files of other runs.",
                        List.of(sharded(1, 2), sharded(2, 2), sharded(3, 4))),
                Arguments.of(
                        "Shards were cut by different timings files: file aaaa (shards 1-2), no file (shard 3). Tests may be in"
                                + " none of them, or in two. Set the same neuron.test.shard.timings for all shards of a run.",
                        List.of(
                                new RunEvent.Sharded(1, 3, "aaaa", null, 0, CODE, true),
                                new RunEvent.Sharded(2, 3, "aaaa", null, 0, CODE, true),
                                sharded(3, 3))),
                Arguments.of(
                        "Shards of different code are in one report: code 0ther (shard 2), code c0de000000000000 (shards 1, 3)."
                                + " Tests may be in none of them. Build once for all shards; where builds of one revision differ, set"
                                + " neuron.test.shard.code to the revision.",
                        List.of(
                                sharded(1, 3),
                                new RunEvent.Sharded(2, 3, "", null, 0, "0ther", false),
                                sharded(3, 3))));
    }

    @ParameterizedTest
    @MethodSource("incomplete")
    void incompatibleShardsLeaveRunIncomplete(String reason, List<RunEvent.Sharded> shards) throws IOException {
        // given
        for (int host = 0; host < shards.size(); host++) {
            ran("n" + host, shards.get(host), "t" + host);
        }

        // then
        assertThat(merged().problems()).containsExactly(reason);
        assertThat(gate(merged(), "complete")).satisfies(gate -> {
            assertThat(gate.passed()).isFalse();
            assertThat(gate.actual()).contains(reason);
        });
    }

    /** Verifies a shard on a node that failed at the start. */
    @Test
    void shardKilledBeforeFirstTestLeavesRunIncomplete() throws IOException {
        // given
        ran("n1", sharded(1, 2), "a");
        jvm("n2", slurm(2, 2, "Slurm job 7_2 on n2", 0)).writeTo(folder);

        // when
        RunReport report = merged();

        // then
        assertThat(gate(report, "complete").passed()).isFalse();
        assertThat(gate(report, "complete").actual())
                .contains("has no last line: its JVM was killed, or is still running.");
        assertThat(balance(report)).startsWith("2 of 2 shards (shard 2 did not end), the longest took ");
    }

    @Test
    void reportOfOneJobNeedsNoOtherShard() throws IOException {
        // given
        Path file = jvm("n1", sharded(1, 5))
                .ran(test("a"), Outcome.PASSED, CORE)
                .finished()
                .writeTo(folder);

        // then
        assertThat(RunReports.mergeOfOneJob(List.of(file)).problems()).isEmpty();
    }

    /** Verifies that a shard has the codes of all its test folders. Each fork of the shard reads another folder. */
    @Test
    void shardHasCodesOfAllItsTestFolders() throws IOException {
        // given
        ran("n1", sharded(1, 2), "a");
        ran("n1", new RunEvent.Sharded(1, 2, "", null, 0, "kotlin", false), "b");
        jvm("n2", sharded(2, 2))
                .add(new RunEvent.Sharded(2, 2, "", null, 0, "kotlin", false))
                .ran(test("c"), Outcome.PASSED, CORE)
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged().problems()).isEmpty();
    }

    @Test
    void timingsOfAnotherSuiteAreNoticed() throws IOException {
        // given
        ran("n1", new RunEvent.Sharded(1, 1, "aaaa", null, 0, CODE, false), "a");

        // then
        assertThat(merged().notices())
                .containsExactly(
                        "The timings file aaaa contains no class of these tests: it belongs to another suite, and the shards were cut"
                                + " by names alone. Set neuron.test.shard.timings to a neuron-report.json of this suite.");
    }

    @Nested
    class EmptyShards {

        @Test
        void passGatesInReportOfTheirJob() throws IOException {
            // given
            Path file = new RunLinesFixture(1)
                    .started("n1")
                    .add(sharded(8, 8))
                    .finished()
                    .writeTo(folder);

            // when
            RunReport report = RunReports.mergeOfOneJob(List.of(file));

            // then
            assertThat(gate(report, "ran").passed()).isTrue();
            assertThat(gate(report, "ran").actual()).isEqualTo("no test is in shard 8/8");
            assertThat(gate(report, "complete").passed()).isTrue();
        }

        @Test
        void areNotMissing() throws IOException {
            // given
            ran("n1", sharded(1, 2), "a");
            new RunLinesFixture(9).started("n2").add(sharded(2, 2)).finished().writeTo(folder);

            // then
            assertThat(merged().problems()).isEmpty();
        }

        @Test
        void failGateWhenAllShardsAreEmpty() throws IOException {
            // given
            for (int shard = 1; shard <= 2; shard++) {
                new RunLinesFixture(shard)
                        .started("n" + shard)
                        .add(sharded(shard, 2))
                        .finished()
                        .writeTo(folder);
            }

            // then
            assertThat(gate(merged(), "ran").passed()).isFalse();
        }

        @Test
        void failGateWhenTestsWereSkipped() throws IOException {
            // given
            Path file = jvm("n1", sharded(8, 8))
                    .ended(test("t"), Outcome.SKIPPED)
                    .finished()
                    .writeTo(folder);

            // then
            assertThat(gate(RunReports.mergeOfOneJob(List.of(file)), "ran").passed())
                    .isFalse();
        }
    }

    @Nested
    class RestartedShard {

        private final RunEvent.HostErrors counters = new RunEvent.HostErrors(
                RunEvent.Moment.START, Map.of("c", Optional.of(BigInteger.ONE)), Map.of(), Map.of(), Map.of());

        /** Writes a shard of a node that failed: one test has passed, one has failed, one was running. */
        private void killed(@Nullable String job) throws IOException {
            jvm("n1", new RunEvent.Sharded(1, 2, "", job, 0, CODE, false))
                    .add(counters)
                    .ran(test("passed"), Outcome.PASSED, CORE)
                    .ran(test("failed"), Outcome.FAILED, CORE)
                    .begun(test("running"), CORE)
                    .raw("{\"us\":3,\"ev")
                    .writeTo(folder);
        }

        private void again(String machine, @Nullable String job, int restarts) throws IOException {
            jvm(machine, new RunEvent.Sharded(1, 2, "", job, restarts, CODE, false))
                    .after(Duration.ofMinutes(5))
                    .ran(test("passed"), Outcome.PASSED, CORE)
                    .ran(test("failed"), Outcome.PASSED, CORE)
                    .ran(test("running"), Outcome.PASSED, CORE)
                    .finished()
                    .writeTo(folder);
        }

        @Test
        void countsTestsOnceAndKeepsFailures() throws IOException {
            // given
            killed("Slurm job 7");
            again("n2", "Slurm job 7", 1);
            ran("n3", sharded(2, 2), "other");

            // when
            RunReport report = merged();

            // then
            assertThat(report.problems()).isEmpty();
            assertThat(report.notices())
                    .contains(
                            "Shard 1/2 was started again on n2 (Slurm job 7, restart 1): its attempt on n1 (Slurm job 7)"
                                    + " was killed. Tests that both ran count once.");
            assertThat(report.tests())
                    .extracting(test -> test.id().name(), ReportedTest::outcome)
                    .containsExactlyInAnyOrder(
                            tuple("BertTest > failed()", TestOutcome.FAILED),
                            tuple("BertTest > failed()", TestOutcome.PASSED),
                            tuple("BertTest > passed()", TestOutcome.PASSED),
                            tuple("BertTest > running()", TestOutcome.PASSED),
                            tuple("BertTest > other()", TestOutcome.PASSED));
            assertThat(gate(report, "complete").passed()).isTrue();
            assertThat(gate(report, "lost.max").passed()).isTrue();
            assertThat(gate(report, "failed.max").passed()).isFalse();
        }

        @Test
        void keepsFailedAttemptOfTestThatPassed() throws IOException {
            // given
            jvm("n1", slurm(1, 2, "Slurm job 7", 0))
                    .ran(test("passed"), Outcome.FAILED, CORE)
                    .add(new RunEvent.PlanFinished())
                    .ran(test("passed"), Outcome.PASSED, CORE)
                    .begun(test("running"), CORE)
                    .writeTo(folder);
            again("n2", "Slurm job 7", 1);

            // when
            RunReport report = merged();

            // then
            assertThat(report.executions())
                    .filteredOn(test -> test.id().equals(test("passed")))
                    .extracting(ReportedTest::outcome)
                    .containsExactly(TestOutcome.FAILED, TestOutcome.PASSED, TestOutcome.PASSED);
            assertThat(gate(report, "flaky.max").passed()).isFalse();
        }

        /** Verifies the completion by a pod of Kubernetes, which has another name and no count of its restarts. */
        @Test
        void completesKilledShardOnAnotherMachine() throws IOException {
            // given
            killed(null);
            new RunLinesFixture(9)
                    .at("2026-11-21T09:30:00Z")
                    .started("pod-b")
                    .add(sharded(1, 2))
                    .ran(test("running"), Outcome.PASSED, CORE)
                    .finished()
                    .writeTo(folder);
            ran("n3", sharded(2, 2), "other");

            // when
            RunReport report = merged();

            // then
            assertThat(report.problems()).isEmpty();
            assertThat(report.tests()).extracting(ReportedTest::outcome).doesNotContain(TestOutcome.LOST);
        }

        @Test
        void isIncompleteWhenKilledAgain() throws IOException {
            // given
            killed("Slurm job 7");
            jvm("n2", slurm(1, 2, "Slurm job 7", 1))
                    .begun(test("running"), CORE)
                    .writeTo(folder);
            ran("n3", sharded(2, 2), "other");

            // when
            RunReport report = merged();

            // then
            assertThat(report.problems())
                    .singleElement()
                    .asString()
                    .contains("has no last line: JVM 2 of shard 1/2 on n2 was killed");
            assertThat(report.notices()).anyMatch(notice -> notice.contains("is torn after 11 bytes"));
            assertThat(report.tests())
                    .filteredOn(test -> test.outcome() == TestOutcome.LOST)
                    .singleElement()
                    .extracting(ReportedTest::jvm)
                    .isEqualTo(1);
        }

        @Test
        void killedShardWithoutRestartLosesItsTest() throws IOException {
            // given
            killed("Slurm job 7");
            ran("n3", sharded(2, 2), "other");

            // when
            RunReport report = merged();

            // then
            assertThat(report.tests())
                    .filteredOn(test -> test.outcome() == TestOutcome.LOST)
                    .extracting(ReportedTest::reason)
                    .containsExactly(Optional.of("JVM 1 of shard 1/2 on n1 was killed while the test was in its body"));
            assertThat(gate(report, "complete").passed()).isFalse();
            assertThat(gate(report, "complete").actual())
                    .contains(
                            "has no last line: JVM 1 of shard 1/2 on n1 was killed. Tests that it had not begun are in no"
                                    + " report.");
            assertThat(balance(report)).startsWith("2 of 2 shards (shard 1 did not end), the longest took ");
        }

        @ParameterizedTest
        @CsvSource({"n1, n1", "'', a machine without a name"})
        void isNoticedWhenFirstAttemptHadEnded(String machine, String shown) throws IOException {
            // given
            ran(machine, sharded(1, 1), "a");
            new RunLinesFixture(9)
                    .at("2026-11-21T09:30:00Z")
                    .started("n2")
                    .add(sharded(1, 1))
                    .ran(test("a"), Outcome.PASSED, CORE)
                    .finished()
                    .writeTo(folder);

            // when
            RunReport report = merged();

            // then
            assertThat(report.problems()).isEmpty();
            assertThat(report.notices())
                    .contains("Shard 1/1 ran on %s and later on n2, although the first had ended. Both count."
                            .formatted(shown));
        }
    }
}
