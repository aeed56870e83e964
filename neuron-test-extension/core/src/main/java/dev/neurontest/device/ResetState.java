package dev.neurontest.device;

import org.apiguardian.api.API;

/** What a device's {@code reset} file says. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum ResetState {
    /** 0: a reset is going on; opening the device blocks. */
    RESETTING,
    /** 1: usable. */
    READY,
    /** 2: the last reset failed; opening the device is refused. */
    FAILED
}
