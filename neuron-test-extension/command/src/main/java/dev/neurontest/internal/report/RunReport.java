package dev.neurontest.internal.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
