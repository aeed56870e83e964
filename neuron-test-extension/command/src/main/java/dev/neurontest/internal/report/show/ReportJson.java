package dev.neurontest.internal.report.show;

import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.json.Json;
import dev.neurontest.internal.json.RecordWriter;
import dev.neurontest.internal.json.Unwrapped;
import dev.neurontest.internal.report.CoreUse;
import dev.neurontest.internal.report.FailureGroup;
import dev.neurontest.internal.report.FlakyTest;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.HostError;
import dev.neurontest.internal.report.Overview;
import dev.neurontest.internal.report.ReportedJvm;
import dev.neurontest.internal.report.ReportedQuarantine;
import dev.neurontest.internal.report.ReportedShards;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RerunCommand;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.ShardAttempt;
import dev.neurontest.internal.report.compare.RunChanges;
import dev.neurontest.internal.report.format.EarlierReport;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.exc.JacksonIOException;

/**
 * Writer of a run as JSON for programs: {@code neuron-report.json}, with the schema
 * {@code dev/neurontest/internal/report/neuron-report.schema.json}.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ReportJson {

    private ReportJson() {}

    private record Report(
            int version,
            String kind,
            Optional<Boolean> passed,
            List<GateOutcome> gates,
            Overview summary,
            List<ReportedJvm> jvms,
            Optional<List<Shard>> shards,
            Iterable<Test> tests,
            List<CoreUse> cores,
            List<Flaky> flaky,
            List<ReportedQuarantine> quarantines,
            List<HostError> hostErrors,
            List<String> notices,
            List<String> problems,
            Optional<RunChanges> comparison) {

        static Report of(RunReport report, List<GateOutcome> gates, Optional<RunChanges> changes) {
            ReportedShards shards = ReportedShards.of(report.jvms());
            Map<Integer, Long> tests = report.testsByJvm();
            Map<ReportedTest, Integer> groups = new IdentityHashMap<>();
            int number = 0;
            for (FailureGroup group : FailureGroup.of(report)) {
                int current = ++number;
                group.tests().forEach(test -> groups.put(test, current));
            }
            return new Report(
                    EarlierReport.VERSION,
                    EarlierReport.KIND,
                    gates.isEmpty()
                            ? Optional.empty()
                            : Optional.of(gates.stream().allMatch(GateOutcome::passed)),
                    gates,
                    Overview.of(report),
                    report.jvms(),
                    Optional.of(shards.attempts().stream()
                                    .map(each -> Shard.of(each, shards, tests))
                                    .toList())
                            .filter(all -> !all.isEmpty()),
                    // Created during writing, because a run may have any number of tests.
                    () -> report.tests().stream()
                            .map(test -> new Test(
                                    test,
                                    Optional.ofNullable(groups.get(test)),
                                    Optional.of(true).filter(any -> test.isMistake()),
                                    RerunCommand.of(report, test)))
                            .iterator(),
                    CoreUse.of(report),
                    FlakyTest.of(report).stream().map(Flaky::of).toList(),
                    report.quarantines(),
                    report.hostErrors(),
                    report.notices(),
                    report.problems(),
                    changes);
        }
    }

    private record Test(
            @Unwrapped ReportedTest test, Optional<Integer> group, Optional<Boolean> mistake, Optional<String> rerun) {}

    private record Shard(
            @Unwrapped ShardAttempt attempt, Duration took, String host, long tests, boolean startedAgain) {

        static Shard of(ShardAttempt attempt, ReportedShards shards, Map<Integer, Long> tests) {
            return new Shard(
                    attempt,
                    attempt.took(),
                    attempt.host(),
                    attempt.tests(tests),
                    shards.startedAgain(attempt.jvms().get(0)).isPresent());
        }
    }

    private record Flaky(@Unwrapped TestId id, int failures, boolean passedLater, String text) {

        static Flaky of(FlakyTest test) {
            return new Flaky(test.id(), test.failures().size(), true, test.toString());
        }
    }

    /**
     * Writes the report into a file, test by test. An existing file is replaced after everything is written; a link in its place is not
     * followed.
     *
     * @param gates verdicts of the gates; empty when there are no gates
     * @param changes changes since an earlier run; empty without a comparison
     * @param file target in an existing folder
     * @throws IOException when the file cannot be written; an existing file remains
     */
    public static void write(RunReport report, List<GateOutcome> gates, Optional<RunChanges> changes, Path file)
            throws IOException {
        WholeFile.write(file, out -> write(report, gates, changes, out));
    }

    /**
     * Writes the report, test by test.
     *
     * @param gates verdicts of the gates; empty when there are no gates
     * @param changes changes since an earlier run; empty without a comparison
     * @param out target; it remains open
     * @throws IOException when the target cannot be written
     */
    public static void write(RunReport report, List<GateOutcome> gates, Optional<RunChanges> changes, Writer out)
            throws IOException {
        try {
            // Not closed, because that would close the writer too.
            JsonGenerator json = Json.generator(out);
            new RecordWriter(json).object(Report.of(report, gates, changes));
            json.flush();
        } catch (JacksonIOException failed) {
            throw failed.getCause();
        }
        out.write('\n');
        out.flush();
    }
}
