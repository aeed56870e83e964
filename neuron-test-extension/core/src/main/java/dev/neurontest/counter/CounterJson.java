package dev.neurontest.counter;

import dev.neurontest.counter.tree.Counter;
import dev.neurontest.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** Writes the JSON form that {@link CounterDiff#toJson()} documents. */
final class CounterJson {

    private static final int VERSION = 2;

    private final JsonGenerator json;

    private CounterJson(JsonGenerator json) {
        this.json = json;
    }

    static String of(CounterDiff diff) {
        return Json.text(json -> new CounterJson(json).write(diff));
    }

    private void write(CounterDiff diff) {
        json.writeStartObject();
        json.writeNumberProperty("version", VERSION);
        json.writeStringProperty("kind", diff.kind());
        json.writeStringProperty("host", diff.scope().tree().name());
        Json.strings(json, "cores", diff.cores());
        changes("moved", diff.moved(), diff);
        changes("foreign", diff.foreign(), diff);
        json.writeName("unreadable");
        json.writeStartArray();
        diff.unreadable().forEach(this::unreadable);
        json.writeEndArray();
        json.writeBooleanProperty("settled", diff.settled());
        json.writeNumberProperty("settlingMillis", diff.settlement().waited().toMillis());
        processes("heldBack", diff.holdingBack());
        processes("stillOpen", diff.openDevices());
        Json.strings(json, "neighbours", diff.neighbours());
        diff.restart().ifPresent(evidence -> json.writeStringProperty("restarted", evidence));
        if (!CounterText.ofHost(diff).isEmpty()) {
            Json.strings(json, "remarks", CounterText.ofHost(diff));
        }
        health(diff);
        json.writeEndObject();
    }

    private void health(CounterDiff diff) {
        Map<String, HealthChange> changes = diff.healthChanges();
        if (changes.isEmpty()) {
            return;
        }
        json.writeObjectPropertyStart("health");
        changes.forEach((device, change) -> {
            json.writeObjectPropertyStart(device);
            json.writeStringProperty("before", change.before());
            json.writeStringProperty("after", change.after());
            diff.healthVerdict(device)
                    .ifPresent(verdict ->
                            json.writeStringProperty("verdict", verdict.name().toLowerCase(Locale.ROOT)));
            json.writeEndObject();
        });
        json.writeEndObject();
    }

    private void processes(String name, Map<Integer, List<String>> byDevice) {
        json.writeName(name);
        json.writeStartObject();
        byDevice.forEach((device, owners) -> Json.strings(json, "neuron" + device, owners));
        json.writeEndObject();
    }

    private void changes(String name, List<CounterChange> changes, CounterDiff diff) {
        json.writeName(name);
        json.writeStartArray();
        changes.forEach(change -> change(change, diff));
        json.writeEndArray();
    }

    private void change(CounterChange change, CounterDiff diff) {
        json.writeStartObject();
        identity(change.counters().get(0));
        json.writeStringProperty("unit", change.unit().symbol());
        json.writeStringProperty("kind", change.kind().name().toLowerCase(Locale.ROOT));
        json.writeStringProperty("movement", change.movement().name().toLowerCase(Locale.ROOT));
        json.writeBooleanProperty("error", change.isError());
        json.writeNumberProperty("before", change.before());
        json.writeNumberProperty("after", change.after());
        json.writeNumberProperty("delta", change.delta());
        json.writeStringProperty("text", CounterText.rounded(change));
        json.writeStringProperty("remark", CounterText.remark(change, diff));
        json.writeStringProperty("location", change.locations().get(0));
        if (diff.isShared(change)) {
            json.writeStringProperty("attribution", "shared");
        }
        diff.verdict(change)
                .ifPresent(verdict ->
                        json.writeStringProperty("verdict", verdict.name().toLowerCase(Locale.ROOT)));
        json.writeEndObject();
    }

    private void unreadable(UnreadableCounter counter) {
        json.writeStartObject();
        identity(counter.counter());
        json.writeStringProperty("moment", counter.moment());
        json.writeStringProperty("location", counter.cause().location());
        String content = counter.cause().content();
        if (content == null) {
            json.writeNullProperty("content");
        } else {
            json.writeStringProperty("content", content);
        }
        json.writeStringProperty("message", counter.cause().getMessage());
        json.writeEndObject();
    }

    private void identity(Counter counter) {
        json.writeStringProperty("place", counter.place().toString());
        json.writeStringProperty("counter", counter.path());
        json.writeStringProperty("field", counter.field().name().toLowerCase(Locale.ROOT));
    }
}
