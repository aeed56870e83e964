package dev.neurontest.profile;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;

/** A capture that left nothing to judge. What there is of it is kept: the calls of the tool, their logs, the folder. */
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
     * What there is.
     *
     * @return with a doubt {@link Doubt.Kind#NOT_CAPTURED} that says why
     */
    public Profile profile() {
        return profile;
    }
}
