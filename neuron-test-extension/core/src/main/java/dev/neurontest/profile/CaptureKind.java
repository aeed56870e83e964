package dev.neurontest.profile;

import org.apiguardian.api.API;

/** How a profile is captured. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum CaptureKind {
    /** The tool executed the NEFF by itself, with zero or given inputs. */
    REPLAY("executed by the tool"),
    /** The runtime traced a program while it ran, from its first execution on. */
    INLINE("traced while it ran"),
    /** The runtime traced a program while it ran, behind first executions that it skipped. */
    INLINE_WARM("traced while it ran, behind its first executions");

    private final String words;

    CaptureKind(String words) {
        this.words = words;
    }

    /**
     * As messages and reports say it.
     *
     * @return a few words
     */
    public String words() {
        return words;
    }
}
