package dev.neurontest.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.ExpectCleanProfile;
import dev.neurontest.MaxLatency;
import dev.neurontest.MaxMemory;
import dev.neurontest.MaxSpill;
import dev.neurontest.MetricLimit;
import dev.neurontest.MinMbu;
import dev.neurontest.MinMfu;
import dev.neurontest.ProfileNeff;
import dev.neurontest.ProfileSql;
import dev.neurontest.ProfileWorkloads;
import dev.neurontest.Threshold;
import dev.neurontest.profile.Latency;
import dev.neurontest.profile.MetricExpectation;
import dev.neurontest.profile.MetricNames;
import dev.neurontest.profile.ProfileExpectations;
import dev.neurontest.profile.TraceExport;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileAnnotationsTest {

    @Threshold(metric = MetricNames.TOTAL_TIME, max = "20 ms")
    @Threshold(metric = MetricNames.HBM_READ_BYTES, max = "3 MiB")
    @MinMfu("40 %")
    static class Gated {

        void inherits() {}

        @Threshold(metric = MetricNames.TOTAL_TIME, max = "17 ms", over = "p90")
        @MinMfu(value = "42 %", over = "worst")
        void overrides() {}

        @Threshold(metric = MetricNames.TOTAL_TIME, max = "17 ms")
        @Threshold(metric = MetricNames.TOTAL_TIME, max = "30 ms", over = "p90")
        void limitsTwoStatistics() {}

        @MaxLatency("17 ms")
        @MinMbu("10 %")
        @MaxSpill("0 B")
        void short_() {}

        @Latencies
        void composed() {}

        @MaxHbmReads("3 MiB")
        void ownLimit() {}

        @MaxHbmReads("3")
        void bareOwnLimit() {}

        @OfNothing("3")
        void limitOfNothing() {}

        @Threshold(metric = MetricNames.MFU_ESTIMATED_PERCENT, min = "0.42")
        void bareFraction() {}

        @Threshold(metric = MetricNames.TOTAL_TIME)
        void nothing() {}

        @Threshold(metric = MetricNames.TOTAL_TIME, max = "17 MiB")
        void wrongUnit() {}

        @Threshold(metric = MetricNames.TOTAL_TIME, max = "1 s", over = "mean")
        void noStatistic() {}

        @MinMfu("42")
        void bareMfu() {}

        @MaxLatency(value = "17 ms", of = Latency.ACTIVE, over = "p90")
        void activeTime() {}

        @MaxLatency("17")
        void bareLatency() {}

        @MaxSpill("1")
        void bareSpill() {}

        @Threshold(line = "attention.py:120", max = "1.5 ms")
        @Threshold(layer = "Block[0]", max = "2 ms", over = "p90")
        void places() {}

        @Threshold(metric = MetricNames.TOTAL_TIME, line = "attention.py:120", max = "1.5 ms")
        void metricAndLine() {}

        @Threshold(max = "1.5 ms")
        void neither() {}

        @Threshold(line = "attention.py:120", max = "1.5 MiB")
        void lineInBytes() {}

        @ProfileNeff("model.neff")
        @ProfileSql("select * from warning")
        @ProfileSql(value = "select count(*) from instruction", max = "7", min = "1")
        @ExpectCleanProfile(warnings = {"Missing Data", "Other"})
        @MaxMemory(hbm = "10 GiB", usage = "Weights")
        @MaxMemory(sbuf = "90 %")
        void tables() {}

        @ProfileSql(value = "select 1", max = "quick")
        void unreadableSql() {}

        @MaxMemory(sbuf = "90")
        void bareMemory() {}

        @MaxMemory(usage = "Weights", sbuf = "90 %")
        void usageOfNothing() {}

        @MaxMemory
        void noMemory() {}

        @ExpectCleanProfile(throttled = "little")
        void unreadableShare() {}
    }

    @MaxLatency(value = "17 ms", over = "p95")
    static class Percentile {

        @ProfileNeff("model.neff")
        void oneExecution() {}

        @ProfileNeff(value = "model.neff", executions = 3, captures = 6)
        void eighteenInSixCaptures() {}

        @ProfileNeff(value = "model.neff", warmup = 0, executions = 20)
        void twentyWithTheFirst() {}

        @Threshold(metric = MetricNames.HBM_READ_BYTES, max = "3 MiB", over = "p99.9")
        @ProfileNeff(value = "model.neff", executions = 20)
        void enoughForTimeOnly() {}

        @ProfileNeff(value = "model.neff", executions = 4, captures = 5)
        void twentyInFiveCaptures() {}

        @Threshold(metric = MetricNames.HBM_READ_BYTES, max = "3 MiB", over = "p90")
        @ProfileNeff(value = "model.neff", warmup = 0, executions = 21)
        void firstCountsForBytes() {}

        @ProfileWorkloads
        void workloads() {}
    }

    static class FirstOnly {

        @MaxLatency("17 ms")
        @ProfileNeff(value = "model.neff", warmup = 0)
        void time() {}

        @MaxSpill("0 B")
        @ProfileNeff(value = "model.neff", warmup = 0)
        void bytes() {}
    }

    @MaxLatency("5 ms")
    @Threshold(metric = MetricNames.CC_OP_COUNT, max = "3")
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Latencies {}

    @MetricLimit(atMost = MetricNames.HBM_READ_BYTES)
    @Retention(RetentionPolicy.RUNTIME)
    @interface MaxHbmReads {
        String value();
    }

    @MetricLimit
    @Retention(RetentionPolicy.RUNTIME)
    @interface OfNothing {
        String value();
    }

    private static ProfileExpectations rules(String method) {
        try {
            return ProfileAnnotations.ofTest(List.of(Gated.class), Gated.class.getDeclaredMethod(method));
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> words(String method) {
        return rules(method).thresholds().stream()
                .map(MetricExpectation::toString)
                .toList();
    }

    @Test
    void testInheritsLimitsOfClass() {
        assertThat(words("inherits"))
                .containsExactly(
                        "@MinMfu(\"40 %\")",
                        "@Threshold(metric = \"total_time\", max = \"20 ms\")",
                        "@Threshold(metric = \"hbm_read_bytes\", max = \"3 MiB\")");
    }

    @Test
    void limitOnMethodOverridesThatOfClass() {
        assertThat(words("overrides"))
                .containsExactly(
                        "@MinMfu(value = \"42 %\", over = \"worst\")",
                        "@Threshold(metric = \"total_time\", max = \"17 ms\", over = \"p90\")",
                        "@Threshold(metric = \"hbm_read_bytes\", max = \"3 MiB\")");
    }

    @Test
    void severalLimitsOnOneMetricAreAllKept() {
        assertThat(words("limitsTwoStatistics"))
                .contains(
                        "@Threshold(metric = \"total_time\", max = \"17 ms\")",
                        "@Threshold(metric = \"total_time\", max = \"30 ms\", over = \"p90\")");
    }

    @Test
    void shortFormsAreShownAsWritten() {
        assertThat(words("short_"))
                .startsWith(
                        "@MinMfu(\"40 %\")",
                        "@MaxLatency(\"17 ms\")", "@MinMbu(\"10 %\")", "@MaxSpill(\"0 B\")", "@MaxSpill(\"0 B\")");
    }

    @Test
    void latencyShowsItsKindOfTime() {
        assertThat(words("activeTime")).contains("@MaxLatency(value = \"17 ms\", of = ACTIVE, over = \"p90\")");
    }

    @Test
    void customAnnotationLimitsMetric() {
        assertThat(words("ownLimit")).contains("@MaxHbmReads(\"3 MiB\")");
    }

    @Test
    void composedAnnotationAppliesItsLimits() {
        assertThat(words("composed"))
                .contains("@MaxLatency(\"5 ms\")", "@Threshold(metric = \"cc_op_count\", max = \"3\")");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "bareFraction | @Threshold(metric = \"mfu_estimated_percent\", min = \"0.42\"): \"0.42\" could mean",
                "nothing | @Threshold(metric = \"total_time\") expects nothing: set max or min",
                "wrongUnit | @Threshold(metric = \"total_time\", max = \"17 MiB\"): \"17 MiB\" has the unknown unit \"MiB\"",
                "noStatistic | @Threshold(metric = \"total_time\", max = \"1 s\", over = \"mean\"): \"mean\" is not a statistic",
                "bareMfu | @MinMfu(\"42\"): \"42\" could mean 42 % or 4200 %",
                "bareLatency | @MaxLatency(\"17\"): \"17\" has no unit",
                "bareSpill | @MaxSpill(\"1\"): \"1\" has no unit",
                "bareOwnLimit | @MaxHbmReads(\"3\"): \"3\" has no unit",
                "limitOfNothing | @OfNothing(\"3\") limits nothing: name a metric in its @MetricLimit."
            })
    void invalidThresholdFailsQuotingAnnotation(String method, String message) {
        assertThatThrownBy(() -> rules(method))
                .isInstanceOf(ExtensionConfigurationException.class)
                .hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "oneExecution | Percentile needs 20 executions, but @ProfileNeff(\"model.neff\") on Percentile.oneExecution() traces 1. Set executions = 20 in @ProfileNeff, or limit another statistic.",
                "eighteenInSixCaptures | needs 20 executions, but @ProfileNeff(value = \"model.neff\", captures = 6, executions = 3) on Percentile.eighteenInSixCaptures() traces 18. Set executions = 4 in",
                "twentyWithTheFirst | traces 19 after the first, whose time includes start-up. Set executions = 21 in",
                "enoughForTimeOnly | Percentile.enoughForTimeOnly() needs 1000 executions, but"
            })
    void percentileOfTooFewExecutionsIsRefused(String method, String message) {
        assertThatThrownBy(() -> plan(Percentile.class, method))
                .isInstanceOf(ExtensionConfigurationException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"twentyInFiveCaptures", "firstCountsForBytes", "workloads"})
    void percentileOfEnoughOrUnknownExecutionsIsAccepted(String method) {
        assertThat(plan(Percentile.class, method).expectations()).isNotEmpty();
    }

    @Test
    void timeOfFirstExecutionOnlyIsRefused() {
        assertThatThrownBy(() -> plan(FirstOnly.class, "time"))
                .hasMessage("@MaxLatency(\"17 ms\") on FirstOnly.time() needs 1 execution, but @ProfileNeff(value ="
                        + " \"model.neff\", warmup = 0) on FirstOnly.time() traces 0 after the first, whose time includes"
                        + " start-up. Set executions = 2 in @ProfileNeff.");
        assertThat(plan(FirstOnly.class, "bytes").expectations()).isNotEmpty();
    }

    private static ProfilePlan plan(String method) {
        return plan(Gated.class, method);
    }

    private static ProfilePlan plan(Class<?> type, String method) {
        try {
            return ProfileAnnotations.plan(List.of(type), type.getDeclaredMethod(method), List.of());
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void lineOrLayerThresholdRequiresTables() {
        assertThat(words("places"))
                .contains(
                        "@Threshold(line = \"attention.py:120\", max = \"1.5 ms\")",
                        "@Threshold(layer = \"Block[0]\", max = \"2 ms\", over = \"p90\")");
        assertThat(rules("places").thresholds()).anyMatch(MetricExpectation::needsTables);
        assertThat(rules("overrides").thresholds()).noneMatch(MetricExpectation::needsTables);
    }

    @Test
    void queriesRequireTables() {
        assertThat(plan("tables").exports()).containsExactly(TraceExport.TABLES);
        assertThat(plan("tables").expectations())
                .contains(
                        "@ProfileSql(\"select * from warning\")",
                        "@ProfileSql(value = \"select count(*) from instruction\", max = \"7\", min = \"1\")",
                        "@ExpectCleanProfile(warnings = {\"Missing Data\", \"Other\"})",
                        "@MaxMemory(hbm = \"10 GiB\", usage = \"Weights\")",
                        "@MaxMemory(sbuf = \"90 %\")");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
                    metricAndLine   ; names more than one thing: state a threshold for each.
                    neither         ; names no metric
                    lineInBytes     ; @Threshold(line = "attention.py:120", max = "1.5 MiB"): "1.5 MiB" has the unknown unit "MiB"
                    unreadableSql   ; @ProfileSql(value = "select 1", max = "quick"): "quick"
                    bareMemory      ; @MaxMemory(sbuf = "90"): "90" could mean
                    usageOfNothing  ; names a usage of HBM, but no limit for it: set hbm.
                    noMemory        ; @MaxMemory expects nothing: set a limit for hbm, sbuf, psum or tensor.
                    unreadableShare ; @ExpectCleanProfile(throttled = "little"): "little"
                    """)
    void invalidProfilePlanFailsTest(String method, String message) {
        assertThatThrownBy(() -> plan(method))
                .isInstanceOf(ExtensionConfigurationException.class)
                .hasMessageContaining(message);
    }
}
