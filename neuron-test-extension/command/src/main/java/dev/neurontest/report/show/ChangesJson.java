package dev.neurontest.report.show;

import dev.neurontest.json.Json;
import dev.neurontest.report.TestOutcome;
import dev.neurontest.report.compare.Change;
import dev.neurontest.report.compare.ChangeKind;
import dev.neurontest.report.compare.ChangedValue;
import dev.neurontest.report.compare.RunChanges;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** The member {@code comparison} of a report: a list for each kind of change, with names such as {@code newlyFailing}. */
final class ChangesJson {

    private final JsonGenerator json;

    private ChangesJson(JsonGenerator json) {
        this.json = json;
    }

    static void write(RunChanges changes, JsonGenerator json) {
        new ChangesJson(json).write(changes);
    }

    private void write(RunChanges changes) {
        json.writeObjectPropertyStart("comparison");
        json.writeStringProperty("source", changes.source());
        changes.started().ifPresent(started -> json.writeStringProperty("started", started.toString()));
        json.writeNumberProperty("testsBefore", changes.before());
        json.writeNumberProperty("testsNow", changes.now());
        json.writeNumberProperty("testsMeasured", changes.measured());
        Json.strings(json, "notes", changes.notes());
        for (ChangeKind kind : ChangeKind.values()) {
            json.writeArrayPropertyStart(member(kind));
            changes.of(kind).forEach(this::change);
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private void change(Change change) {
        json.writeStartObject();
        json.writeStringProperty("id", change.id().id());
        json.writeStringProperty("name", change.id().name());
        if (!change.place().isEmpty()) {
            json.writeStringProperty("place", change.place());
        }
        change.before().ifPresent(outcome -> json.writeStringProperty("before", word(outcome)));
        change.now().ifPresent(outcome -> json.writeStringProperty("now", word(outcome)));
        json.writeBooleanProperty("flakyBefore", change.flakyBefore());
        json.writeBooleanProperty("flakyNow", change.flakyNow());
        json.writeArrayPropertyStart("values");
        change.values().forEach(this::value);
        json.writeEndArray();
        json.writeEndObject();
    }

    private void value(ChangedValue value) {
        json.writeStartObject();
        json.writeStringProperty("metric", value.metric().name());
        json.writeStringProperty("unit", value.metric().unit().name().toLowerCase(Locale.ROOT));
        json.writeNumberProperty("before", value.before());
        json.writeNumberProperty("now", value.now());
        value.ratio().ifPresent(ratio -> json.writeNumberProperty("ratio", ratio.doubleValue()));
        json.writeEndObject();
    }

    private static String word(TestOutcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    private static String member(ChangeKind kind) {
        return switch (kind) {
            case NEWLY_FAILING -> "newlyFailing";
            case GONE -> "gone";
            case NOT_DECIDED -> "notDecided";
            case STILL_FAILING -> "stillFailing";
            case FLAKY -> "flaky";
            case SLOWER -> "slower";
            case FASTER -> "faster";
            case FIXED -> "fixed";
            case NEWLY_DECIDED -> "newlyDecided";
            case NEW -> "new";
        };
    }
}
