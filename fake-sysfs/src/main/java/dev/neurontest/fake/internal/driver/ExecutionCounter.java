package dev.neurontest.fake.internal.driver;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The counters that a process keeps per core in its datastore and that sysfs shows. They have the names of drivers since 2.8.4.0
 * and the order of the driver's datastore (neuron_ds.h).
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum ExecutionCounter {
    /** Time that the core was in use, in microseconds. */
    NC_TIME_IN_USE,
    /** Completed executions. */
    SUCCESS,
    /** Executions completed with an error. */
    EXECUTE_COMPLETED_WITH_ERROR,
    /** Executions completed with a numerical error. */
    EXECUTE_COMPLETED_WITH_NUM_ERROR,
    /** Executions that timed out. */
    TIMEOUT,
    /** Executions refused for their input. */
    EXEC_BAD_INPUT,
    /** Executions that could not be queued. */
    EXECUTE_FAILED_TO_QUEUE,
    /** Errors without another category. */
    GENERIC_ERROR,
    /** Errors of the hardware. */
    HW_ERROR,
    /** Failures without a more specific reason. */
    FAILURE,
    /** Lack of a resource. */
    RESOURCE_ERROR,
    /** Lack of a core. */
    RESOURCE_NC_ERROR,
    /** Invalid requests. */
    INVALID_ERROR,
    /** Models with a version that the runtime does not support. */
    UNSUPPORTED_NEFF_VERSION,
    /** Loaded models. */
    MODEL_LOAD_COUNT,
    /** Executions. */
    INFERENCE_COUNT,
    /** Floating-point operations: the datastore keeps multiply-accumulates, sysfs shows twice that. */
    FLOP_COUNT,
    /** Accesses out of bounds. */
    OOB_ERROR,
    /** Hardware errors in collectives. */
    HW_COLLECTIVES_ERROR,
    /** Uncorrectable errors of device memory. */
    HW_HBM_UE_ERROR,
    /** Uncorrectable errors of a core's memory. */
    HW_NC_UE_ERROR,
    /** Aborted DMA transfers. */
    HW_DMA_ABORT_ERROR,
    /** Overflows of a notification queue. */
    EXECUTE_SW_NQ_OVERFLOW,
    /** Semaphore errors. */
    EXECUTE_SW_SEMAPHORE_ERROR,
    /** Event errors. */
    EXECUTE_SW_EVENT_ERROR,
    /** Collisions in the partial-sum buffer. */
    EXECUTE_SW_PSUM_COLLISION,
    /** Fatal errors of a sequencer. */
    EXECUTE_SW_SEQUENCER_FATAL,
    /** Uncorrectable errors of device memory that can be repaired. */
    HW_REPAIRABLE_HBM_UE_ERROR;

    static final int COUNT = values().length;

    private static final Map<String, ExecutionCounter> NAMED = new HashMap<>();

    static {
        for (ExecutionCounter counter : values()) {
            NAMED.put(counter.counterName, counter);
        }
    }

    private final String counterName = name().toLowerCase(Locale.ROOT);

    /** Returns the name of the directory in drivers since 2.8.4.0, such as {@code execute_failed_to_queue}. */
    String counterName() {
        return counterName;
    }

    /**
     * Finds a counter by its {@link #counterName()}.
     *
     * @return empty if no process keeps such a counter
     */
    public static Optional<ExecutionCounter> named(String counterName) {
        return Optional.ofNullable(NAMED.get(counterName));
    }

    /** Returns the factor from datastore units to sysfs units. */
    long scale() {
        return this == FLOP_COUNT ? 2 : 1;
    }
}
