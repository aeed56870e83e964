package dev.neurontest.internal.report;

import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.TestId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * A flaky test. It failed and later passed on the same platform, or it was repeated on another core and did not fail there. The run is
 * green, but the test needs attention.
 *
 * @param failures failed executions, in the order of their start
 * @param passed first passed execution after these; empty for a repeated test that never passed
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record FlakyTest(TestId id, List<ReportedTest> failures, Optional<ReportedTest> passed) {

    /** Creates an instance with its own copy. */
    public FlakyTest {
        failures = List.copyOf(failures);
    }

    private static final Pattern ATTEMPT = Pattern.compile("(.*/\\[test-template-invocation:#)(\\d{1,6})]");

    /**
     * Finds the flaky tests of a run.
     *
     * @return tests in the order of their first failure
     */
    public static List<FlakyTest> of(RunReport report) {
        Map<List<Object>, List<ReportedTest>> executions = new LinkedHashMap<>();
        // In a large report nearly all tests have passed; no keys are created for these.
        Set<String> suspect = report.tests().stream()
                .filter(FlakyTest::isSuspect)
                .map(test -> test.id().id())
                .collect(Collectors.toSet());
        report.tests().stream()
                .filter(test -> suspect.contains(test.id().id()))
                .sorted(Comparator.comparing(ReportedTest::started))
                .forEach(test -> executions
                        .computeIfAbsent(key(report.jvms().get(test.jvm()), test), absent -> new ArrayList<>())
                        .add(test));
        Map<String, ReportedTest> last = new HashMap<>();
        executions.values().forEach(same -> last.put(same.get(0).id().id(), same.get(same.size() - 1)));
        return executions.values().stream()
                .flatMap(same -> of(same).stream())
                .filter(flaky -> flaky.passed().isPresent() || !failedAgain(flaky.id(), last))
                .sorted(Comparator.comparing(flaky -> flaky.failures().get(0).started()))
                .toList();
    }

    /** Checks whether the last attempt on another core also failed. JUnit reports each attempt as its own invocation. */
    private static boolean failedAgain(TestId id, Map<String, ReportedTest> last) {
        Matcher attempt = ATTEMPT.matcher(id.id());
        if (!attempt.matches()) {
            return false;
        }
        for (int number = Integer.parseInt(attempt.group(2)) + 1; ; number++) {
            ReportedTest next = last.get(attempt.group(1) + number + "]");
            if (next == null || next.retries() == 0) {
                return next != null && isSuspect(next);
            }
        }
    }

    private static boolean isSuspect(ReportedTest test) {
        return test.hasFailed() || test.retries() > 0;
    }

    private static Optional<FlakyTest> of(List<ReportedTest> executions) {
        List<ReportedTest> failures = new ArrayList<>();
        for (ReportedTest test : executions) {
            if (isSuspect(test)) {
                failures.add(test);
            } else if (test.outcome() == TestOutcome.PASSED && !failures.isEmpty()) {
                return Optional.of(new FlakyTest(test.id(), failures, Optional.of(test)));
            }
        }
        return failures.stream().anyMatch(test -> test.retries() > 0)
                ? Optional.of(new FlakyTest(failures.get(0).id(), failures, Optional.empty()))
                : Optional.empty();
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

    @Override
    public String toString() {
        String cores = failures.stream()
                .flatMap(failure -> failure.cores().stream())
                .distinct()
                .collect(Collectors.joining(", "));
        String times = failures.size() == 1 ? "once" : failures.size() + " times";
        String later = passed.map(test ->
                        ", passed later" + (test.cores().isEmpty() ? "" : " on " + String.join(", ", test.cores())))
                .orElse(", was run again on another core");
        return "%s failed %s%s%s".formatted(id.name(), times, cores.isEmpty() ? "" : " on " + cores, later);
    }
}
