package dev.neurontest.internal.report.merge;

import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.TestOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The executions of all JVMs as tests with attempts. A later execution of a test is another attempt in two cases: its extension repeats it,
 * such as {@code @RetryingTest}; or it ran in a later plan of the same JVM, and it, its class or another test of its class had failed in the
 * earlier one. Surefire, Failsafe and Gradle retry in this way. All other executions with the same id are tests of their own.
 */
final class AttemptMerge {

    private static final Set<TestOutcome> DID_NOT_RUN = Set.of(TestOutcome.SKIPPED, TestOutcome.ABORTED);

    private final List<Ran> all = new ArrayList<>();

    /**
     * A result of an execution.
     *
     * @param execution null for a planned test that was lost before it began
     */
    private record Ran(@Nullable TestExecution execution, ReportedTest result) {

        TestId test() {
            return execution == null ? result.id() : execution.whole().orElse(result.id());
        }

        String key() {
            return result.jvm() + " " + test().id();
        }

        boolean isAttempt() {
            return execution != null && execution.whole().isPresent();
        }

        int plan() {
            return execution == null ? Integer.MAX_VALUE : execution.plan();
        }

        /** Returns the result of an attempt that was repeated. Its extension reports the failure to JUnit as aborted. */
        ReportedTest replaced() {
            return isAttempt() && result.outcome() == TestOutcome.ABORTED
                    ? with(result, result.id(), TestOutcome.FAILED, Optional.empty(), result.retries())
                    : result;
        }
    }

    /** Adds the result of an execution. The executions of a JVM are added in their order. */
    void add(TestExecution execution, ReportedTest result) {
        all.add(new Ran(execution, result));
    }

    /** Adds a planned test that was lost before it began. */
    void add(ReportedTest lost) {
        all.add(new Ran(null, lost));
    }

    /** Returns the results of all executions. */
    Stream<ReportedTest> results() {
        return all.stream().map(Ran::result);
    }

    /** Returns all tests, each with its attempts. */
    List<ReportedTest> tests() {
        Set<String> failed = new HashSet<>();
        all.stream().filter(ran -> ran.result().hasFailed()).forEach(ran -> {
            failed.add(inPlan(ran, ran.test().id()));
            if (ran.result().isTest()) {
                failed.add(inPlan(ran, container(ran.test().id())));
            }
        });
        List<List<Ran>> tests = new ArrayList<>();
        Map<String, List<Ran>> latest = new HashMap<>();
        for (Ran ran : all) {
            List<Ran> same = latest.get(ran.key());
            if (same == null || same.stream().noneMatch(earlier -> isRepeated(earlier, ran, failed))) {
                same = new ArrayList<>();
                tests.add(same);
                latest.put(ran.key(), same);
            }
            same.add(ran);
        }
        tests.forEach(this::addPassedClass);
        return tests.stream().map(AttemptMerge::merged).toList();
    }

    private static boolean isRepeated(Ran last, Ran next, Set<String> failed) {
        if (last.isAttempt() && (next.execution() == null || next.isAttempt() && last.plan() == next.plan())) {
            return true;
        }
        if (next.execution() == null || last.plan() >= next.plan()) {
            return false;
        }
        for (String id = last.test().id(); !id.isEmpty(); id = container(id)) {
            if (failed.contains(inPlan(last, id))) {
                return true;
            }
        }
        return false;
    }

    private static String inPlan(Ran ran, String id) {
        return "%s %s %s".formatted(ran.result().jvm(), ran.plan(), id);
    }

    private static String container(String id) {
        return id.substring(0, Math.max(0, id.lastIndexOf("/[")));
    }

    /** Adds the attempt of a class that failed and passed in a later plan. A class that passes has no event of its own. */
    private void addPassedClass(List<Ran> attempts) {
        Ran last = attempts.get(attempts.size() - 1);
        if (last.execution() == null || last.result().isTest() || !last.result().hasFailed()) {
            return;
        }
        all.stream()
                .filter(inside -> inside.execution() != null
                        && inside.result().jvm() == last.result().jvm()
                        && inside.plan() > last.plan()
                        && inside.execution().isIn(last.test())
                        && !DID_NOT_RUN.contains(inside.result().outcome()))
                .findFirst()
                .ifPresent(inside -> {
                    TestExecution passed = new TestExecution(
                            last.execution().folder(),
                            last.test(),
                            inside.result().started(),
                            inside.plan());
                    attempts.add(new Ran(passed, passed.report(last.result().jvm())));
                });
    }

    /** Returns the attempts up to the one that decides. As for Surefire, a later attempt that did not run replaces no failure. */
    private static List<Ran> deciding(List<Ran> attempts) {
        int last = attempts.size() - 1;
        if (attempts.subList(0, last).stream()
                .noneMatch(earlier -> earlier.replaced().hasFailed())) {
            return attempts;
        }
        while (DID_NOT_RUN.contains(
                last < attempts.size() - 1
                        ? attempts.get(last).replaced().outcome()
                        : attempts.get(last).result().outcome())) {
            last--;
        }
        return attempts.subList(0, last + 1);
    }

    private static ReportedTest merged(List<Ran> all) {
        List<Ran> attempts = deciding(all);
        Ran last = attempts.get(attempts.size() - 1);
        List<Ran> earlier = attempts.subList(0, attempts.size() - 1);
        if (!last.result().hasFailed()) {
            earlier.stream().flatMap(ran -> Stream.ofNullable(ran.execution())).forEach(TestExecution::replace);
        }
        return with(
                last.result(),
                last.test(),
                attempts.size() < all.size()
                        ? last.replaced().outcome()
                        : last.result().outcome(),
                Optional.of(earlier.stream().map(Ran::replaced).toList()),
                attempts.stream().mapToInt(ran -> ran.result().retries()).sum());
    }

    private static ReportedTest with(
            ReportedTest result, TestId id, TestOutcome outcome, Optional<List<ReportedTest>> attempts, int retries) {
        return new ReportedTest(
                result.jvm(),
                id,
                result.container(),
                outcome,
                result.lastPhase(),
                result.reason(),
                result.cores(),
                result.started(),
                result.took(),
                result.waited(),
                result.violations(),
                result.undecided(),
                result.notApplicable(),
                result.simulated(),
                result.notices(),
                result.recordings(),
                result.comparisons(),
                result.attachments(),
                retries,
                attempts);
    }
}
