package dev.neurontest.runtime;

import dev.neurontest.internal.status.StatusTable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * What a call of the Neuron runtime returned ({@code NRT_STATUS} of {@code nrt_status.h}). A status has possible faults; what else
 * was seen decides between them. The header may grow: a number that is not known here stays that number.
 *
 * @param code the number
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RuntimeStatus(int code) {

    /** The call during which the runtime returned a status. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Stage {
        /** Initialising the runtime. */
        INIT("at the start of the runtime"),
        /** Loading a NEFF. */
        LOAD("while loading"),
        /** Allocating, reading or writing memory. */
        MEMORY("at a tensor"),
        /** Executing a model. */
        EXECUTE("at execution"),
        /** Nothing tells. */
        UNKNOWN("");

        private final String phrase;

        Stage(String phrase) {
            this.phrase = phrase;
        }

        /**
         * Finds the stage that a function of libnrt belongs to.
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

    /** Whose fault a failure can be. */
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
        /** Whatever failed before in the same process. */
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

    /** The verdict on a core on which a failure was seen, from the mildest to the gravest. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum CoreVerdict {
        /** In use. */
        STAY,
        /** In use; another core, or the same one later, may do. */
        ELSEWHERE,
        /** Kept back until a look finds it well. */
        SUSPECT,
        /** Out until the device was reset and a look finds it well. */
        OUT_UNTIL_RESET,
        /** Out until the driver was loaded anew. */
        OUT_UNTIL_RELOAD,
        /** Out until the device was replaced. */
        OUT;

        /**
         * Returns whether no test gets the core at once.
         *
         * @return false for the two verdicts with which it stays in use
         */
        public boolean keepsBack() {
            return compareTo(ELSEWHERE) > 0;
        }
    }

    /**
     * Returns all statuses that this version knows.
     *
     * @return by number
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
     * Finds a status by its name, where the text may be anything.
     *
     * @param name as for {@link #of(String)}
     * @return the status, empty when it is none
     */
    public static Optional<RuntimeStatus> find(String name) {
        if (name.matches("[0-9]{1,9}")) {
            return Optional.of(new RuntimeStatus(Integer.parseInt(name)));
        }
        return StatusTable.code(name).map(RuntimeStatus::new);
    }

    /**
     * Finds the status that a counter of a core is counted for.
     *
     * @param name below {@code stats/status}, such as {@code hw_dma_abort_error}
     * @return the status, empty for a success and for a counter that no status belongs to
     */
    public static Optional<RuntimeStatus> ofCounter(String name) {
        return StatusTable.codeOfCounter(name).map(RuntimeStatus::new);
    }

    /**
     * Returns the name in the header.
     *
     * @return such as {@code NRT_TIMEOUT}; the number itself when it is not known here
     */
    public String name() {
        return isKnown() ? row().name() : Integer.toString(code);
    }

    /**
     * Returns what happened.
     *
     * @return a phrase for a person
     */
    public String meaning() {
        return row().meaning();
    }

    /**
     * Returns whose fault it can be when it is not known what the program did.
     *
     * @return the possible faults, the most common first; none where nothing failed or the status is not known here
     */
    public Set<Fault> faults() {
        return faults(Stage.UNKNOWN);
    }

    /**
     * Returns whose fault it can be.
     *
     * @param stage what the program did
     * @return the possible faults, the most common first; none where nothing failed or the status is not known here
     */
    public Set<Fault> faults(Stage stage) {
        return row().at(stage).faults();
    }

    /**
     * Returns what becomes of the core when the status is all that is known.
     *
     * @param stage what the program did
     * @return the verdict; {@link CoreVerdict#STAY} for a status that is not known here
     */
    public CoreVerdict core(Stage stage) {
        return row().at(stage).core();
    }

    /**
     * Returns what to do.
     *
     * @param stage what the program did
     * @return one or two sentences; empty where nothing failed
     */
    public String advice(Stage stage) {
        return row().at(stage).advice();
    }

    /**
     * Returns what decides between the possible faults.
     *
     * @return a phrase for a person, empty where there is nothing to decide
     */
    public String evidence() {
        return row().evidence();
    }

    /**
     * Returns whether a call failed with it.
     *
     * @return false for a success, an empty queue and a collective that is still pending
     */
    public boolean isFailure() {
        return !isKnown() || !row().at(Stage.UNKNOWN).faults().isEmpty();
    }

    /**
     * Returns whether only what was computed is in doubt, so that a trace of the execution may be good.
     *
     * @return whether nothing but kernel and inputs can be to blame
     */
    public boolean concernsTheComputationOnly() {
        return isFailure() && isKnown() && Set.of(Fault.KERNEL, Fault.INPUTS).containsAll(faults(Stage.EXECUTE));
    }

    /**
     * Returns whether this version knows the status.
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
