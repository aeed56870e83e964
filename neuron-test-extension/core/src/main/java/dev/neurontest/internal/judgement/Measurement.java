package dev.neurontest.internal.judgement;

import java.util.List;
import org.apiguardian.api.API;

/** What was seen of a test: an immutable value that expectations judge and that evidence keeps. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface Measurement {

    /**
     * Which wing it comes from; names its attachments.
     *
     * @return a short name such as {@code counters}
     */
    String kind();

    /**
     * The recording for a person, as it is attached to the test.
     *
     * @return lines of text, the last one ended too
     */
    String toText();

    /**
     * The recording for a program. The object carries {@code "version"}, which rises when its shape changes.
     *
     * @return one JSON object
     */
    String toJson();

    /**
     * Whether nothing was seen, and nothing kept it from being seen. The run file then says just that.
     *
     * @return false when in doubt
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    default boolean isEmpty() {
        return false;
    }

    /**
     * What there is beside the text and the JSON, such as a picture.
     *
     * @return attached in this order; none without
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    default List<Attachment> attachments() {
        return List.of();
    }
}
