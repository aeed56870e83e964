package dev.neurontest.internal.report.merge;

import static dev.neurontest.internal.evidence.RunLinesFixture.test;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunLinesFixture;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.report.RunReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of run files of several runs in one folder. */
class RunsTest {

    private static final String CORE = "neuron0/neuron_core3";

    @TempDir
    private Path folder;

    private static RunLinesFixture jvm(long pid, String run, boolean chosen) {
        return new RunLinesFixture(pid)
                .after(Duration.ofMinutes(pid))
                .started("ip-10-0-0-7")
                .add(new RunEvent.PartOfRun(run, chosen));
    }

    private void ran(long pid, String run, String... tests) throws IOException {
        RunLinesFixture jvm = jvm(pid, run, false);
        for (String test : tests) {
            jvm.ran(test(test), Outcome.PASSED, CORE);
        }
        jvm.finished().writeTo(folder);
    }

    private RunReport merged(RunChoice choice) {
        return RunReports.merge(List.of(folder), choice, (read, all) -> {});
    }

    private List<String> tests(RunChoice choice) {
        return merged(choice).tests().stream()
                .map(test -> test.id().name() + " " + test.started().toString().substring(14, 16))
                .toList();
    }

    @Test
    void omitsOlderRunWhenNewestRanItsTests() throws IOException {
        // given
        ran(1, "first", "a", "b");
        ran(2, "second", "a", "b", "c");

        // then
        assertThat(tests(RunChoice.ONE)).allMatch(test -> test.endsWith(" 02")).hasSize(3);
        assertThat(merged(RunChoice.ONE).problems()).isEmpty();
        assertThat(merged(RunChoice.ONE).notices())
                .containsExactly("This is the newest of 2 runs. Left out: \"first\" (2 tests).");
    }

    @Test
    void namesTestMissingInNewestRunUnlessRunIsChosen() throws IOException {
        // given
        ran(1, "first", "a", "b");
        ran(2, "second", "a");

        // when
        RunReport report = merged(RunChoice.ONE);

        // then
        assertThat(report.tests()).hasSize(3);
        assertThat(report.problems()).hasSize(2);
        assertThat(report.problems().get(0))
                .startsWith(
                        "The newest of 2 runs did not finish 1 test of the others: BertTest > b(). Choose with --run=newest");
        assertThat(report.problems().get(1))
                .startsWith("Run files of 2 runs are together: \"first\" (2026-11-21T09:01:00Z to ");
        assertThat(tests(RunChoice.NEWEST)).containsExactly("BertTest > a() 02");
        assertThat(merged(RunChoice.NEWEST).problems()).isEmpty();
        assertThat(tests(RunChoice.ALL)).hasSize(3);
        assertThat(merged(RunChoice.ALL).problems()).isEmpty();
    }

    @Test
    void reportsLostTestOfOlderRunAsMissing() throws IOException {
        // given
        jvm(1, "first", false).add(new RunEvent.Planned(test("b"))).writeTo(folder);
        ran(2, "second", "a");

        // then
        assertThat(merged(RunChoice.ONE).problems()).anyMatch(problem -> problem.contains("others: BertTest > b()"));
    }

    @Test
    void reportsTestUnfinishedInNewestRunAsMissing() throws IOException {
        // given
        ran(1, "first", "a");
        jvm(2, "second", false).begun(test("a"), CORE).finished().writeTo(folder);

        // then
        assertThat(merged(RunChoice.ONE).problems()).anyMatch(problem -> problem.contains("others: BertTest > a()"));
    }

    /** Verifies two builds at the same time: neither is older, and failures of both count. */
    @Test
    void reportsOverlappingRunsAsProblem() throws IOException {
        // given
        jvm(1, "first", false)
                .after(Duration.ofMinutes(9))
                .ran(test("a"), Outcome.FAILED, CORE)
                .finished()
                .writeTo(folder);
        ran(2, "second", "a");

        // then
        assertThat(tests(RunChoice.ONE)).hasSize(2);
        assertThat(merged(RunChoice.ONE).problems())
                .anyMatch(
                        problem -> problem.startsWith("The newest of 2 runs began before others had ended: \"first\""));
        assertThat(merged(RunChoice.NEWEST).problems()).isEmpty();
        assertThat(merged(RunChoice.ALL).problems()).isEmpty();
    }

    @Test
    void keepsModulesOfOneRunTogether() throws IOException {
        // given
        ran(1, "same", "a");
        ran(2, "same", "b");

        // then
        assertThat(tests(RunChoice.ONE)).hasSize(2);
        assertThat(merged(RunChoice.ONE).problems()).isEmpty();
    }

    @Test
    void keepsShardsTogetherWithoutCiServer() throws IOException {
        // given
        for (int shard = 1; shard <= 2; shard++) {
            jvm(shard, "process " + shard, false)
                    .add(new RunEvent.Sharded(shard, 2, "", null, 0, "", false))
                    .ran(test("t" + shard), Outcome.PASSED, CORE)
                    .finished()
                    .writeTo(folder);
        }

        // then
        assertThat(tests(RunChoice.ONE)).hasSize(2);
        assertThat(merged(RunChoice.ONE).problems()).isEmpty();
    }

    private void shard(long pid, int shard, Outcome outcome) throws IOException {
        shardOf(pid, shard).ran(test("t" + shard), outcome, CORE).finished().writeTo(folder);
    }

    private static RunLinesFixture shardOf(long pid, int shard) {
        return jvm(pid, "process " + pid, false).add(new RunEvent.Sharded(shard, 2, "", null, 0, "", false));
    }

    @Test
    void reportsShardMissingInNewestRun() throws IOException {
        // given
        shard(1, 1, Outcome.PASSED);
        shard(2, 2, Outcome.PASSED);
        shard(3, 1, Outcome.PASSED);

        // then
        assertThat(merged(RunChoice.ONE).problems())
                .anyMatch(problem ->
                        problem.contains("The newest of 2 runs did not finish 1 test of the others: BertTest > t2()"));
        assertThat(merged(RunChoice.NEWEST).problems())
                .anyMatch(problem -> problem.startsWith("Shard 2 of 2 is missing"));
        assertThat(tests(RunChoice.ALL)).hasSize(3);
    }

    @Test
    void usesOnlyNewestShardsWhenAllRanAgain() throws IOException {
        // given
        shard(1, 1, Outcome.PASSED);
        shard(2, 2, Outcome.FAILED);
        shard(3, 1, Outcome.PASSED);
        shard(4, 2, Outcome.PASSED);

        // then
        assertThat(tests(RunChoice.ONE)).containsExactlyInAnyOrder("BertTest > t1() 03", "BertTest > t2() 04");
        assertThat(merged(RunChoice.ONE).problems()).isEmpty();
    }

    @Test
    void keepsBothRunsOfFailedShard() throws IOException {
        // given
        shard(1, 1, Outcome.PASSED);
        shard(2, 2, Outcome.FAILED);
        shard(3, 2, Outcome.PASSED);

        // then
        assertThat(tests(RunChoice.ONE)).hasSize(3);
        assertThat(merged(RunChoice.ONE).problems()).isEmpty();
    }

    @Test
    void acceptsShardRestartedAfterKill() throws IOException {
        // given
        shard(1, 1, Outcome.PASSED);
        shardOf(2, 2).ran(test("t2"), Outcome.PASSED, CORE).writeTo(folder);
        jvm(3, "process 3", false)
                .add(new RunEvent.Sharded(2, 2, "", null, 1, "", false))
                .ran(test("t2"), Outcome.PASSED, CORE)
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged(RunChoice.ONE).problems()).isEmpty();
    }

    @Test
    void keepsModulesOfAShardTogether() throws IOException {
        // given
        shard(1, 1, Outcome.PASSED);
        shardOf(2, 1).ran(test("other"), Outcome.PASSED, CORE).finished().writeTo(folder);
        shard(3, 2, Outcome.PASSED);

        // then
        assertThat(merged(RunChoice.ONE).problems()).isEmpty();
    }

    @Test
    void addsJvmWithoutRunToAnyRun() throws IOException {
        // given
        new RunLinesFixture(1)
                .started("ip-10-0-0-7")
                .ran(test("a"), Outcome.PASSED, CORE)
                .finished()
                .writeTo(folder);
        ran(2, "second", "b");

        // then
        assertThat(tests(RunChoice.ONE)).hasSize(2);
        assertThat(merged(RunChoice.ONE).problems()).isEmpty();
    }

    @Test
    void countsFinishedTemplateAsRun() throws IOException {
        // given
        TestId template = new TestId("[engine:junit-jupiter]/[class:A]/[test-template:r()]", "A > r()");
        jvm(1, "first", false).add(new RunEvent.Planned(template)).writeTo(folder);
        jvm(2, "second", false)
                .add(new RunEvent.Planned(template))
                .add(new RunEvent.TemplateFinished(template))
                .add(new RunEvent.PlanFinished())
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged(RunChoice.ONE).problems()).isEmpty();
    }
}
