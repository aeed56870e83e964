package dev.neurontest.device;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a call of the Neuron runtime returned ({@code NRT_STATUS} of {@code nrt_status.h}). The header may grow: a number that is
 * not known here stays that number.
 *
 * @param code the number
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RuntimeStatus(int code) {

    /** Who has to act on a status. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Kind {
        /** It worked. */
        SUCCESS,
        /** The model or kernel did something wrong, or got wrong input. */
        KERNEL,
        /** The host could not serve: no driver, no memory, no free core. */
        ENVIRONMENT,
        /** The device is broken or must be reset. Another core may do; the kernel is not to blame. */
        HARDWARE,
        /** The status alone does not tell, or it is not known here. */
        OTHER
    }

    private record Meaning(String name, Kind kind, String text) {}

    private static final Map<Integer, Meaning> MEANINGS = Map.ofEntries(
            entry(0, "NRT_SUCCESS", Kind.SUCCESS, "it worked"),
            entry(1, "NRT_FAILURE", Kind.OTHER, "a failure without a closer reason"),
            entry(2, "NRT_INVALID", Kind.ENVIRONMENT, "an invalid argument; from nrt_init: no device or driver to use"),
            entry(3, "NRT_INVALID_HANDLE", Kind.OTHER, "an invalid handle"),
            entry(4, "NRT_RESOURCE", Kind.ENVIRONMENT, "memory or another resource is used up"),
            entry(5, "NRT_TIMEOUT", Kind.KERNEL, "the execution did not end within NEURON_RT_EXEC_TIMEOUT"),
            entry(6, "NRT_HW_ERROR", Kind.HARDWARE, "a hardware failure"),
            entry(7, "NRT_QUEUE_FULL", Kind.OTHER, "the queue of executions is full"),
            entry(9, "NRT_LOAD_NOT_ENOUGH_NC", Kind.ENVIRONMENT, "too few cores for the model"),
            entry(10, "NRT_UNSUPPORTED_NEFF_VERSION", Kind.OTHER, "the NEFF is too new or too old for the runtime"),
            entry(11, "NRT_FAIL_HOST_MEM_ALLOC", Kind.OTHER, "no host memory"),
            entry(13, "NRT_UNINITIALIZED", Kind.ENVIRONMENT, "the runtime is not initialised"),
            entry(14, "NRT_CLOSED", Kind.OTHER, "the runtime is closed"),
            entry(15, "NRT_QUEUE_EMPTY", Kind.OTHER, "nothing is queued"),
            entry(101, "NRT_EXEC_UNIT_UNRECOVERABLE", Kind.HARDWARE, "the core cannot go on without a reset"),
            entry(1002, "NRT_EXEC_BAD_INPUT", Kind.KERNEL, "the input does not fit the model"),
            entry(1003, "NRT_EXEC_COMPLETED_WITH_NUM_ERR", Kind.KERNEL, "numerical errors such as NaN"),
            entry(1004, "NRT_EXEC_COMPLETED_WITH_ERR", Kind.OTHER, "completed with other errors"),
            entry(1005, "NRT_EXEC_NC_BUSY", Kind.OTHER, "the core is busy with another model of the same process"),
            entry(1006, "NRT_EXEC_OOB", Kind.KERNEL, "an access out of bounds"),
            entry(1100, "NRT_COLL_PENDING", Kind.OTHER, "a collective is pending, which is no error"),
            entry(1200, "NRT_EXEC_HW_ERR_COLLECTIVES", Kind.HARDWARE, "a collective hung or failed in hardware"),
            entry(1201, "NRT_EXEC_HW_ERR_HBM_UE", Kind.HARDWARE, "an uncorrectable error of device memory"),
            entry(1202, "NRT_EXEC_HW_ERR_NC_UE", Kind.HARDWARE, "an uncorrectable error of a core's memory"),
            entry(1203, "NRT_EXEC_HW_ERR_DMA_ABORT", Kind.HARDWARE, "a DMA transfer was aborted"),
            entry(1204, "NRT_EXEC_SW_NQ_OVERFLOW", Kind.HARDWARE, "a notification queue overflowed"),
            entry(
                    1205,
                    "NRT_EXEC_HW_ERR_REPAIRABLE_HBM_UE",
                    Kind.HARDWARE,
                    "an uncorrectable error of device memory that a reset repairs"),
            entry(1206, "NRT_NETWORK_PROXY_FAILURE", Kind.OTHER, "the network proxy failed"));

    private static Map.Entry<Integer, Meaning> entry(int code, String name, Kind kind, String text) {
        return Map.entry(code, new Meaning(name, kind, text));
    }

    /**
     * Takes a number.
     *
     * @param code any number
     * @return the status
     */
    public static RuntimeStatus of(int code) {
        return new RuntimeStatus(code);
    }

    /**
     * Looks a status up by its name.
     *
     * @param name such as {@code NRT_TIMEOUT}; without {@code NRT_} or {@code NRT_EXEC_} too, in any case, or a number
     * @return the status
     * @throws IllegalArgumentException when it is neither
     */
    public static RuntimeStatus of(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "\"%s\" is no NRT_STATUS: expected a name of nrt_status.h such as NRT_TIMEOUT, or its number"
                                .formatted(name)));
    }

    /**
     * Looks a status up by its name, where the text may be anything.
     *
     * @param name as for {@link #of(String)}
     * @return the status, empty when it is none
     */
    public static Optional<RuntimeStatus> find(String name) {
        if (name.matches("[0-9]{1,9}")) {
            return Optional.of(new RuntimeStatus(Integer.parseInt(name)));
        }
        String plain = withoutPrefix(name.toUpperCase(Locale.ROOT));
        return MEANINGS.entrySet().stream()
                .filter(known -> withoutPrefix(known.getValue().name()).equals(plain))
                .map(known -> new RuntimeStatus(known.getKey()))
                .findFirst();
    }

    /** The header says {@code NRT_EXEC_HW_ERR_HBM_UE} where messages and counters say less. */
    private static String withoutPrefix(String name) {
        return name.replaceFirst("^NRT_", "").replaceFirst("^EXEC_", "");
    }

    /**
     * What the header calls it.
     *
     * @return such as {@code NRT_TIMEOUT}; the number itself when it is not known here
     */
    public String name() {
        Meaning meaning = MEANINGS.get(code);
        return meaning == null ? Integer.toString(code) : meaning.name();
    }

    /**
     * Who has to act on it.
     *
     * @return the kind; {@link Kind#OTHER} when it is not known here
     */
    public Kind kind() {
        Meaning meaning = MEANINGS.get(code);
        return meaning == null ? Kind.OTHER : meaning.kind();
    }

    /**
     * What it means.
     *
     * @return a phrase for a person
     */
    public String meaning() {
        Meaning meaning = MEANINGS.get(code);
        return meaning == null ? "a status that this version does not know" : meaning.text();
    }

    /**
     * Whether this version knows it.
     *
     * @return false when only its number is known
     */
    public boolean isKnown() {
        return MEANINGS.containsKey(code);
    }

    /**
     * Name and number.
     *
     * @return such as {@code NRT_TIMEOUT (5)}
     */
    @Override
    public String toString() {
        return isKnown() ? name() + " (" + code + ")" : "NRT_STATUS " + code;
    }
}
