package dev.neurontest.internal.baseline;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Sample;
import dev.neurontest.baseline.Stack;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A test of a model with its baseline. */
public final class ComparedFixture {

    public static final Metric TIME = new Metric("total_time", Unit.SECONDS, Direction.LOWER, Noise.NOISY);
    static final Metric MFU = new Metric("mfu_estimated_percent", Unit.FRACTION, Direction.HIGHER, Noise.NOISY);
    static final Metric ACTIVE = new Metric("pe_active", Unit.FRACTION, Direction.DEPENDS, Noise.NOISY);
    public static final Metric SPILL = new Metric("spill_save_bytes", Unit.BYTES, Direction.LOWER, Noise.FIXED);
    static final Metric FLOPS = new Metric("hlo_flops", Unit.FLOPS, Direction.NEITHER, Noise.FIXED);
    static final Metric READ = new Metric("hbm_read_bytes", Unit.BYTES, Direction.LOWER, Noise.NEARLY_FIXED);

    public static final Stack STACK = Stack.of(Map.of("instance", "trn2.48xlarge", "driver", "2.30", "lnc", "2"));
    static final String FILE = "src/test/resources/neuron-baselines/com.acme.BertTest.json /entries/3";
    static final String UPDATE = "neuron-test baseline approve com.acme.BertTest --note \"why\"";

    /** Ten runs within 0.5 % of 17 ms. */
    public static final double[] QUIET = {
        0.01700, 0.01698, 0.01703, 0.01701, 0.01697, 0.01704, 0.01699, 0.01702, 0.01696, 0.01705
    };

    private ComparedFixture() {}

    public static BaselineKey key(Metric metric) {
        return new BaselineKey("com.acme.BertTest", "inference(int)[1]", metric.name());
    }

    static BaselineEntry entry(Metric metric, double... runs) {
        return new BaselineEntry(
                key(metric),
                metric,
                STACK,
                new Sample(Arrays.stream(runs).boxed().toList(), 30),
                Optional.of("aaaaaaaaaaaaaaaaaaaaaaaa"),
                LocalDate.of(2026, 5, 1),
                "abc1234",
                "",
                List.of());
    }

    public static RunComparison against(Metric metric, double... runs) {
        return against(ComparisonRule.standard(), metric, runs);
    }

    public static RunComparison against(ComparisonRule rule, Metric metric, double... runs) {
        return new RunComparison(
                metric, rule, Optional.of(entry(metric, runs)), key(metric), STACK, FILE, Optional.empty(), UPDATE);
    }

    public static RunComparison withoutBaseline(Metric metric, Optional<Stack> nearest) {
        return new RunComparison(
                metric, ComparisonRule.standard(), Optional.empty(), key(metric), STACK, FILE, nearest, UPDATE);
    }

    static MeasuredRun run(double value) {
        return new MeasuredRun(value, 30, Optional.empty());
    }

    public static MeasuredRun rejected(double value, String reason) {
        return new MeasuredRun(value, 30, Optional.of(reason));
    }

    /** Adds runs until enough are measured, repeating the values if necessary. */
    public static RunComparison fed(RunComparison comparison, double... values) {
        for (int run = 0; comparison.wantsMore(); run++) {
            comparison.add(run(values[run % values.length]));
        }
        return comparison;
    }

    public static double[] times(double factor, double... values) {
        return Arrays.stream(values).map(value -> value * factor).toArray();
    }
}
