package dev.neurontest.internal.participant.comparison;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.baseline.AbComparison;
import dev.neurontest.internal.baseline.ComparisonRule;
import dev.neurontest.internal.baseline.RunComparison;
import dev.neurontest.internal.baseline.history.BaselineStore;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * A factory for the comparisons of one test.
 *
 * @param baselines the baselines of the session
 * @param looks the numbers of runs after which the numbers are evaluated
 * @param testName the name of the test in baselines
 */
record NewComparisons(SessionBaselines baselines, List<Integer> looks, String testClass, String testName) {

    /** Starts a comparison with a baseline. */
    RunComparison runs(Metric metric, Optional<Fraction> margin, Stack stack) {
        BaselineStore store = baselines.store();
        BaselineKey key = key(metric);
        return new RunComparison(
                        metric,
                        rule(margin),
                        store.find(key, stack),
                        key,
                        stack,
                        store.pointer(key, stack),
                        store.nearest(key, stack),
                        baselines.approval(key))
                .on(LocalDate.now());
    }

    /** Starts a comparison of two versions. */
    AbComparison ab(Metric metric, Optional<Fraction> margin, Stack stack) {
        return new AbComparison(metric, rule(margin), key(metric), stack);
    }

    private ComparisonRule rule(Optional<Fraction> margin) {
        ComparisonRule rule = ComparisonRule.standard().withLooks(looks);
        return margin.map(rule::withMargin).orElse(rule);
    }

    private BaselineKey key(Metric metric) {
        return new BaselineKey(testClass, testName, metric.name());
    }
}
