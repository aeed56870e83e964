package dev.neurontest.internal.export;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Sample;
import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.gate.RunFixture;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;

/** Runs with numbers to export. */
final class ExportFixture {

    static final Metric TIME = new Metric("total_time", Unit.SECONDS, Direction.LOWER, Noise.NOISY);
    static final Metric MFU = new Metric("mfu", Unit.FRACTION, Direction.HIGHER, Noise.NOISY);
    static final Map<String, String> STACK = Map.of("instance", "trn2.48xlarge", "driver", "2.30");
    static final Provenance SOURCE = new Provenance("abc1234", "main");

    /** A text with every special character of the formats, and a character outside ASCII. */
    static final String HOSTILE = "a=b, \"c\" \\d\\ {e} #f\nü";

    /** The time at which the last JVM of a run ended. */
    static final Instant ENDED = Instant.parse("2026-11-21T02:01:00Z");

    private ExportFixture() {}

    static Comparison comparison(Metric metric, String test, Map<String, String> stack, double... runs) {
        return new Comparison(
                new BaselineKey("com.acme.BertTest", test, metric.name()),
                metric,
                Stack.of(stack),
                ComparisonOutcome.NOT_WORSE,
                "",
                Fraction.ofPercent(3),
                Optional.empty(),
                new Sample(DoubleStream.of(runs).boxed().toList(), 30),
                Optional.empty(),
                false,
                List.of(),
                List.of(),
                "",
                "",
                Optional.empty(),
                "",
                List.of(),
                List.of());
    }

    static RunPoints points(RunFixture run) {
        return RunPoints.of(run.report(), SOURCE, Instant.EPOCH);
    }

    /** Returns a test with two metrics, and a failed one. */
    static RunPoints ordinary() {
        return points(new RunFixture()
                .jvm("real")
                .compared(comparison(TIME, "infer()", STACK, 0.017, 0.0169, 0.0171))
                .compared(comparison(MFU, "infer()", STACK, 0.42))
                .test("train()", TestOutcome.FAILED));
    }

    static RunPoints hostile() {
        return points(new RunFixture()
                .jvm("real")
                .compared(comparison(TIME, HOSTILE, Map.of("instance", HOSTILE, "job", "x", "empty", ""), 1e-9)));
    }
}
