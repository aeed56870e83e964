package dev.neurontest.internal.report;

import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.TestId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apiguardian.api.API;

/**
 * A test that passed only after a failure: in a later attempt, or in a later JVM on the same platform. It needs attention, although the last
 * attempt was green. A later attempt that is undecided counts as passed, because it does not fail the build.
 *
 * @param executions executions in their order, from the first one of a test that failed to the one that passed
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record FlakyTest(TestId id, List<ReportedTest> executions) {

    /** Creates an instance with its own copy. */
    public FlakyTest {
        executions = List.copyOf(executions);
    }

    /**
     * Finds the flaky tests of a run.
     *
     * @return tests in the order of their first failure, and classes that were flaky without any of their tests
     */
    public static List<FlakyTest> of(RunReport report) {
        // In a large report nearly all tests have passed; no keys are created for these.
        Set<String> suspect = report.tests().stream()
                .filter(test -> test.hasFailed() || test.hasFailedAttempt())
                .map(test -> test.id().id())
                .collect(Collectors.toSet());
        Map<List<Object>, List<ReportedTest>> tests = new LinkedHashMap<>();
        report.tests().stream()
                .filter(test -> suspect.contains(test.id().id()))
                .sorted(Comparator.comparing(ReportedTest::started))
                .forEach(test -> tests.computeIfAbsent(
                                key(report.jvms().get(test.jvm()), test), absent -> new ArrayList<>())
                        .add(test));
        Map<ReportedTest, FlakyTest> flaky = new IdentityHashMap<>();
        tests.values().forEach(same -> find(same).ifPresent(found -> flaky.put(found.passed(), found)));
        return report.counted(flaky::containsKey).stream()
                .map(flaky::get)
                .sorted(Comparator.comparing(found -> found.executions().get(0).started()))
                .toList();
    }

    private static Optional<FlakyTest> find(List<ReportedTest> tests) {
        List<ReportedTest> executions = new ArrayList<>();
        for (ReportedTest test : tests) {
            boolean recovered = test.hasFailedAttempt() && !test.hasFailed();
            boolean passed = recovered || test.outcome() == TestOutcome.PASSED && !executions.isEmpty();
            if (test.hasFailed() || passed) {
                executions.addAll(test.executions());
                if (passed) {
                    return Optional.of(new FlakyTest(test.id(), executions));
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the key that identifies a test. The same id in another module or on another platform is another test. */
    private static List<Object> key(ReportedJvm jvm, ReportedTest test) {
        return List.of(
                jvm.start().map(RunEvent.RunStarted::directory).orElse(""),
                jvm.platform()
                        .map(host -> "%s %s %s %s"
                                .formatted(host.kind(), host.instanceType(), host.driverVersion(), host.lnc()))
                        .orElse(""),
                test.id().id());
    }

    /** Returns the execution that passed. */
    public ReportedTest passed() {
        return executions.get(executions.size() - 1);
    }

    /** Returns the executions that failed or were lost. */
    public List<ReportedTest> failures() {
        return executions.stream().filter(ReportedTest::hasFailed).toList();
    }

    /** Returns the test with its attempts and the reason of each failed one, in a sentence without a full stop. */
    @Override
    public String toString() {
        return "%s %s on attempt %s%s; %s"
                .formatted(
                        id.name(),
                        passed().outcome(),
                        executions.size(),
                        onCores(passed()),
                        String.join("; ", attempts(executions.subList(0, executions.size() - 1))));
    }

    /** Returns the attempts with their numbers and reasons, a phrase each. */
    public static List<String> attempts(List<ReportedTest> attempts) {
        return IntStream.range(0, attempts.size())
                .mapToObj(index -> "attempt %s %s%s%s"
                        .formatted(
                                index + 1,
                                attempts.get(index).outcome(),
                                onCores(attempts.get(index)),
                                attempts.get(index)
                                        .messageInOneLine()
                                        .map(": "::concat)
                                        .orElse("")))
                .toList();
    }

    private static String onCores(ReportedTest test) {
        return test.cores().isEmpty() ? "" : " on " + CoreList.of(test.cores());
    }
}
