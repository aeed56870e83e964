package dev.neurontest.fake;

import dev.neurontest.fake.internal.driver.ExecutionCounter;
import dev.neurontest.fake.internal.driver.instance.NearNames;
import java.util.Arrays;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A status that the runtime library returns (nrt_status.h), with the status counter that it moves. The library counts, not the
 * driver. A status without a counter moves none. Codes 8 and 12 are unused.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum NrtStatus {
    /** 0: success. */
    NRT_SUCCESS(0, ExecutionCounter.SUCCESS),
    /** 1: a failure without a more specific reason. */
    NRT_FAILURE(1, ExecutionCounter.FAILURE),
    /** 2: an invalid argument. */
    NRT_INVALID(2, ExecutionCounter.INVALID_ERROR),
    /** 3: an invalid handle. */
    NRT_INVALID_HANDLE(3, null),
    /** 4: a resource is missing. */
    NRT_RESOURCE(4, ExecutionCounter.RESOURCE_ERROR),
    /** 5: a timeout. */
    NRT_TIMEOUT(5, ExecutionCounter.TIMEOUT),
    /** 6: a hardware failure. */
    NRT_HW_ERROR(6, ExecutionCounter.HW_ERROR),
    /** 7: the queue is full. */
    NRT_QUEUE_FULL(7, ExecutionCounter.EXECUTE_FAILED_TO_QUEUE),
    /** 9: too few cores to load the model. */
    NRT_LOAD_NOT_ENOUGH_NC(9, ExecutionCounter.RESOURCE_NC_ERROR),
    /** 10: a model of an unknown version. */
    NRT_UNSUPPORTED_NEFF_VERSION(10, ExecutionCounter.UNSUPPORTED_NEFF_VERSION),
    /** 11: no host memory; deprecated. */
    NRT_FAIL_HOST_MEM_ALLOC(11, null),
    /** 13: the runtime is not initialised. */
    NRT_UNINITIALIZED(13, null),
    /** 14: the runtime is closed. */
    NRT_CLOSED(14, null),
    /** 15: nothing is queued. */
    NRT_QUEUE_EMPTY(15, null),
    /** 101: the core cannot continue. */
    NRT_EXEC_UNIT_UNRECOVERABLE(101, null),
    /** 1002: the input does not fit the model. */
    NRT_EXEC_BAD_INPUT(1002, ExecutionCounter.EXEC_BAD_INPUT),
    /** 1003: execution completed with numerical errors. */
    NRT_EXEC_COMPLETED_WITH_NUM_ERR(1003, ExecutionCounter.EXECUTE_COMPLETED_WITH_NUM_ERROR),
    /** 1004: execution completed with other errors. */
    NRT_EXEC_COMPLETED_WITH_ERR(1004, ExecutionCounter.EXECUTE_COMPLETED_WITH_ERROR),
    /** 1005: the core is busy. */
    NRT_EXEC_NC_BUSY(1005, null),
    /** 1006: an access out of bounds. */
    NRT_EXEC_OOB(1006, ExecutionCounter.OOB_ERROR),
    /** 1100: a collective is pending; not an error. */
    NRT_COLL_PENDING(1100, null),
    /** 1200: a hardware error in a collective. */
    NRT_EXEC_HW_ERR_COLLECTIVES(1200, ExecutionCounter.HW_COLLECTIVES_ERROR),
    /** 1201: an uncorrectable error of device memory. */
    NRT_EXEC_HW_ERR_HBM_UE(1201, ExecutionCounter.HW_HBM_UE_ERROR),
    /** 1202: an uncorrectable error of a core's memory. */
    NRT_EXEC_HW_ERR_NC_UE(1202, ExecutionCounter.HW_NC_UE_ERROR),
    /** 1203: an aborted DMA transfer. */
    NRT_EXEC_HW_ERR_DMA_ABORT(1203, ExecutionCounter.HW_DMA_ABORT_ERROR),
    /** 1204: an overflow of a notification queue. */
    NRT_EXEC_SW_NQ_OVERFLOW(1204, ExecutionCounter.EXECUTE_SW_NQ_OVERFLOW),
    /** 1205: an uncorrectable error of device memory that can be repaired. */
    NRT_EXEC_HW_ERR_REPAIRABLE_HBM_UE(1205, ExecutionCounter.HW_REPAIRABLE_HBM_UE_ERROR),
    /** 1206: a failure of the network proxy. */
    NRT_NETWORK_PROXY_FAILURE(1206, null);

    private final int code;
    private final @Nullable ExecutionCounter counter;

    NrtStatus(int code, @Nullable ExecutionCounter counter) {
        this.code = code;
        this.counter = counter;
    }

    /**
     * Returns the number that the library returns.
     *
     * @return the code of the C header
     */
    public int code() {
        return code;
    }

    /**
     * Finds a status by its number.
     *
     * @param code the code of the C header
     * @return the status
     * @throws IllegalArgumentException when no status has that code
     */
    public static NrtStatus of(int code) {
        return of(Integer.toString(code));
    }

    /**
     * Finds a status by its name or number.
     *
     * @param nameOrCode a name such as {@code NRT_TIMEOUT}, or a number such as {@code 5}
     * @return the status
     * @throws IllegalArgumentException when there is no such status
     */
    public static NrtStatus of(String nameOrCode) {
        return Arrays.stream(values())
                .filter(status -> status.name().equals(nameOrCode)
                        || Integer.toString(status.code).equals(nameOrCode))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no NRT_STATUS \"" + nameOrCode + "\": "
                        + NearNames.nearest(
                                nameOrCode,
                                Arrays.stream(values()).map(NrtStatus::name).toList())
                        + " A status has a name or a code"));
    }

    /** Returns the counter that the library moves, on layouts that show it. */
    Optional<ExecutionCounter> counter() {
        return Optional.ofNullable(counter);
    }
}
