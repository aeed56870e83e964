package dev.neurontest.internal.profile.report;

import dev.neurontest.internal.profile.ProfileMembers;
import dev.neurontest.internal.profile.threshold.ThresholdOutcome;
import dev.neurontest.profile.Profile;
import java.util.List;
import org.apiguardian.api.API;
import tools.jackson.core.JsonGenerator;

/** Writer of a profile as {@link Profile#toJson()}, with the results of its thresholds. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProfileJson {

    private ProfileJson() {}

    /**
     * Writes a profile with the results of its thresholds. Each has {@code rule}, {@code metric}, {@code outcome} (kept, violated or
     * undecided), {@code value} if one was measured, {@code bound}, {@code unit}, and for people {@code shown}, {@code limit} and
     * {@code margin}.
     *
     * @param outcomes results for the member {@code thresholds}, which is absent without any
     * @return one JSON object
     */
    public static String of(Profile profile, List<ThresholdOutcome> outcomes) {
        return ProfileMembers.of(profile, json -> thresholds(json, outcomes));
    }

    private static void thresholds(JsonGenerator json, List<ThresholdOutcome> outcomes) {
        if (outcomes.isEmpty()) {
            return;
        }
        json.writeName("thresholds");
        json.writeStartArray();
        for (ThresholdOutcome outcome : outcomes) {
            json.writeStartObject();
            json.writeStringProperty("rule", outcome.rule());
            json.writeStringProperty("metric", outcome.metric());
            json.writeStringProperty("outcome", outcome.word());
            outcome.value().ifPresent(value -> ProfileMembers.number(json, "value", value.value()));
            ProfileMembers.number(json, "bound", outcome.bound().value());
            json.writeStringProperty("unit", outcome.bound().unit().symbol());
            json.writeStringProperty("shown", outcome.shown());
            json.writeStringProperty("limit", outcome.limit());
            json.writeStringProperty("margin", outcome.margin());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
