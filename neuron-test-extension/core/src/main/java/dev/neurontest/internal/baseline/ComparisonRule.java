package dev.neurontest.internal.baseline;

import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * When runs are worse than a baseline, when they are not, and how many runs may be made to find out.
 *
 * <p>What is {@linkplain Noise#NOISY noisy} is asked after each number of runs in {@code looks}, and further runs are made only while the answer is
 * open: the runs are ranked with those of the baseline, moved by the margin (exact Mann–Whitney test, one-sided both ways), and the error that is accepted
 * is split over the looks. What is fixed by the compiler needs one run and no statistics.
 *
 * @param looks after how many runs it is asked, rising
 * @param margin by how much worse is accepted; empty for what is usual for the metric: nothing for what is fixed, 0.1 % for what is nearly fixed, 3 % for what is noisy
 * @param alpha how often a change of just the margin may be called worse, over all looks
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ComparisonRule(List<Integer> looks, Optional<Fraction> margin, double alpha) {

    private static final Fraction NOISY = Fraction.ofPercent(3);
    private static final Fraction NEARLY_FIXED = Fraction.ofPercent(0.1);
    private static final Fraction FIXED = new Fraction(0);

    /**
     * Checks the rule.
     *
     * @param looks after how many runs it is asked
     * @param margin by how much worse is accepted
     * @param alpha how often a change of just the margin may be called worse
     * @throws IllegalArgumentException when the looks do not rise from two on, the margin is 100 % or more, or alpha is not between 0 and 0.5
     */
    public ComparisonRule {
        looks = List.copyOf(looks);
        int before = 1;
        for (int look : looks) {
            if (look <= before) {
                throw new IllegalArgumentException("the looks have to rise from two runs on: " + looks);
            }
            before = look;
        }
        if (looks.isEmpty()) {
            throw new IllegalArgumentException("there has to be a number of runs after which the rule is asked");
        }
        if (margin.isPresent() && margin.get().value() >= 1) {
            throw new IllegalArgumentException("a margin is below 100 %: " + margin.get());
        }
        if (!(alpha > 0 && alpha < 0.5)) {
            throw new IllegalArgumentException("alpha lies between 0 and 0.5: " + alpha);
        }
    }

    /**
     * The rule that was measured by simulation.
     *
     * @return looks at 5, 10 and 20 runs, the metric's usual margin, alpha 0.05
     */
    public static ComparisonRule standard() {
        return new ComparisonRule(List.of(5, 10, 20), Optional.empty(), 0.05);
    }

    /**
     * The same rule with other looks.
     *
     * @param runs after how many runs it is asked, rising
     * @return the rule
     * @throws IllegalArgumentException when they do not rise from two on
     */
    public ComparisonRule withLooks(List<Integer> runs) {
        return new ComparisonRule(runs, margin, alpha);
    }

    /**
     * The same rule with a margin, whatever the metric.
     *
     * @param accepted by how much worse is accepted
     * @return the rule
     * @throws IllegalArgumentException when it is 100 % or more
     */
    public ComparisonRule withMargin(Fraction accepted) {
        return new ComparisonRule(looks, Optional.of(accepted), alpha);
    }

    /**
     * By how much worse is accepted of a metric.
     *
     * @param metric what is measured
     * @return the margin that was given, or the one that is usual for the metric
     */
    public Fraction marginOf(Metric metric) {
        return margin.orElseGet(() -> switch (metric.noise()) {
            case FIXED -> FIXED;
            case NEARLY_FIXED -> NEARLY_FIXED;
            case NOISY -> NOISY;
        });
    }

    /** The last look, after which there are no more runs. */
    int most() {
        return looks.get(looks.size() - 1);
    }

    /**
     * The error that a look may make. It grows with the root of the runs: with equal shares the last look, which has to decide, misses one slowdown in a
     * hundred more, and with shares by runs the first look decides too little.
     */
    double alphaAt(int look) {
        return alpha * Math.sqrt(look) / looks.stream().mapToDouble(Math::sqrt).sum();
    }
}
