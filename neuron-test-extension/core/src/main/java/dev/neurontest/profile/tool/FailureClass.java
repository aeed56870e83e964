package dev.neurontest.profile.tool;

import dev.neurontest.device.RuntimeStatus;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/** Who has to act when a capture failed, by what the runtime returned inside the tool. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum FailureClass {
    /** The device is broken, or must be reset. */
    DEVICE(Set.of(101, 6, 1200, 1201, 1202, 1203, 1205), "The device is broken or must be reset: take another one."),
    /** It may work another time. */
    ENVIRONMENT(
            Set.of(4, 5, 7, 9, 1005, 1204),
            "The host could not serve it: see what else is on the cores, save memory by singleIo(), leave out dgeNotifications(), or try again."),
    /** The caller gave something wrong. */
    NEFF_OR_INPUTS(
            Set.of(2, 10, 1002, 1006),
            "The NEFF does not fit this runtime and these cores, or the inputs do not fit the NEFF: see input(name, file)."),
    /** NaN, as zero inputs often give. */
    NUMERICAL(
            Set.of(1003),
            "Zero inputs often give NaN: give real ones by input(name, file), or say ignoreExecErrors(true), since the trace is complete."),
    /** Nothing is known. */
    UNKNOWN(Set.of(), "The log of the tool says more.");

    private final Set<Integer> codes;
    private final String advice;

    FailureClass(Set<Integer> codes, String advice) {
        this.codes = codes;
        this.advice = advice;
    }

    /**
     * The gravest of some statuses.
     *
     * @param statuses that the runtime returned
     * @return the class that decides
     */
    public static FailureClass of(List<RuntimeStatus> statuses) {
        for (FailureClass each : values()) {
            if (statuses.stream().anyMatch(status -> each.codes.contains(status.code()))) {
                return each;
            }
        }
        return UNKNOWN;
    }

    String advice() {
        return advice;
    }

    /**
     * Whether it is about what was computed only, so that the trace may be good.
     *
     * @return whether it is
     */
    public boolean concernsTheComputationOnly() {
        return this == NEFF_OR_INPUTS || this == NUMERICAL;
    }
}
