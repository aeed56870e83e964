package dev.neurontest.report.compare;

import dev.neurontest.json.Json;
import dev.neurontest.report.Overview;
import dev.neurontest.report.ReportedTest;
import dev.neurontest.report.RunReport;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import tools.jackson.core.JsonParser;

/** A run as far as it is compared with another one. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ComparedRun {

    private final String source;
    private final Optional<Instant> started;
    private final long problems;
    private final List<ComparedTest> tests;

    private ComparedRun(String source, Optional<Instant> started, long problems, List<ComparedTest> tests) {
        this.source = source;
        this.started = started;
        this.problems = problems;
        this.tests = tests;
    }

    /**
     * Reads what an earlier run wrote, test by test: what is held of each is its name, how it ended, and numbers.
     *
     * @param file {@code neuron-report.json} of at most 4 GiB
     * @return that run
     * @throws EarlierRunException when it is missing, cut short, something else, or of another version
     */
    public static ComparedRun read(Path file) {
        return new EarlierReport(file).read();
    }

    static ComparedRun of(RunReport report) {
        return of(
                "",
                Overview.of(report).started(),
                report.problems().size(),
                report.jvms().stream().map(HostStack::of).toList(),
                report.tests().stream().map(ComparedRun::execution).toList());
    }

    static ComparedRun of(
            String source,
            Optional<Instant> started,
            long problems,
            List<HostStack> hosts,
            List<Execution> executions) {
        record Variant(String id, Map<String, String> of) {}
        List<Map<String, String>> variants =
                hosts.stream().map(HostStack::variant).toList();
        Map<Variant, List<Execution>> tests = new LinkedHashMap<>();
        executions.forEach(each -> tests.computeIfAbsent(
                        new Variant(each.id().id(), variants.get(each.jvm())), absent -> new ArrayList<>(1))
                .add(each));
        return new ComparedRun(
                source,
                started,
                problems,
                tests.values().stream()
                        .map(same -> ComparedTest.of(
                                same, hosts.get(same.get(same.size() - 1).jvm())))
                        .toList());
    }

    private static Execution execution(ReportedTest test) {
        MeasuredValues values = new MeasuredValues();
        test.recordings().stream()
                .filter(each -> each.kind().equals(EarlierReport.PROFILE))
                .forEach(each -> {
                    try (JsonParser json = Json.parser(each.recording().text())) {
                        json.nextToken();
                        values.profile(json);
                    }
                });
        test.comparisons().forEach(values::comparison);
        return new Execution(
                test.jvm(),
                test.id(),
                test.isTest(),
                test.outcome(),
                test.started(),
                Execution.withoutWaiting(test.took(), test.waited()),
                test.retries(),
                values.all(),
                values.isInDoubt());
    }

    String source() {
        return source;
    }

    Optional<Instant> started() {
        return started;
    }

    /** How many things about it were in doubt when it was written. */
    long problems() {
        return problems;
    }

    List<ComparedTest> tests() {
        return tests;
    }
}
