package dev.neurontest.report.compare;

import dev.neurontest.report.Overview;
import dev.neurontest.report.ReportedJvm;
import dev.neurontest.report.ReportedTest;
import dev.neurontest.report.RunReport;
import dev.neurontest.report.format.EarlierReport;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/** A run as far as it is compared with another one. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ComparedRun {

    private static final String PROFILE = "profile";

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
     * @throws dev.neurontest.report.format.EarlierRunException when it is missing, cut short, something else, or of another version
     */
    public static ComparedRun read(Path file) {
        List<Execution> executions = new ArrayList<>();
        EarlierReport report = EarlierReport.read(file, test -> executions.add(execution(test)));
        return of(file.toString(), report.started(), report.problems(), report.jvms(), executions);
    }

    static ComparedRun of(RunReport report) {
        return of(
                "",
                Overview.of(report).started(),
                report.problems().size(),
                report.jvms(),
                report.tests().stream().map(ComparedRun::execution).toList());
    }

    private static ComparedRun of(
            String source,
            Optional<Instant> started,
            long problems,
            List<ReportedJvm> jvms,
            List<Execution> executions) {
        record Variant(String id, Map<String, String> of) {}
        List<HostStack> hosts = jvms.stream().map(HostStack::of).toList();
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
                .filter(each -> each.kind().equals(PROFILE))
                .forEach(each -> values.profile(each.recording()));
        test.comparisons().forEach(values::comparison);
        return new Execution(
                test.jvm(),
                test.id(),
                test.isTest(),
                test.outcome(),
                test.started(),
                Duration.between(test.leased(), test.ended()),
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
