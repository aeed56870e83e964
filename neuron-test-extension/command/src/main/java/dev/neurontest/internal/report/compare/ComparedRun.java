package dev.neurontest.internal.report.compare;

import dev.neurontest.internal.report.Overview;
import dev.neurontest.internal.report.ReportedJvm;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.format.EarlierReport;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * A run with the data for a comparison with another run.
 *
 * @param source the file of the run; empty for the current run
 * @param started start of the run
 * @param problems number of problems in its report
 * @param tests tests, each with all its executions merged
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ComparedRun(String source, Optional<Instant> started, long problems, List<ComparedTest> tests) {

    /**
     * Reads the report of an earlier run, test by test. Only the name, the outcome and the values of each test are stored.
     *
     * @param file {@code neuron-report.json} of at most 4 GiB
     * @throws dev.neurontest.internal.report.format.EarlierRunException when the file is missing, truncated, not a report, or of another
     *     version
     */
    public static ComparedRun read(Path file) {
        Map<ReportedJvm, HostStack> stacks = new IdentityHashMap<>();
        List<ComparedTest> tests = new ArrayList<>();
        EarlierReport report = EarlierReport.read(
                file, (test, jvm) -> tests.add(ComparedTest.of(test, stacks.computeIfAbsent(jvm, HostStack::of))));
        return new ComparedRun(file.toString(), report.started(), report.problems(), together(tests));
    }

    static ComparedRun of(RunReport report) {
        List<HostStack> stacks = report.jvms().stream().map(HostStack::of).toList();
        return new ComparedRun(
                "",
                Overview.of(report).started(),
                report.problems().size(),
                together(report.tests().stream()
                        .map(test -> ComparedTest.of(test, stacks.get(test.jvm())))
                        .toList()));
    }

    private static List<ComparedTest> together(List<ComparedTest> executions) {
        record Variant(String id, Map<String, String> of) {}
        return executions.stream()
                .collect(Collectors.groupingBy(
                        each -> new Variant(each.id().id(), each.stack().variant()),
                        LinkedHashMap::new,
                        Collectors.toList()))
                .values()
                .stream()
                .flatMap(
                        same -> same.stream()
                                .sorted(Comparator.comparing(ComparedTest::started))
                                .reduce(ComparedTest::then)
                                .stream())
                .toList();
    }
}
