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
 * Begins the comparisons of one test.
 *
 * @param baselines what it is held against
 * @param looks after how many runs the numbers are looked at
 * @param testClass the class of the test
 * @param testName what baselines call the test
 */
record NewComparisons(SessionBaselines baselines, List<Integer> looks, String testClass, String testName) {

    /** Begins one with a baseline. */
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

    /** Begins one of two versions. */
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
