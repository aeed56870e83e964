package dev.neurontest.internal.host;

import dev.neurontest.internal.text.VisibleText;
import java.io.IOException;
import org.apiguardian.api.API;

/** Thrown when a file does not answer in time. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class NoAnswerException extends IOException {

    private static final long serialVersionUID = 1;

    /** Description of the missing answer. */
    private final String reason;

    /**
     * Creates an exception for a silent file.
     *
     * @param location location of the file, in the form of {@link HostTree#location(String)}
     * @param reason description of the missing answer
     */
    public NoAnswerException(String location, String reason) {
        super(VisibleText.of(location + ": " + reason));
        this.reason = reason;
    }

    /** Returns the message without the location. */
    public String reason() {
        return reason;
    }
}
