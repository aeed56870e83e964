package dev.neurontest.internal.participant;

import dev.neurontest.internal.judgement.NotApplicable;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The use of the device by a test, or by a class with its tests. If all programs simulated their kernels, nothing ran on the device, and
 * expectations on what happens there do not apply. Only this class decides that.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class DeviceUse {

    private static final String REASON =
            "All kernels of the test were simulated (NKI_SIMULATOR=1), and nothing ran on its cores.";

    private final @Nullable DeviceUse enclosing;
    private volatile boolean simulated;
    private volatile boolean onDevice;
    private volatile boolean programOnDevice;
    private volatile boolean partsSimulated;
    private volatile boolean partsOnDevice;

    /**
     * Creates the use of a test that has not started.
     *
     * @param enclosing the use by the class that leases cores for it; null without one
     */
    public DeviceUse(@Nullable DeviceUse enclosing) {
        this.enclosing = enclosing;
    }

    /** Records that a program simulated its kernels. */
    public void simulated() {
        simulated = true;
        for (@Nullable DeviceUse outer = enclosing; outer != null; outer = outer.enclosing) {
            outer.partsSimulated = true;
        }
    }

    /** Records that a program was started on cores. */
    public void programStarted() {
        programOnDevice = true;
        ranOnDevice();
    }

    /** Returns whether a program of the test itself was started on cores. */
    public boolean startedOnDevice() {
        return programOnDevice;
    }

    /** Records that something ran on the device, or may have. */
    public void ranOnDevice() {
        onDevice = true;
        for (@Nullable DeviceUse outer = enclosing; outer != null; outer = outer.enclosing) {
            outer.partsOnDevice = true;
        }
    }

    /** Returns whether programs simulated their kernels and nothing ran on the device. */
    public boolean isOnlySimulated() {
        for (@Nullable DeviceUse outer = enclosing; outer != null; outer = outer.enclosing) {
            if (outer.onDevice) {
                return false;
            }
        }
        return (simulated || partsSimulated) && !onDevice && !partsOnDevice;
    }

    /** Creates the result of an expectation that does not apply because of this use. */
    public static NotApplicable notApplicable(String rule, String subject) {
        return new NotApplicable(rule, subject, REASON);
    }
}
