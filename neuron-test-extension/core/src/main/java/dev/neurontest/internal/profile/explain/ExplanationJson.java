package dev.neurontest.internal.profile.explain;

import dev.neurontest.internal.json.Json;
import dev.neurontest.profile.EventRow;
import dev.neurontest.profile.Grouping;
import dev.neurontest.profile.ProfileEvents;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import tools.jackson.core.JsonGenerator;

/** Writer of the JSON form that {@code neuron-explanation.schema.json} describes. */
final class ExplanationJson {

    private static final int VERSION = 1;

    private ExplanationJson() {}

    static String of(Explanation explanation) {
        return Json.text(json -> write(json, explanation));
    }

    private static void write(JsonGenerator json, Explanation explanation) {
        json.writeStartObject();
        json.writeNumberProperty("version", VERSION);
        json.writeStringProperty("kind", "explanation");
        json.writeStringProperty("answer", explanation.answer().name().toLowerCase(Locale.ROOT));
        json.writeStringProperty("headline", explanation.headline());
        Json.strings(json, "cautions", explanation.cautions());
        side(json, "before", explanation.before());
        side(json, "now", explanation.after());
        json.writeArrayPropertyStart("groups");
        explanation.groups().forEach(group -> group(json, group));
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void side(JsonGenerator json, String name, ProfileEvents events) {
        json.writeObjectPropertyStart(name);
        json.writeObjectPropertyStart("about");
        events.about().forEach(json::writeStringProperty);
        json.writeEndObject();
        number(json, "executionNs", events.executionNanos());
        json.writeNumberProperty("instructionsNs", events.nanos(Grouping.ENGINE));
        number(json, "spilledBytes", Explanation.spilled(events));
        json.writeEndObject();
    }

    private static void group(JsonGenerator json, GroupChange group) {
        json.writeStartObject();
        json.writeStringProperty("by", group.grouping().word());
        json.writeNumberProperty("beforeNs", group.before());
        json.writeNumberProperty("nowNs", group.after());
        json.writeNumberProperty("growthNs", group.growth());
        json.writeNumberProperty("shrinkageNs", group.shrinkage());
        changes(json, "grown", group, group.grown());
        changes(json, "shrunk", group, group.shrunk());
        changes(json, "otherwise", group, group.otherwise());
        json.writeEndObject();
    }

    private static void changes(JsonGenerator json, String name, GroupChange group, List<RowChange> changes) {
        json.writeArrayPropertyStart(name);
        for (RowChange change : changes) {
            json.writeStartObject();
            json.writeStringProperty("name", change.name());
            json.writeNumberProperty("changeNs", change.nanos());
            if (change.nanos() > 0) {
                json.writeNumberProperty("share", group.share(change));
            }
            json.writeBooleanProperty("certain", change.certain());
            row(json, "before", change.before());
            row(json, "now", change.after());
            json.writeStringProperty("why", change.why());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void row(JsonGenerator json, String name, EventRow row) {
        json.writeObjectPropertyStart(name);
        json.writeNumberProperty("ns", row.nanos());
        json.writeNumberProperty("count", row.count());
        number(json, "spilledBytes", row.spilledBytes());
        json.writeEndObject();
    }

    private static void number(JsonGenerator json, String name, OptionalLong number) {
        if (number.isPresent()) {
            json.writeNumberProperty(name, number.getAsLong());
        }
    }
}
