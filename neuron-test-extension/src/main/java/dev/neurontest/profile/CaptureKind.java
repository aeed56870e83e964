package dev.neurontest.profile;

import org.apiguardian.api.API;

/** How a profile is captured. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum CaptureKind {
    /** The tool executed the NEFF by itself, with zero or given inputs. */
    REPLAY,
    /** The runtime traced a program while it ran. */
    INLINE
}
