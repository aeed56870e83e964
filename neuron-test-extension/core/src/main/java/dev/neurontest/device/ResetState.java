package dev.neurontest.device;

import org.apiguardian.api.API;

/** The content of a device's {@code reset} file. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum ResetState {
    /** 0: a reset in progress. Opening the device blocks. */
    RESETTING,
    /** 1: a usable device. */
    READY,
    /** 2: a failed last reset. The driver refuses to open the device. */
    FAILED
}
