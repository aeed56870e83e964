package dev.neurontest.internal.baseline;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.Comparison.Ratio;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Sample;
import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.baseline.statistics.RatioInterval;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apiguardian.api.API;

/**
 * The comparison of two compiled models in one job, in the order A B B A. Conditions of the host affect both models equally, therefore no
 * baseline is needed. A is the old model, B is judged. Each pair of runs gives one ratio. The signed ranks of the ratios are tested after
 * each configured number of pairs (exact Wilcoxon test). An instance is used by one thread.
 *
 * <p>A run that does not count is repeated on the same side. The maximum number of repetitions is the number of pairs of the last test.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class AbComparison {

    /** The two sides of the comparison. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Side {
        /** The old model. */
        A,
        /** The model that is judged. */
        B
    }

    private final Metric metric;
    private final ComparisonRule rule;
    private final Fraction margin;
    private final BaselineKey key;
    private final Stack stack;
    private final List<Integer> plannedLooks;

    private final Map<Side, List<Double>> runs =
            new EnumMap<>(Map.of(Side.A, new ArrayList<>(), Side.B, new ArrayList<>()));
    private final List<String> rejected = new ArrayList<>();
    private final List<Integer> looks = new ArrayList<>();
    private int iterationsPerRun = Integer.MAX_VALUE;
    private boolean complete;
    private ComparisonFinding finding = ComparisonFinding.open("too-few-runs");

    /**
     * Creates a comparison before its first run.
     *
     * @param rule the rule; its looks count pairs
     */
    public AbComparison(Metric metric, ComparisonRule rule, BaselineKey key, Stack stack) {
        this.metric = metric;
        this.rule = rule;
        this.margin = rule.marginOf(metric);
        this.key = key;
        this.stack = stack;
        this.plannedLooks = metric.noise() == Noise.NOISY
                ? rule.looks().stream().map(this::pairsToAnswer).distinct().toList()
                : List.of(1);
    }

    /** Returns the number of pairs for a test. With fewer pairs, not even ratios that are all on one side would be significant. */
    private int pairsToAnswer(int look) {
        return Math.max(look, (int) Math.ceil(-Math.log(rule.alphaAt(look)) / Math.log(2)));
    }

    /** Returns the side of the next run; empty when the comparison is complete, decided or not. */
    public Optional<Side> next() {
        if (complete) {
            return Optional.empty();
        }
        int runCount = runs.get(Side.A).size() + runs.get(Side.B).size();
        return Optional.of(runCount % 4 == 0 || runCount % 4 == 3 ? Side.A : Side.B);
    }

    /**
     * Adds a run of the side that {@link #next()} returned.
     *
     * @throws IllegalArgumentException when its value is not a positive finite number
     * @throws IllegalStateException when no further run is expected
     */
    public void add(MeasuredRun run) {
        Side side = next().orElseThrow(() -> new IllegalStateException("no run of %s was requested".formatted(key)));
        if (!(run.value() > 0) || Double.isInfinite(run.value())) {
            throw new IllegalArgumentException(
                    "a run of %s gave %s, which has no ratio to others".formatted(key, run.value()));
        }
        if (run.rejection().isPresent()) {
            rejected.add("%s: %s".formatted(side, run.rejection().get()));
            if (rejected.size() >= plannedLooks.get(plannedLooks.size() - 1)) {
                finding = ComparisonFinding.of(ComparisonOutcome.CONTAMINATED, "disturbed");
                complete = true;
            }
            return;
        }
        runs.get(side).add(run.value());
        iterationsPerRun = Math.min(iterationsPerRun, run.iterations());
        int pairs = runs.get(side).size();
        if (runs.get(Side.A).size() == runs.get(Side.B).size() && plannedLooks.contains(pairs)) {
            analyze(pairs);
        }
    }

    private void analyze(int pairs) {
        looks.add(pairs);
        finding = metric.noise() == Noise.NOISY
                ? new MarginRule(metric, margin, alphaAt(pairs)).compare(ratios())
                : new FixedRule(metric, margin).compare(values(Side.A), values(Side.B));
        complete = !finding.isOpen() || pairs == plannedLooks.get(plannedLooks.size() - 1);
    }

    private double alphaAt(int pairs) {
        return rule.looks().stream()
                .filter(look -> pairsToAnswer(look) == pairs)
                .mapToDouble(rule::alphaAt)
                .max()
                .orElseThrow();
    }

    private double[] values(Side side) {
        return sample(side).toArray();
    }

    private Sample sample(Side side) {
        return new Sample(runs.get(side), runs.get(side).isEmpty() ? 0 : iterationsPerRun);
    }

    private double[] ratios() {
        List<Double> before = runs.get(Side.A);
        List<Double> now = runs.get(Side.B);
        return IntStream.range(0, Math.min(before.size(), now.size()))
                .mapToDouble(pair -> now.get(pair) / before.get(pair))
                .toArray();
    }

    /** Returns the comparison so far. It contains the sample of A as the baseline, and no file. */
    public Comparison result() {
        double[] ratios = ratios();
        Optional<Ratio> ratio =
                ratios.length == 0 ? Optional.empty() : Optional.of(Ratio.of(RatioInterval.ofPairs(ratios)));
        return new Comparison(
                key,
                metric,
                stack,
                finding.outcome(),
                finding.reason(),
                margin,
                Optional.of(sample(Side.A)).filter(sample -> !sample.runs().isEmpty()),
                sample(Side.B),
                ratio,
                finding.improved(),
                looks,
                rejected,
                decides(ratios),
                "",
                Optional.empty(),
                "",
                List.of("A (the baseline) and B ran in turns, A B B A; the ratio is the median of %s."
                        .formatted(CountText.of(ratios.length, "pair"))),
                List.of());
    }

    private String decides(double[] ratios) {
        return switch (finding.outcome()) {
            case WORSE, NOT_WORSE, NO_BASELINE -> "";
            case CONTAMINATED -> NextStep.withoutDisturbance(rejected);
            case UNDECIDED ->
                complete
                        ? new NextStep(metric, margin, rule.alphaAt(rule.most())).ofPairs(ratios)
                        : NextStep.more(
                                plannedLooks.stream()
                                                .filter(look -> look > ratios.length)
                                                .findFirst()
                                                .orElseThrow()
                                        - ratios.length,
                                "pair");
        };
    }
}
