package dev.neurontest.workload;

import dev.neurontest.device.RuntimeStatus;
import dev.neurontest.json.Json;
import dev.neurontest.process.ExitCode;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/** Writes the JSON form that {@link WorkloadResult#toJson()} documents. */
final class WorkloadJson {

    private static final int VERSION = 1;

    private WorkloadJson() {}

    static String of(WorkloadResult result) {
        return Json.text(json -> write(json, result));
    }

    private static void write(JsonGenerator json, WorkloadResult result) {
        json.writeStartObject();
        json.writeNumberProperty("version", VERSION);
        json.writeStringProperty("kind", result.kind());
        json.writeStringProperty("name", result.name());
        Json.strings(json, "command", result.command());
        json.writeNumberProperty("pid", result.pid());
        json.writeStringProperty("visibleCores", result.visibleCores());
        json.writeStringProperty("cause", result.cause().name().toLowerCase(Locale.ROOT));
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
        json.writeStringProperty("kind", status.kind().name().toLowerCase(Locale.ROOT));
        json.writeEndObject();
    }

    private static void optional(JsonGenerator json, String name, Optional<String> value) {
        json.writeName(name);
        value.ifPresentOrElse(json::writeString, json::writeNull);
    }
}
