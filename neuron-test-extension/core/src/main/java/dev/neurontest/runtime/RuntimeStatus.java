package dev.neurontest.runtime;

import dev.neurontest.internal.status.StatusTable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A return value of a call of the Neuron runtime ({@code NRT_STATUS} of {@code nrt_status.h}). A status has possible faults; further
 * observations decide between them. The header may grow, and an unknown number is kept as a number.
 *
 * @param code the number
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RuntimeStatus(int code) {

    /** The call during which the runtime returned a status. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Stage {
        /** Initialization of the runtime. */
        INIT("at the start of the runtime"),
        /** Loading of a NEFF. */
        LOAD("while loading"),
        /** Allocation, reading or writing of memory. */
        MEMORY("at a tensor"),
        /** Execution of a model. */
        EXECUTE("at execution"),
        /** An unknown stage. */
        UNKNOWN("");

        private final String phrase;

        Stage(String phrase) {
            this.phrase = phrase;
        }

        /**
         * Finds the stage of a function of libnrt.
         *
         * @param function such as {@code nrt_load_collectives}
         * @return the stage; {@link #UNKNOWN} for all other functions
         */
        public static Stage ofFunction(String function) {
            String name = function.toLowerCase(Locale.ROOT);
            if (name.startsWith("nrt_init") || name.equals("nrt_allocate_neuron_cores")) {
                return INIT;
            }
            if (name.startsWith("nrt_load")) {
                return LOAD;
            }
            if (name.startsWith("nrt_tensor")) {
                return MEMORY;
            }
            return name.startsWith("nrt_execute") || name.startsWith("nrt_infodump") ? EXECUTE : UNKNOWN;
        }

        /**
         * Returns the stage in words.
         *
         * @return such as {@code at execution}, empty for {@link #UNKNOWN}
         */
        public String phrase() {
            return phrase;
        }
    }

    /** The possible origins of a failure. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Fault {
        /** The kernel or model. */
        KERNEL("the kernel or model"),
        /** The inputs of the kernel or model. */
        INPUTS("its inputs"),
        /** The program that calls the runtime. */
        CALLER("the program that calls the runtime"),
        /** Versions, variables, memory or devices of the host. */
        ENVIRONMENT("the environment"),
        /** Another process that has the cores or their memory. */
        PROCESS("another process of the host"),
        /** Another rank, or the network to it. */
        RANK("another rank or the network"),
        /** A queue of the runtime that a profiling option fills. */
        SOFTWARE_QUEUE("a queue that a profiling option fills"),
        /** Hardware that works again after a reset or a reload of the driver. */
        HARDWARE_RELOAD("hardware that needs a reset or a reload of the driver"),
        /** Hardware to be replaced. */
        HARDWARE_REPLACE("hardware that needs to be replaced"),
        /** An earlier failure in the same process. */
        EARLIER_FAILURE("an earlier failure of the same process");

        private final String phrase;

        Fault(String phrase) {
            this.phrase = phrase;
        }

        /**
         * Returns the fault in words.
         *
         * @return such as {@code the kernel or model}
         */
        public String phrase() {
            return phrase;
        }
    }

    /** The verdict on a core with a failure, from the least to the most severe. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum CoreVerdict {
        /** A core in use. */
        STAY,
        /** A core in use. Another core, or the same core at a later time, may succeed. */
        ELSEWHERE,
        /** A core that is withheld until a check finds it healthy. */
        SUSPECT,
        /** A core that is withheld until the device was reset and a check finds it healthy. */
        OUT_UNTIL_RESET,
        /** A core that is withheld until the driver was reloaded. */
        OUT_UNTIL_RELOAD,
        /** A core that is withheld until the device was replaced. */
        OUT;

        /**
         * Returns whether the core is withheld from tests for now.
         *
         * @return false for the two verdicts with which it stays in use
         */
        public boolean keepsBack() {
            return compareTo(ELSEWHERE) > 0;
        }
    }

    /**
     * Returns all statuses that this version supports.
     *
     * @return the statuses ordered by number
     */
    public static List<RuntimeStatus> all() {
        return StatusTable.codes().stream().map(RuntimeStatus::new).toList();
    }

    /**
     * Returns the status of a number.
     *
     * @param code any number
     * @return the status
     */
    public static RuntimeStatus of(int code) {
        return new RuntimeStatus(code);
    }

    /**
     * Finds a status by its name.
     *
     * @param name such as {@code NRT_TIMEOUT}, also without {@code NRT_} or {@code NRT_EXEC_} and in any case, or a number
     * @return the status
     * @throws IllegalArgumentException when it is neither a name nor a number
     */
    public static RuntimeStatus of(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "\"%s\" is not an NRT_STATUS: expected a name of nrt_status.h such as NRT_TIMEOUT, or its number"
                                .formatted(name)));
    }

    /**
     * Finds a status by its name in arbitrary text.
     *
     * @param name as for {@link #of(String)}
     * @return the status; empty when there is none
     */
    public static Optional<RuntimeStatus> find(String name) {
        if (name.matches("[0-9]{1,9}")) {
            return Optional.of(new RuntimeStatus(Integer.parseInt(name)));
        }
        return StatusTable.code(name).map(RuntimeStatus::new);
    }

    /**
     * Finds the status for a counter of a core.
     *
     * @param name name below {@code stats/status}, such as {@code hw_dma_abort_error}
     * @return the status; empty for a success and for a counter without a status
     */
    public static Optional<RuntimeStatus> ofCounter(String name) {
        return StatusTable.codeOfCounter(name).map(RuntimeStatus::new);
    }

    /**
     * Returns the name in the header.
     *
     * @return such as {@code NRT_TIMEOUT}; the number itself for an unknown status
     */
    public String name() {
        return isKnown() ? row().name() : Integer.toString(code);
    }

    /**
     * Returns the meaning of the status.
     *
     * @return a phrase for human readers
     */
    public String meaning() {
        return row().meaning();
    }

    /**
     * Returns the possible faults for an unknown stage.
     *
     * @return the possible faults, the most common first; none without a failure or for an unknown status
     */
    public Set<Fault> faults() {
        return faults(Stage.UNKNOWN);
    }

    /**
     * Returns the possible faults at a stage.
     *
     * @param stage stage of the program
     * @return the possible faults, the most common first; none without a failure or for an unknown status
     */
    public Set<Fault> faults(Stage stage) {
        return row().at(stage).faults();
    }

    /**
     * Returns the consequence for the core according to the status alone.
     *
     * @param stage stage of the program
     * @return the verdict; {@link CoreVerdict#STAY} for an unknown status
     */
    public CoreVerdict core(Stage stage) {
        return row().at(stage).core();
    }

    /**
     * Returns the advice.
     *
     * @param stage stage of the program
     * @return one or two sentences; empty without a failure
     */
    public String advice(Stage stage) {
        return row().at(stage).advice();
    }

    /**
     * Returns the evidence that decides between the possible faults.
     *
     * @return a phrase for human readers; empty when there is nothing to decide
     */
    public String evidence() {
        return row().evidence();
    }

    /**
     * Returns whether the status is a failure.
     *
     * @return false for a success, an empty queue and a pending collective
     */
    public boolean isFailure() {
        return !isKnown() || !row().at(Stage.UNKNOWN).faults().isEmpty();
    }

    /**
     * Returns whether only the computed values are in doubt. A trace of such an execution may be valid.
     *
     * @return true if only the kernel and its inputs can be the cause
     */
    public boolean concernsTheComputationOnly() {
        return isFailure() && isKnown() && Set.of(Fault.KERNEL, Fault.INPUTS).containsAll(faults(Stage.EXECUTE));
    }

    /**
     * Returns whether this version supports the status.
     *
     * @return false when only its number is known
     */
    public boolean isKnown() {
        return StatusTable.row(code).isPresent();
    }

    private StatusTable.Row row() {
        return StatusTable.row(code).orElse(StatusTable.UNKNOWN);
    }

    /**
     * Returns name and number.
     *
     * @return such as {@code NRT_TIMEOUT (5)}
     */
    @Override
    public String toString() {
        return isKnown() ? name() + " (" + code + ")" : "NRT_STATUS " + code;
    }
}
