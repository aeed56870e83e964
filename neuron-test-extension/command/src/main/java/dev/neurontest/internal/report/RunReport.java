package dev.neurontest.internal.report;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The merged data of a run over forks, modules and repeated runs.
 *
 * @param jvms JVMs in the order of their starts
 * @param tests tests, the most urgent first: failed, lost, undecided, aborted, skipped, passed; then in the order of their starts
 * @param quarantines quarantines of cores
 * @param hostErrors error counters of hosts that changed during the run
 * @param notices notices about the whole run
 * @param problems unreadable or contradictory data, one sentence each
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RunReport(
        List<ReportedJvm> jvms,
        List<ReportedTest> tests,
        List<ReportedQuarantine> quarantines,
        List<HostError> hostErrors,
        List<String> notices,
        List<String> problems) {

    /** Creates an instance with its own copies. */
    public RunReport {
        jvms = List.copyOf(jvms);
        tests = List.copyOf(tests);
        quarantines = List.copyOf(quarantines);
        hostErrors = List.copyOf(hostErrors);
        notices = List.copyOf(notices);
        problems = List.copyOf(problems);
    }

    /** Returns all executions: the attempts of each test and class. */
    public Stream<ReportedTest> executions() {
        return tests.stream().flatMap(test -> test.executions().stream());
    }

    /**
     * Returns the tests with a property, and the classes with the property that contain none of these tests. A class that fails with its
     * tests is not counted in addition to them, unless it violates an expectation of its own.
     */
    public List<ReportedTest> counted(Predicate<ReportedTest> property) {
        List<ReportedTest> all = tests.stream().filter(property).toList();
        if (all.stream().allMatch(ReportedTest::isTest)) {
            return all;
        }
        Set<String> classes = new HashSet<>();
        all.stream().filter(ReportedTest::isTest).forEach(test -> {
            String id = test.id().id();
            for (int end = id.lastIndexOf("/["); end > 0; end = id.lastIndexOf("/[", end - 1)) {
                classes.add(test.jvm() + id.substring(0, end));
            }
        });
        return all.stream()
                .filter(each -> each.isTest()
                        || !each.violations().isEmpty()
                        || !classes.contains(each.jvm() + each.id().id()))
                .toList();
    }

    /**
     * Counts the tests of each JVM, without classes.
     *
     * @return number by index of the JVM; JVMs without tests are absent
     */
    public Map<Integer, Long> testsByJvm() {
        return tests.stream()
                .filter(ReportedTest::isTest)
                .collect(Collectors.groupingBy(ReportedTest::jvm, Collectors.counting()));
    }

    /**
     * Returns the cores with a quarantine that counts.
     *
     * @return the last quarantine of each core, by host and core
     */
    public Map<List<String>, ReportedQuarantine> quarantinedCores() {
        Map<List<String>, ReportedQuarantine> cores = new LinkedHashMap<>();
        quarantines.stream()
                .filter(ReportedQuarantine::counts)
                .forEach(each -> cores.put(List.of(each.host(), each.core()), each));
        return cores;
    }

    /** Returns the number of errors of hosts that no test explains. */
    public long unexplainedErrors() {
        return hostErrors.stream().mapToLong(HostError::unexplained).sum();
    }
}
