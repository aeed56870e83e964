package dev.neurontest.platform;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** There is no host of the kind that was chosen; the message is the one precise reason. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class PlatformUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Whether tests are to be skipped with this reason instead of failing. */
    private final boolean skippable;

    PlatformUnavailableException(String reason, boolean skippable, @Nullable Throwable cause) {
        super(reason, cause);
        this.skippable = skippable;
    }

    /**
     * Whether tests are to be skipped with this reason instead of failing.
     *
     * @return true for {@code neuron.test.platform=auto} only
     */
    public boolean isSkippable() {
        return skippable;
    }
}
