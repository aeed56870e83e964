package dev.neurontest.evidence;

import dev.neurontest.recording.Recording;
import org.apiguardian.api.API;

/**
 * A JSON object on one line.
 *
 * @param text without line breaks
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record JsonObject(String text) {

    /**
     * Puts the object on one line.
     *
     * @param text one JSON object, over as many lines as it likes
     * @throws IllegalArgumentException when it is anything else
     */
    public JsonObject {
        text = Json.compact(text);
    }

    /**
     * The recording for programs.
     *
     * @param recording what was seen
     * @return its JSON
     * @throws IllegalArgumentException when that is no JSON object
     */
    public static JsonObject of(Recording recording) {
        return new JsonObject(recording.toJson());
    }
}
