package dev.neurontest.profile;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;

/**
 * Thrown when a capture produced nothing that a test can judge. The exception keeps the rest: the tool calls, their logs and the folder.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CaptureException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient Profile profile;

    CaptureException(Profile profile) {
        super(VisibleText.of("%s was not profiled. %s"
                .formatted(
                        profile.title(),
                        String.join(
                                "\n",
                                profile.doubts().stream().map(Doubt::reason).toList()))));
        this.profile = profile;
    }

    /**
     * Returns the incomplete profile.
     *
     * @return a profile with a doubt {@link Doubt.Kind#NOT_CAPTURED}, which states the reason
     */
    public Profile profile() {
        return profile;
    }
}
