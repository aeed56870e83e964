package dev.neurontest.report.show;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonJson;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.json.Json;
import dev.neurontest.recording.Undecided;
import dev.neurontest.recording.Violation;
import dev.neurontest.report.CoreUse;
import dev.neurontest.report.FlakyTest;
import dev.neurontest.report.GateOutcome;
import dev.neurontest.report.HostError;
import dev.neurontest.report.Overview;
import dev.neurontest.report.ReportedJvm;
import dev.neurontest.report.ReportedQuarantine;
import dev.neurontest.report.ReportedShards;
import dev.neurontest.report.ReportedTest;
import dev.neurontest.report.RerunCommand;
import dev.neurontest.report.RunReport;
import dev.neurontest.report.ShardAttempt;
import dev.neurontest.report.TestOutcome;
import dev.neurontest.report.compare.RunChanges;
import dev.neurontest.text.DurationText;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.exc.JacksonIOException;

/**
 * A run for programs: {@code neuron-report.json}. Every member is described by the JSON schema beside this class,
 * {@code dev/neurontest/report/neuron-report.schema.json}. The version rises when a member changes its meaning or goes; new members may come
 * without that. What is not known is left out; times are in UTC, durations in nanoseconds, names of constants in lower case.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ReportJson {

    private static final int VERSION = 1;

    private final RunReport report;
    private final List<GateOutcome> gates;
    private final Optional<RunChanges> changes;
    private final JsonGenerator json;

    private ReportJson(RunReport report, List<GateOutcome> gates, Optional<RunChanges> changes, JsonGenerator json) {
        this.report = report;
        this.gates = gates;
        this.changes = changes;
        this.json = json;
    }

    /**
     * Writes the report into a file, test by test. What was there is replaced when all is written; a link there is not followed.
     *
     * @param report of the run
     * @param gates what they decided; none when no gates were given
     * @param file where to; its folder must be there
     * @throws IOException when the file cannot be written; then what was there still is
     */
    public static void write(RunReport report, List<GateOutcome> gates, Path file) throws IOException {
        write(report, gates, Optional.empty(), file);
    }

    /**
     * Writes the report into a file, with what is different from an earlier run.
     *
     * @param report of the run
     * @param gates what they decided; none when no gates were given
     * @param changes since an earlier run; empty where it is compared with none
     * @param file where to; its folder must be there
     * @throws IOException when the file cannot be written; then what was there still is
     */
    public static void write(RunReport report, List<GateOutcome> gates, Optional<RunChanges> changes, Path file)
            throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.deleteIfExists(part);
        try {
            try (Writer out = Files.newBufferedWriter(part, StandardOpenOption.CREATE_NEW)) {
                write(report, gates, changes, out);
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /**
     * Writes the report, test by test.
     *
     * @param report of the run
     * @param gates what they decided; none when no gates were given
     * @param out where to; it is left open
     * @throws IOException when that cannot be written to
     */
    public static void write(RunReport report, List<GateOutcome> gates, Writer out) throws IOException {
        write(report, gates, Optional.empty(), out);
    }

    static void write(RunReport report, List<GateOutcome> gates, Optional<RunChanges> changes, Writer out)
            throws IOException {
        try {
            // Never closed: that would close the writer, too.
            JsonGenerator json = Json.generator(out);
            new ReportJson(report, gates, changes, json).write();
            json.flush();
        } catch (JacksonIOException failed) {
            throw failed.getCause();
        }
        out.write('\n');
        out.flush();
    }

    private void write() {
        json.writeStartObject();
        json.writeNumberProperty("version", VERSION);
        json.writeStringProperty("kind", "neuron-report");
        if (!gates.isEmpty()) {
            json.writeBooleanProperty("passed", gates.stream().allMatch(GateOutcome::passed));
        }
        array("gates", gates, this::gate);
        summary(Overview.of(report));
        array("jvms", report.jvms(), this::jvm);
        ReportedShards shards = ReportedShards.of(report.jvms());
        if (!shards.attempts().isEmpty()) {
            Map<Integer, Long> tests = report.testsByJvm();
            array("shards", shards.attempts(), attempt -> shard(shards, attempt, attempt.tests(tests)));
        }
        array("tests", report.tests(), this::test);
        array("cores", CoreUse.of(report), this::core);
        array("flaky", FlakyTest.of(report), this::flaky);
        array("quarantines", report.quarantines(), this::quarantine);
        array("hostErrors", report.hostErrors(), this::hostError);
        array("notices", report.notices(), json::writeString);
        array("problems", report.problems(), json::writeString);
        changes.ifPresent(each -> ChangesJson.write(each, json));
        json.writeEndObject();
    }

    private void gate(GateOutcome gate) {
        json.writeStartObject();
        json.writeStringProperty("gate", gate.gate());
        json.writeBooleanProperty("passed", gate.passed());
        json.writeStringProperty("expected", gate.expected());
        json.writeStringProperty("actual", gate.actual());
        json.writeStringProperty("advice", gate.advice());
        json.writeEndObject();
    }

    private void summary(Overview overview) {
        json.writeObjectPropertyStart("summary");
        json.writeNumberProperty("tests", overview.tests());
        for (TestOutcome outcome : TestOutcome.values()) {
            json.writeNumberProperty(name(outcome), overview.outcomes().getOrDefault(outcome, 0L));
        }
        overview.started().ifPresent(started -> json.writeStringProperty("started", started.toString()));
        json.writeNumberProperty("tookNanos", DurationText.nanos(overview.took()));
        json.writeNumberProperty("waitedNanos", DurationText.nanos(overview.waited()));
        array("platforms", overview.platforms(), json::writeString);
        json.writeObjectPropertyStart("skips");
        overview.skips().forEach(json::writeNumberProperty);
        json.writeEndObject();
        json.writeEndObject();
    }

    private void jvm(ReportedJvm jvm) {
        json.writeStartObject();
        json.writeStringProperty("file", jvm.file().toString());
        json.writeStringProperty("host", jvm.host());
        json.writeBooleanProperty("onHardware", jvm.onHardware());
        json.writeStringProperty("started", jvm.started().toString());
        json.writeStringProperty("ended", jvm.ended().toString());
        json.writeBooleanProperty("finished", jvm.finished());
        jvm.start().ifPresent(this::start);
        jvm.platform().ifPresent(this::platform);
        json.writeObjectPropertyStart("versions");
        jvm.versions().forEach(json::writeStringProperty);
        json.writeEndObject();
        json.writeEndObject();
    }

    private void start(RunEvent.RunStarted start) {
        json.writeNumberProperty("pid", start.pid());
        json.writeStringProperty("java", start.java());
        json.writeStringProperty("os", start.os());
        json.writeStringProperty("module", start.module());
        json.writeStringProperty("directory", start.directory());
        known("machine", start.machine());
    }

    private void platform(RunEvent.PlatformChosen platform) {
        json.writeObjectPropertyStart("platform");
        json.writeStringProperty("kind", platform.kind());
        json.writeStringProperty("host", platform.host());
        json.writeStringProperty("choice", platform.choice());
        json.writeStringProperty("origin", platform.origin());
        known("instanceType", platform.instanceType());
        known("layout", platform.layout());
        known("driverVersion", platform.driverVersion());
        json.writeNumberProperty("devices", platform.devices());
        json.writeNumberProperty("cores", platform.cores());
        json.writeNumberProperty("lnc", platform.lnc());
        json.writeEndObject();
    }

    private void shard(ReportedShards shards, ShardAttempt attempt, long tests) {
        json.writeStartObject();
        json.writeNumberProperty("shard", attempt.shard());
        json.writeNumberProperty("count", attempt.count());
        attempt.machine().ifPresent(machine -> json.writeStringProperty("machine", machine));
        attempt.job().ifPresent(job -> json.writeStringProperty("job", job));
        json.writeNumberProperty("restarts", attempt.restarts());
        json.writeStringProperty("host", attempt.host());
        json.writeStringProperty("started", attempt.started().toString());
        json.writeNumberProperty("tookNanos", DurationText.nanos(attempt.took()));
        json.writeNumberProperty("tests", tests);
        json.writeBooleanProperty("finished", attempt.finished());
        json.writeBooleanProperty(
                "startedAgain", shards.startedAgain(attempt.jvms().get(0)).isPresent());
        array("timings", sorted(attempt.timings()), json::writeString);
        array("codes", sorted(attempt.codes()), json::writeString);
        array("jvms", attempt.jvms(), json::writeNumber);
        json.writeEndObject();
    }

    private static List<String> sorted(Collection<String> texts) {
        return texts.stream().filter(text -> !text.isEmpty()).sorted().toList();
    }

    private void test(ReportedTest test) {
        json.writeStartObject();
        json.writeNumberProperty("jvm", test.jvm());
        json.writeStringProperty("id", test.id().id());
        json.writeStringProperty("name", test.id().name());
        json.writeBooleanProperty("isTest", test.isTest());
        json.writeStringProperty("outcome", name(test.outcome()));
        test.lastPhase().ifPresent(phase -> json.writeStringProperty("lastPhase", name(phase)));
        test.reason().ifPresent(reason -> json.writeStringProperty("reason", reason));
        array("cores", test.cores(), json::writeString);
        json.writeStringProperty("started", test.started().toString());
        json.writeNumberProperty("tookNanos", DurationText.nanos(test.took()));
        json.writeNumberProperty("waitedNanos", DurationText.nanos(test.waited()));
        json.writeNumberProperty("retries", test.retries());
        array("violations", test.violations(), this::violation);
        array("undecided", test.undecided(), this::undecided);
        array("notices", test.notices(), json::writeString);
        array("recordings", test.recordings(), this::recorded);
        array("comparisons", test.comparisons(), this::comparison);
        array("attachments", test.attachments(), this::attached);
        RerunCommand.of(report, test).ifPresent(command -> json.writeStringProperty("rerun", command));
        json.writeEndObject();
    }

    private void violation(Violation violation) {
        json.writeStartObject();
        json.writeStringProperty("rule", violation.rule());
        json.writeStringProperty("subject", violation.subject());
        json.writeStringProperty("expected", violation.expected());
        json.writeStringProperty("actual", violation.actual());
        json.writeStringProperty("advice", violation.advice());
        json.writeEndObject();
    }

    private void undecided(Undecided undecided) {
        json.writeStartObject();
        json.writeStringProperty("rule", undecided.rule());
        json.writeStringProperty("subject", undecided.subject());
        json.writeStringProperty("reason", undecided.reason());
        json.writeEndObject();
    }

    private void recorded(ReportedTest.Recorded recorded) {
        json.writeStartObject();
        json.writeStringProperty("kind", recorded.kind());
        json.writeName("recording");
        json.writeRawValue(recorded.recording().text());
        json.writeEndObject();
    }

    private void comparison(Comparison comparison) {
        json.writeRawValue(ComparisonJson.write(comparison));
    }

    private void attached(ReportedTest.Attached attached) {
        json.writeStartObject();
        json.writeStringProperty("name", attached.name());
        json.writeStringProperty("mediaType", attached.mediaType());
        json.writeNumberProperty("bytes", attached.bytes());
        attached.file().ifPresent(file -> json.writeStringProperty("file", file.toString()));
        json.writeEndObject();
    }

    private void core(CoreUse core) {
        json.writeStartObject();
        json.writeStringProperty("host", core.host());
        json.writeStringProperty("device", core.device());
        json.writeStringProperty("core", core.core());
        json.writeNumberProperty("tests", core.tests());
        json.writeNumberProperty("failed", core.failed());
        json.writeNumberProperty("usedNanos", DurationText.nanos(core.used()));
        json.writeNumberProperty("quarantines", core.quarantines().size());
        json.writeEndObject();
    }

    private void flaky(FlakyTest flaky) {
        json.writeStartObject();
        json.writeStringProperty("id", flaky.id().id());
        json.writeStringProperty("name", flaky.id().name());
        json.writeNumberProperty("failures", flaky.failures().size());
        json.writeBooleanProperty("passedLater", flaky.passed().isPresent());
        json.writeStringProperty("text", flaky.toString());
        json.writeEndObject();
    }

    private void quarantine(ReportedQuarantine quarantine) {
        json.writeStartObject();
        json.writeStringProperty("host", quarantine.host());
        json.writeStringProperty("core", quarantine.core());
        json.writeStringProperty("test", quarantine.test());
        json.writeStringProperty("reason", quarantine.reason());
        json.writeBooleanProperty("suspect", quarantine.suspect());
        json.writeStringProperty("at", quarantine.at().toString());
        quarantine.ended().ifPresent(how -> json.writeStringProperty("ended", how));
        json.writeEndObject();
    }

    private void hostError(HostError error) {
        json.writeStartObject();
        json.writeStringProperty("host", error.host());
        json.writeStringProperty("counter", error.counter());
        json.writeNumberProperty("before", error.before());
        json.writeNumberProperty("after", error.after());
        json.writeStringProperty("change", error.change());
        json.writeNumberProperty("explained", error.explained());
        json.writeNumberProperty("unexplained", error.unexplained());
        json.writeEndObject();
    }

    private <T> void array(String name, Collection<T> values, Consumer<T> write) {
        json.writeArrayPropertyStart(name);
        values.forEach(write);
        json.writeEndArray();
    }

    private void known(String name, @Nullable String value) {
        if (value != null) {
            json.writeStringProperty(name, value);
        }
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
