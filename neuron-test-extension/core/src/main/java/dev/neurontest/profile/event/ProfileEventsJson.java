package dev.neurontest.profile.event;

import dev.neurontest.json.Json;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** Writes the JSON form that {@link ProfileEvents#toJson()} documents. */
final class ProfileEventsJson {

    private static final int VERSION = 1;

    private final JsonGenerator json;

    private ProfileEventsJson(JsonGenerator json) {
        this.json = json;
    }

    static String of(ProfileEvents events) {
        return Json.text(json -> new ProfileEventsJson(json).write(events));
    }

    private void write(ProfileEvents events) {
        json.writeStartObject();
        json.writeNumberProperty("version", VERSION);
        json.writeStringProperty("kind", "events");
        json.writeStringProperty("file", events.file().toString());
        json.writeName("instructions");
        summary(events.instructions());
        summaries("engines", events.byEngine());
        summaries("opcodes", events.byOpcode());
        summaries("layers", events.byLayer());
        summaries("lines", events.byLine());
        json.writeName("dma");
        summary(events.dma());
        summaries("dmaQueues", events.dmaByQueue());
        queries(events);
        json.writeName("longest");
        json.writeStartArray();
        events.longest().forEach(this::event);
        json.writeEndArray();
        json.writeName("summary");
        json.writeStartObject();
        events.summaryNumbers().forEach(json::writeNumberProperty);
        json.writeEndObject();
        Json.strings(json, "warnings", events.warnings());
        Json.strings(json, "notices", events.notices());
        json.writeEndObject();
    }

    private void summaries(String name, Map<String, EventSummary> summaries) {
        json.writeName(name);
        json.writeStartObject();
        summaries.forEach((key, summary) -> {
            json.writeName(key);
            summary(summary);
        });
        json.writeEndObject();
    }

    private void summary(EventSummary summary) {
        json.writeStartObject();
        fields(summary);
        json.writeEndObject();
    }

    private void fields(EventSummary summary) {
        json.writeNumberProperty("count", summary.count());
        json.writeNumberProperty("totalNanos", ProfileEvents.nanos(summary.total()));
        if (summary.count() > 0) {
            json.writeNumberProperty("minNanos", summary.min().toNanos());
            json.writeNumberProperty("p50Nanos", summary.percentile(50).toNanos());
            json.writeNumberProperty("p90Nanos", summary.percentile(90).toNanos());
            json.writeNumberProperty("p99Nanos", summary.percentile(99).toNanos());
            json.writeNumberProperty("maxNanos", summary.max().toNanos());
        }
        summary.spilledBytes().ifPresent(bytes -> json.writeNumberProperty("spilledBytes", bytes));
    }

    private void queries(ProfileEvents events) {
        json.writeName("queries");
        json.writeStartObject();
        events.queries().forEach((name, query) -> {
            json.writeName(name);
            json.writeStartObject();
            json.writeStringProperty("query", query.toString());
            if (events.hasShareOfTime(query)) {
                json.writeNumberProperty("shareOfTime", events.shareOfTime(name));
            }
            fields(events.matching(name));
            json.writeEndObject();
        });
        json.writeEndObject();
    }

    private void event(InstructionEvent event) {
        json.writeStartObject();
        event.timestampNanos().ifPresent(timestamp -> json.writeNumberProperty("timestampNanos", timestamp));
        json.writeNumberProperty("durationNanos", event.duration().toNanos());
        json.writeStringProperty("engine", event.engine());
        json.writeStringProperty("opcode", event.opcode());
        json.writeStringProperty("layer", event.layer());
        json.writeStringProperty("hloName", event.hloName());
        json.writeStringProperty("operands", event.operands());
        json.writeEndObject();
    }
}
