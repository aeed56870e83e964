package dev.neurontest.internal.export;

import static dev.neurontest.internal.export.ExportFixture.MFU;
import static dev.neurontest.internal.export.ExportFixture.STACK;
import static dev.neurontest.internal.export.ExportFixture.TIME;
import static dev.neurontest.internal.export.ExportFixture.comparison;
import static dev.neurontest.internal.export.ExportFixture.points;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.internal.gate.RunFixture;
import dev.neurontest.internal.report.TestOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RunPointsTest {

    private static List<OtlpPoint> metrics(RunFixture run) {
        return points(run).points().stream()
                .filter(point -> point.name().startsWith("neuron.test.metric."))
                .toList();
    }

    private static double value(RunPoints points, String name) {
        return points.points().stream()
                .filter(point -> point.name().equals(name))
                .findFirst()
                .orElseThrow()
                .value();
    }

    private static Map<String, Double> byOutcome(RunPoints points, String name) {
        return points.points().stream()
                .filter(point -> point.name().equals("neuron.test." + name))
                .collect(Collectors.toMap(point -> point.labels().get("outcome"), OtlpPoint::value));
    }

    @Test
    void metricIsMedianOfItsRuns() {
        // given
        RunFixture run = new RunFixture()
                .jvm("real")
                .compared(comparison(TIME, "infer()", STACK, 5, 1, 2))
                .compared(comparison(MFU, "infer()", STACK, 0.4, 0.1, 0.2, 0.3));

        // when
        RunPoints points = points(run);

        // then
        assertThat(value(points, "neuron.test.metric.total_time")).isEqualTo(2);
        assertThat(value(points, "neuron.test.metric.mfu")).isEqualTo(0.25);
    }

    @Test
    void metricHasLabelsOfTestAndStack() {
        // given
        RunFixture run = new RunFixture().jvm("real").compared(comparison(TIME, "infer()", STACK, 1));

        // when
        OtlpPoint point = points(run).points().get(0);

        // then
        assertThat(point.unit()).isEqualTo("s");
        assertThat(point.labels())
                .containsOnly(
                        entry("driver", "2.30"),
                        entry("instance_type", "trn2.48xlarge"),
                        entry("test", "infer()"),
                        entry("test_class", "com.acme.BertTest"));
    }

    @Test
    void lastMeasurementOfEachStackCounts() {
        // given
        RunFixture run = new RunFixture()
                .jvm("real")
                .compared(comparison(TIME, "infer()", STACK, 1))
                .compared(comparison(TIME, "infer()", STACK, 2))
                .compared(comparison(TIME, "infer()", Map.of("driver", "2.29"), 3));

        // then
        assertThat(metrics(run))
                .extracting(point -> point.labels().get("driver"), OtlpPoint::value)
                .containsExactly(tuple("2.30", 2.0), tuple("2.29", 3.0));
    }

    @Test
    void metricWithoutNumberIsNotSent() {
        // given
        RunFixture run = new RunFixture()
                .jvm("real")
                .compared(comparison(TIME, "a()", STACK, Double.NaN))
                .compared(comparison(TIME, "b()", STACK));

        // then
        assertThat(metrics(run)).isEmpty();
    }

    @Test
    void countsOutcomesWaitingQuarantinesAndErrors() {
        // given
        RunFixture run = new RunFixture()
                .jvm("real")
                .waiting("a()", Duration.ofMillis(1500))
                .test("b()", TestOutcome.FAILED)
                .test("c()", TestOutcome.FAILED)
                .quarantine("neuron0/neuron_core1", "hung", null)
                .quarantine("neuron0/neuron_core1", "hung again", null)
                .error("neuron3 hardware/mem_ecc_uncorrected", 0, 7, 2);

        // when
        RunPoints points = points(run);

        // then
        assertThat(points.points())
                .filteredOn(point -> point.name().equals("neuron.test.tests"))
                .extracting(point -> point.labels().get("outcome"), OtlpPoint::value)
                .containsExactlyInAnyOrder(
                        tuple("failed", 2.0),
                        tuple("lost", 0.0),
                        tuple("undecided", 0.0),
                        tuple("aborted", 0.0),
                        tuple("skipped", 0.0),
                        tuple("passed", 1.0));
        assertThat(value(points, "neuron.test.waiting")).isEqualTo(1.5);
        assertThat(value(points, "neuron.test.quarantined")).isEqualTo(1);
        assertThat(value(points, "neuron.test.errors")).isEqualTo(5);
    }

    @Test
    void testWithAttemptsCountsOnce() {
        // when
        RunPoints points = points(new RunFixture().jvm("real").flaky("a()").test("b()", TestOutcome.PASSED));

        // then
        assertThat(byOutcome(points, "tests")).containsEntry("passed", 2.0).containsEntry("failed", 0.0);
        assertThat(value(points, "neuron.test.executions")).isEqualTo(3);
        assertThat(value(points, "neuron.test.flaky")).isEqualTo(1);
    }

    @Test
    void failedClassIsNoTest() {
        // when
        RunPoints points = points(
                new RunFixture().jvm("real").test("a()", TestOutcome.PASSED).container("BertTest", TestOutcome.FAILED));

        // then
        assertThat(byOutcome(points, "tests")).containsEntry("passed", 1.0).containsEntry("failed", 0.0);
        assertThat(byOutcome(points, "classes"))
                .containsEntry("failed", 1.0)
                .containsEntry("lost", 0.0)
                .doesNotContainKey("passed");
    }

    @Test
    void runHasOnlyPropertiesCommonToAllHosts() {
        // given
        RunFixture one = new RunFixture().jvm("real");
        RunFixture both = new RunFixture().jvm("real").jvm("fake");

        // then
        assertThat(points(one).about())
                .containsOnly(
                        entry("branch", "main"),
                        entry("commit", "abc1234"),
                        entry("neuron.driver", "2.30"),
                        entry("neuron.instance", "trn1.2xlarge"),
                        entry("neuron.platform", "real"));
        assertThat(points(both).about()).doesNotContainKey("neuron.platform").containsKey("neuron.driver");
    }

    @Test
    void aRunWithoutAJvmEndsNow() {
        // given
        Instant now = Instant.parse("2026-11-21T02:00:00Z");

        // when
        RunPoints points = RunPoints.of(new RunFixture().report(), new Provenance("", ""), now);

        // then
        assertThat(points.ended()).isEqualTo(now);
        assertThat(points.about()).isEmpty();
    }

    @Test
    void commitAndBranchComeFromCiVariables() {
        // then
        assertThat(Provenance.of(Map.of("GITHUB_SHA", "1", "GITHUB_HEAD_REF", "fix", "GITHUB_REF_NAME", "3/merge")))
                .isEqualTo(new Provenance("1", "fix"));
        assertThat(Provenance.of(Map.of("GITHUB_HEAD_REF", "", "GITHUB_REF_NAME", "main")))
                .isEqualTo(new Provenance("", "main"));
        assertThat(Provenance.of(Map.of("CI_COMMIT_SHA", "2", "CI_COMMIT_REF_NAME", "main")))
                .isEqualTo(new Provenance("2", "main"));
        assertThat(Provenance.of(Map.of("GIT_COMMIT", "3", "GIT_BRANCH", "origin/main")))
                .isEqualTo(new Provenance("3", "origin/main"));
    }
}
