package dev.neurontest.internal.report.compare;

import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.text.CountText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Classifier of the tests of two runs by the kind of their change. */
final class TestChanges {

    private static final String FIRST_METRIC = "total_time";

    private final ComparedRun earlier;
    private final ComparedRun run;
    private final Map<ChangeKind, List<Change>> changes = new EnumMap<>(ChangeKind.class);
    private final Map<String, Long> otherHosts = new LinkedHashMap<>();
    private final Map<String, Long> otherStacks = new LinkedHashMap<>();
    private long inDoubt;
    private long measured;

    TestChanges(ComparedRun earlier, ComparedRun run) {
        this.earlier = earlier;
        this.run = run;
    }

    RunChanges changes() {
        List<TestPairs.Pair> pairs = TestPairs.of(earlier.tests(), run.tests());
        pairs.forEach(pair -> {
            if (pair.before().isPresent() && pair.now().isPresent()) {
                inBoth(pair, pair.before().get(), pair.now().get());
            }
        });
        onOneSide(pairs);
        changes.computeIfPresent(ChangeKind.SLOWER, (kind, all) -> farFirst(all));
        changes.computeIfPresent(ChangeKind.FASTER, (kind, all) -> farFirst(all));
        changes.computeIfPresent(ChangeKind.NEW, (kind, all) -> sorted(all, Comparator.comparing(TestChanges::ending)));
        return new RunChanges(
                earlier.source(), earlier.started(), count(earlier), count(run), notes(), changes, measured);
    }

    private static TestOutcome ending(Change change) {
        return change.now().orElse(TestOutcome.PASSED);
    }

    private static long count(ComparedRun run) {
        return run.tests().stream().filter(ComparedTest::isTest).count();
    }

    private void inBoth(TestPairs.Pair pair, ComparedTest before, ComparedTest now) {
        kind(before.outcome(), now.outcome()).ifPresent(kind -> add(kind, pair, List.of()));
        if (before.flaky() || now.flaky()) {
            add(ChangeKind.FLAKY, pair, List.of());
        }
        String difference = before.stack().difference(now.stack());
        if (difference.isEmpty()) {
            numbers(pair, before, now);
        } else if (now.isTest()) {
            otherHosts.merge(difference, 1L, Long::sum);
        }
    }

    private static Optional<ChangeKind> kind(TestOutcome before, TestOutcome now) {
        boolean failedBefore = before == TestOutcome.FAILED || before == TestOutcome.LOST;
        boolean decidedBefore = failedBefore || before == TestOutcome.PASSED;
        return switch (now) {
            case FAILED, LOST -> Optional.of(failedBefore ? ChangeKind.STILL_FAILING : ChangeKind.NEWLY_FAILING);
            case UNDECIDED, ABORTED, SKIPPED -> decidedBefore ? Optional.of(ChangeKind.NOT_DECIDED) : Optional.empty();
            case PASSED ->
                before == TestOutcome.PASSED
                        ? Optional.empty()
                        : Optional.of(failedBefore ? ChangeKind.FIXED : ChangeKind.NEWLY_DECIDED);
        };
    }

    /**
     * Adds the tests that only one run contains. A skipped class or template counts as one test, because the tests in it were never
     * discovered. Those tests are neither gone nor new.
     */
    private void onOneSide(List<TestPairs.Pair> pairs) {
        Set<String> skippedBefore = skipped(earlier);
        Set<String> skippedNow = skipped(run);
        Set<String> holders = new HashSet<>();
        for (TestPairs.Pair pair : pairs) {
            if (pair.now().isEmpty()) {
                TestPairs.above(id(pair), skippedNow).ifPresent(holders::add);
            } else if (pair.before().isEmpty()) {
                TestPairs.above(id(pair), skippedBefore).ifPresent(holders::add);
            }
        }
        for (TestPairs.Pair pair : pairs) {
            boolean isOneSided = pair.before().isEmpty() || pair.now().isEmpty();
            if (!isOneSided || holders.contains(id(pair)) || !pair.any().counts()) {
                continue;
            }
            boolean isGone = pair.now().isEmpty();
            if (TestPairs.above(id(pair), isGone ? skippedNow : skippedBefore).isPresent()) {
                TestPairs.Pair whole = pair.withSkipped();
                kind(
                                whole.before().orElseThrow().outcome(),
                                whole.now().orElseThrow().outcome())
                        .ifPresent(kind -> add(kind, whole, List.of()));
            } else {
                add(isGone ? ChangeKind.GONE : ChangeKind.NEW, pair, List.of());
            }
            if (pair.now().filter(ComparedTest::flaky).isPresent()) {
                add(ChangeKind.FLAKY, pair, List.of());
            }
        }
    }

    private static Set<String> skipped(ComparedRun run) {
        return run.tests().stream()
                .filter(test -> test.outcome() == TestOutcome.SKIPPED)
                .map(test -> test.id().id())
                .collect(Collectors.toSet());
    }

    private static String id(TestPairs.Pair pair) {
        return pair.any().id().id();
    }

    private void numbers(TestPairs.Pair pair, ComparedTest before, ComparedTest now) {
        List<ChangedValue> values = new ArrayList<>();
        Map<MeasuredValue.Series, MeasuredValue> earlierValues = new HashMap<>();
        before.values().forEach(value -> earlierValues.put(value.series(), value));
        Set<String> differences = new HashSet<>();
        for (MeasuredValue value : now.values()) {
            MeasuredValue other = earlierValues.get(value.series());
            if (other != null) {
                String difference = HostStack.difference(
                        other.stack().parts(), value.stack().parts());
                if (!difference.isEmpty()) {
                    differences.add(difference);
                } else if (other.metric().unit() == value.metric().unit()) {
                    values.add(new ChangedValue(value.metric(), other.value(), value.value()));
                }
            }
        }
        differences.forEach(difference -> otherStacks.merge(difference, 1L, Long::sum));
        if (now.isTest() && before.outcome() == TestOutcome.PASSED && now.outcome() == TestOutcome.PASSED) {
            values.add(ChangedValue.of(before.took().orElseThrow(), now.took().orElseThrow()));
        }
        inDoubt += before.inDoubt() || now.inDoubt() ? 1 : 0;
        measured += values.isEmpty() ? 0 : 1;
        far(ChangeKind.SLOWER, pair, values, true);
        far(ChangeKind.FASTER, pair, values, false);
    }

    private void far(ChangeKind kind, TestPairs.Pair pair, List<ChangedValue> values, boolean worse) {
        List<ChangedValue> far = values.stream()
                .filter(value -> value.isFar() && value.isWorse() == worse)
                .sorted(Comparator.comparing(
                                (ChangedValue value) -> !value.metric().name().equals(FIRST_METRIC))
                        .thenComparing(Comparator.comparingDouble(ChangedValue::distance)
                                .reversed()))
                .toList();
        if (!far.isEmpty()) {
            add(kind, pair, far);
        }
    }

    private void add(ChangeKind kind, TestPairs.Pair pair, List<ChangedValue> values) {
        changes.computeIfAbsent(kind, absent -> new ArrayList<>())
                .add(new Change(
                        pair.any().id(),
                        pair.isOneOfSeveral() ? pair.any().stack().place() : "",
                        pair.before().map(ComparedTest::outcome),
                        pair.now().map(ComparedTest::outcome),
                        pair.before().filter(ComparedTest::flaky).isPresent(),
                        pair.now().filter(ComparedTest::flaky).isPresent(),
                        values));
    }

    private static List<Change> farFirst(List<Change> changes) {
        return sorted(
                changes,
                Comparator.comparingDouble((Change change) -> change.values().stream()
                                .mapToDouble(ChangedValue::distance)
                                .max()
                                .orElse(0))
                        .reversed());
    }

    private static List<Change> sorted(List<Change> changes, Comparator<Change> order) {
        return changes.stream().sorted(order).toList();
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        otherHosts.forEach(
                (difference, tests) -> notes.add("Other hosts: %s. What is slower or faster is undecided for %s."
                        .formatted(difference, CountText.of(tests, "test"))));
        otherStacks.forEach((difference, tests) ->
                notes.add("Measured differently: %s. What is slower or faster is undecided for metrics of %s."
                        .formatted(difference, CountText.of(tests, "test"))));
        if (inDoubt > 0) {
            notes.add("Profiles of %s are in doubt in one of the runs; metrics in doubt are not compared."
                    .formatted(CountText.of(inDoubt, "test")));
        }
        if (earlier.problems() > 0) {
            notes.add("The earlier report has %s itself, so tests may be missing in it."
                    .formatted(CountText.of(earlier.problems(), "problem")));
        }
        return notes;
    }
}
