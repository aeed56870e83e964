package dev.neurontest.internal.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * All that is known of a run: of forks, modules and repeated runs.
 *
 * @param jvms in the order in which they started
 * @param tests what needs attention first: failed, lost, undecided, aborted, skipped, passed; then in the order in which they started
 * @param quarantines cores that were kept from the tests
 * @param hostErrors error counters of hosts that moved during the run
 * @param notices about the run as a whole
 * @param problems what could not be read, or contradicts itself, one sentence each
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RunReport(
        List<ReportedJvm> jvms,
        List<ReportedTest> tests,
        List<ReportedQuarantine> quarantines,
        List<HostError> hostErrors,
        List<String> notices,
        List<String> problems) {

    /**
     * Keeps its own copies.
     *
     * @param jvms in the order in which they started
     * @param tests what needs attention first
     * @param quarantines cores that were kept from the tests
     * @param hostErrors error counters that moved
     * @param notices about the run as a whole
     * @param problems what could not be read
     */
    public RunReport {
        jvms = List.copyOf(jvms);
        tests = List.copyOf(tests);
        quarantines = List.copyOf(quarantines);
        hostErrors = List.copyOf(hostErrors);
        notices = List.copyOf(notices);
        problems = List.copyOf(problems);
    }

    /**
     * How many tests each JVM told of; classes are none.
     *
     * @return by the index of the JVM; one without tests is not there
     */
    public Map<Integer, Long> testsByJvm() {
        return tests.stream()
                .filter(ReportedTest::isTest)
                .collect(Collectors.groupingBy(ReportedTest::jvm, Collectors.counting()));
    }

    /**
     * Returns the cores whose quarantine counts.
     *
     * @return the last quarantine of each, by host and core
     */
    public Map<List<String>, ReportedQuarantine> quarantinedCores() {
        Map<List<String>, ReportedQuarantine> cores = new LinkedHashMap<>();
        quarantines.stream()
                .filter(ReportedQuarantine::counts)
                .forEach(each -> cores.put(List.of(each.host(), each.core()), each));
        return cores;
    }

    /**
     * Returns how many errors of hosts no test answers for.
     *
     * @return 0 where all are explained
     */
    public long unexplainedErrors() {
        return hostErrors.stream().mapToLong(HostError::unexplained).sum();
    }
}
