package dev.neurontest.internal.judgement;

import dev.neurontest.internal.json.JsonObject;
import java.util.List;
import org.apiguardian.api.API;

/** A measurement of a test: an immutable value that is judged by expectations and saved as evidence. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface Measurement {

    /** Kinds of measurements, as in run files and in the names of attachments. */
    String COUNTERS = "counters";

    String OUTPUTS = "outputs";
    String PRINTS = "prints";
    String PROFILE = "profile";
    String WORKLOAD = "workload";

    /**
     * Returns the kind of the measurement. It is part of the names of its attachments.
     *
     * @return a short name such as {@code counters}
     */
    String kind();

    /**
     * Returns the name of the measured object. It is part of the names of attachments if a test has several measurements of this kind.
     *
     * @return such as the name of a graph or a program; empty by default
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    default String subject() {
        return "";
    }

    /**
     * Returns the measurement as readable text, as attached to the test.
     *
     * @return lines of text, including the final line ending
     */
    String toText();

    /** Returns the measurement as one JSON object. Its {@code "version"} increases when its format changes. */
    String toJson();

    /** Returns the JSON object for the run file. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    default JsonObject toObject() {
        return new JsonObject(toJson());
    }

    /**
     * Returns whether the measurement is complete and has no content. The run file then contains only this fact.
     *
     * @return false when in doubt
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    default boolean isEmpty() {
        return false;
    }

    /**
     * Returns the additional files next to the text and the JSON, such as a picture.
     *
     * @return files in the order of attachment; empty by default
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    default List<Attachment> attachments() {
        return List.of();
    }
}
