package dev.neurontest.internal.host;

import dev.neurontest.internal.text.VisibleText;
import java.io.IOException;
import org.apiguardian.api.API;

/** A file that was asked and did not answer in time. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class NoAnswerException extends IOException {

    private static final long serialVersionUID = 1;

    /** What was waited for. */
    private final String reason;

    /**
     * A silent file.
     *
     * @param location where it is, as {@link HostTree#location(String)} names it
     * @param reason what was waited for
     */
    public NoAnswerException(String location, String reason) {
        super(VisibleText.of(location + ": " + reason));
        this.reason = reason;
    }

    /** The message without the location. */
    public String reason() {
        return reason;
    }
}
