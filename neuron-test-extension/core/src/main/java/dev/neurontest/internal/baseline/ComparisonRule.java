package dev.neurontest.internal.baseline;

import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The rule that decides whether runs are worse than a baseline, and limits the number of runs.
 *
 * <p>{@linkplain Noise#NOISY Noisy} metrics are tested after each number of runs in {@code looks}. Further runs follow only while the
 * result is open. A test ranks the runs with those of the baseline after scaling the latter by the margin (exact Mann–Whitney test,
 * one-sided in both directions). The accepted error is divided among the looks. Metrics that the compiler determines need one run and no
 * statistics.
 *
 * @param looks numbers of runs before each test, in ascending order
 * @param margin the accepted degradation; empty for the default of the metric: 0 for fixed, 0.1 % for nearly fixed, 3 % for noisy metrics
 * @param alpha the probability, over all looks, that a change of exactly the margin is reported as worse
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ComparisonRule(List<Integer> looks, Optional<Fraction> margin, double alpha) {

    private static final Fraction NOISY = Fraction.ofPercent(3);
    private static final Fraction NEARLY_FIXED = Fraction.ofPercent(0.1);
    private static final Fraction FIXED = new Fraction(0);

    /**
     * Creates a rule.
     *
     * @throws IllegalArgumentException when the looks are not ascending from at least two, the margin is 100 % or more, or alpha is not
     *     between 0 and 0.5
     */
    public ComparisonRule {
        looks = List.copyOf(looks);
        int before = 1;
        for (int look : looks) {
            if (look <= before) {
                throw new IllegalArgumentException("the numbers of runs must increase, from at least two: " + looks);
            }
            before = look;
        }
        if (looks.isEmpty()) {
            throw new IllegalArgumentException(
                    "there must be at least one number of runs after which the rule is applied");
        }
        if (margin.isPresent() && margin.get().value() >= 1) {
            throw new IllegalArgumentException("a margin must be below 100 %: " + margin.get());
        }
        if (!(alpha > 0 && alpha < 0.5)) {
            throw new IllegalArgumentException("alpha must be between 0 and 0.5: " + alpha);
        }
    }

    /**
     * Returns the default rule, which was validated by simulation.
     *
     * @return looks at 5, 10 and 20 runs, the default margin of the metric, alpha 0.05
     */
    public static ComparisonRule standard() {
        return new ComparisonRule(List.of(5, 10, 20), Optional.empty(), 0.05);
    }

    /**
     * Returns the same rule with other looks.
     *
     * @param runs numbers of runs before each test, in ascending order
     * @throws IllegalArgumentException when they are not ascending from at least two
     */
    public ComparisonRule withLooks(List<Integer> runs) {
        return new ComparisonRule(runs, margin, alpha);
    }

    /**
     * Returns the same rule with one margin for all metrics.
     *
     * @throws IllegalArgumentException when the margin is 100 % or more
     */
    public ComparisonRule withMargin(Fraction accepted) {
        return new ComparisonRule(looks, Optional.of(accepted), alpha);
    }

    /** Returns the accepted degradation of a metric: the given margin, or the default of the metric. */
    public Fraction marginOf(Metric metric) {
        return margin.orElseGet(() -> switch (metric.noise()) {
            case FIXED -> FIXED;
            case NEARLY_FIXED -> NEARLY_FIXED;
            case NOISY -> NOISY;
        });
    }

    /** Returns the maximum number of runs, which is that of the last look. */
    int most() {
        return looks.get(looks.size() - 1);
    }

    /**
     * Returns the accepted error of one look. It is proportional to the square root of the number of runs. With equal shares, the last look
     * would miss one more slowdown in a hundred, although it must decide. With shares proportional to the number of runs, the first look
     * would decide too rarely.
     */
    double alphaAt(int look) {
        return alpha * Math.sqrt(look) / looks.stream().mapToDouble(Math::sqrt).sum();
    }
}
