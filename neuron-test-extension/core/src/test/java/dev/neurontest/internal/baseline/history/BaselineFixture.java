package dev.neurontest.internal.baseline.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Sample;
import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.baseline.BaselineEntry;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;

/** Baselines and comparisons of one latency and one count. */
public final class BaselineFixture {

    static final String TEST_CLASS = "com.acme.BertTest";
    static final Metric LATENCY = new Metric("total_time", Unit.SECONDS, Direction.LOWER, Noise.NOISY);
    static final Metric INSTRUCTIONS = new Metric("instruction_count", Unit.COUNT, Direction.LOWER, Noise.FIXED);
    static final BaselineKey KEY = new BaselineKey(TEST_CLASS, "inference(int)[1]", LATENCY.name());
    static final Stack TRN2 =
            Stack.of(Map.of("instance", "trn2.48xlarge", "lnc", "2", "driver", "2.30", "runtime", "2.33"));
    static final Stack INF2 =
            Stack.of(Map.of("instance", "inf2.xlarge", "lnc", "1", "driver", "2.30", "runtime", "2.33"));
    static final LocalDate TODAY = LocalDate.parse("2026-11-21");

    private BaselineFixture() {}

    /** Writes baselines. Each replaces that of the same metric on the same stack. */
    public static void write(BaselineStore store, List<BaselineEntry> entries) {
        for (BaselineEntry entry : entries) {
            store.locked(() -> {
                store.replace(store.file(entry.key().testClass()).with(entry));
                return entry;
            });
        }
    }

    /** Approves the proposals of a run. */
    public static void approve(Path baselines, Path output) {
        BaselineProposals.Approval approval = BaselineProposals.of(
                        BaselineStore.in(baselines), output, new BaselinePolicy(false, "", () -> TODAY, "approval"))
                .approve(change -> true, "", false);
        assertThat(approval.written()).isNotEmpty();
    }

    static BaselineKey key(String test, String metric) {
        return new BaselineKey(TEST_CLASS, test, metric);
    }

    /** Returns ten runs around a median of the given milliseconds. */
    static Sample around(double milliseconds) {
        return new Sample(
                DoubleStream.of(-5, -4, -3, -2, -1, 1, 2, 3, 4, 5)
                        .mapToObj(step -> Math.rint(milliseconds * 1000 + step * 10) / 1e6)
                        .toList(),
                30);
    }

    static Sample runs(int iterations, double... runs) {
        return new Sample(Arrays.stream(runs).boxed().toList(), iterations);
    }

    static BaselineEntry entry(BaselineKey key, Metric metric, Stack stack, Sample sample) {
        return new BaselineEntry(key, metric, stack, sample, Optional.empty(), TODAY, "", "", List.of());
    }

    static BaselineEntry latency(double milliseconds) {
        return latency("inference(int)[1]", milliseconds);
    }

    static BaselineEntry latency(String test, double milliseconds) {
        return entry(key(test, LATENCY.name()), LATENCY, TRN2, around(milliseconds));
    }

    static BaselineEntry instructions(double count) {
        return entry(key("inference(int)[1]", INSTRUCTIONS.name()), INSTRUCTIONS, TRN2, runs(1, count));
    }

    static Comparison comparison(ComparisonOutcome outcome, Sample sample) {
        return comparison(LATENCY, outcome, false, sample);
    }

    static Comparison improved(Sample sample) {
        return comparison(LATENCY, ComparisonOutcome.NOT_WORSE, true, sample);
    }

    static Comparison comparison(Metric metric, ComparisonOutcome outcome, boolean improved, Sample sample) {
        return comparison(key("inference(int)[1]", metric.name()), metric, outcome, improved, sample);
    }

    static Comparison comparison(
            BaselineKey key, Metric metric, ComparisonOutcome outcome, boolean improved, Sample sample) {
        return new Comparison(
                key,
                metric,
                TRN2,
                outcome,
                outcome == ComparisonOutcome.CONTAMINATED ? "throttled" : "",
                new Fraction(0.03),
                Optional.empty(),
                sample,
                Optional.empty(),
                improved,
                List.of(),
                List.of(),
                "",
                "",
                Optional.empty(),
                "",
                List.of(),
                List.of());
    }
}
