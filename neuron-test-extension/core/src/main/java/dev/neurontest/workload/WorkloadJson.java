package dev.neurontest.workload;

import dev.neurontest.internal.json.Json;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.runtime.RuntimeLine;
import dev.neurontest.runtime.RuntimeStatus;
import dev.neurontest.runtime.RuntimeStatus.Fault;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JsonGenerator;

/** Writer of the JSON form that {@link WorkloadResult#toJson()} documents. */
final class WorkloadJson {

    private static final int VERSION = 1;

    private WorkloadJson() {}

    static String of(WorkloadResult result) {
        return Json.text(json -> write(json, result));
    }

    private static void write(JsonGenerator json, WorkloadResult result) {
        json.writeStartObject();
        json.writeNumberProperty("version", VERSION);
        json.writeStringProperty("kind", Measurement.WORKLOAD);
        json.writeStringProperty("name", result.name());
        Json.strings(json, "command", result.command());
        json.writeNumberProperty("pid", result.pid());
        json.writeStringProperty("visibleCores", result.visibleCores());
        json.writeBooleanProperty("simulated", result.simulated());
        json.writeStringProperty("cause", lower(result.cause()));
        json.writeName("exitCode");
        result.exitCode().map(ExitCode::value).ifPresentOrElse(json::writeNumber, json::writeNull);
        optional(json, "signal", result.exitCode().flatMap(ExitCode::signal));
        json.writeBooleanProperty("killed", result.killed());
        json.writeBooleanProperty("succeeded", result.succeeded());
        json.writeStringProperty("started", result.started().toString());
        json.writeNumberProperty("durationMillis", result.duration().toMillis());
        optional(json, "folder", result.folder().map(Path::toString));
        json.writeName("statuses");
        json.writeStartArray();
        result.statuses().forEach(status -> status(json, status));
        json.writeEndArray();
        json.writeName("reports");
        json.writeStartArray();
        result.report().lines().forEach(line -> report(json, line));
        json.writeEndArray();
        json.writeName("survivors");
        json.writeStartArray();
        result.survivors().forEach(json::writeNumber);
        json.writeEndArray();
        Json.strings(json, "stillOwned", result.stillOwned());
        Json.strings(json, "notices", result.notices());
        json.writeEndObject();
    }

    private static void status(JsonGenerator json, RuntimeStatus status) {
        json.writeStartObject();
        json.writeNumberProperty("code", status.code());
        json.writeStringProperty("name", status.name());
        faults(json, status.faults());
        json.writeEndObject();
    }

    private static void report(JsonGenerator json, RuntimeLine line) {
        json.writeStartObject();
        json.writeStringProperty("text", line.text());
        json.writeName("status");
        line.status().map(RuntimeStatus::code).ifPresentOrElse(json::writeNumber, json::writeNull);
        json.writeStringProperty("stage", lower(line.stage()));
        line.device().ifPresent(number -> json.writeNumberProperty("device", number));
        line.core().ifPresent(number -> json.writeNumberProperty("core", number));
        line.logicalCore().ifPresent(number -> json.writeNumberProperty("logicalCore", number));
        line.rank().ifPresent(number -> json.writeNumberProperty("rank", number));
        optional(json, "cause", line.cause().map(WorkloadJson::lower));
        faults(json, line.faults());
        json.writeStringProperty("verdict", lower(line.verdict()));
        line.serialNumber().ifPresent(number -> json.writeStringProperty("serialNumber", number));
        line.action().ifPresent(action -> json.writeStringProperty("action", action));
        json.writeEndObject();
    }

    private static void faults(JsonGenerator json, Set<Fault> faults) {
        Json.strings(json, "faults", faults.stream().map(WorkloadJson::lower).toList());
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static void optional(JsonGenerator json, String name, Optional<String> value) {
        json.writeName(name);
        value.ifPresentOrElse(json::writeString, json::writeNull);
    }
}
