package dev.neurontest.profile;

import org.apiguardian.api.API;

/** The way in which a profile is captured. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum CaptureKind {
    /** Execution of the NEFF by the tool alone, with zero or given inputs. */
    REPLAY("executed by the tool"),
    /** Trace of a running program by the runtime, from the first execution on. */
    INLINE("traced while it ran"),
    /** Trace of a running program by the runtime, after skipped first executions. */
    INLINE_WARM("traced while it ran, after its first executions");

    private final String words;

    CaptureKind(String words) {
        this.words = words;
    }

    /**
     * Returns the description that messages and reports use.
     *
     * @return a few words
     */
    public String words() {
        return words;
    }
}
