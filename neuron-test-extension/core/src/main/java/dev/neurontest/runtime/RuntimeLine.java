package dev.neurontest.runtime;

import dev.neurontest.runtime.RuntimeStatus.CoreVerdict;
import dev.neurontest.runtime.RuntimeStatus.Fault;
import dev.neurontest.runtime.RuntimeStatus.Stage;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * A line in which the runtime reports a status or names the cause of a failure.
 *
 * @param text the line, as it was printed
 * @param status that was reported; empty where a cause comes with several
 * @param stage what the program did
 * @param device its number, as the process counts devices
 * @param core the number of the physical core, as the process counts them
 * @param logicalCore the number of the logical core, as the process counts them
 * @param rank which of several processes printed it, where one output holds those of all
 * @param cause that the line names
 * @param serialNumber of the device, which lines of the kernel log have
 * @param action that the line asks for, such as {@code TERMINATE_INSTANCE}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RuntimeLine(
        String text,
        Optional<RuntimeStatus> status,
        Stage stage,
        OptionalInt device,
        OptionalInt core,
        OptionalInt logicalCore,
        OptionalInt rank,
        Optional<RuntimeCause> cause,
        Optional<String> serialNumber,
        Optional<String> action) {

    private static final Pattern UNTRUSTED = Pattern.compile(
            "FATAL-RT-UNDEFINED-STATE|(?i:execution results may be invalid)|Model was not sent to NeuronCore");

    private static final Pattern REPLACEMENT = Pattern.compile("TERMINATE|REPLACE");

    /**
     * Creates a line that reports nothing but a status.
     *
     * @param text the line
     * @param status that it reports
     * @param stage what the program did
     * @return the line
     */
    public static RuntimeLine of(String text, RuntimeStatus status, Stage stage) {
        return new RuntimeLine(
                text,
                Optional.of(status),
                stage,
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /**
     * Returns whose fault the line speaks for. A cause goes before a status.
     *
     * @return the possible faults
     */
    public Set<Fault> faults() {
        return cause.map(RuntimeCause::faults)
                .or(() -> status.map(reported -> reported.faults(stage)))
                .orElse(Set.of());
    }

    /**
     * Returns what becomes of the core when the line is all that is known. A cause goes before a status. A line of the kernel log
     * without a serial number may be anyone's.
     *
     * @return the verdict
     */
    public CoreVerdict verdict() {
        if (isOfUnknownDevice()) {
            return CoreVerdict.STAY;
        }
        if (cause.filter(RuntimeCause.OTHER_HARDWARE::equals).isPresent()) {
            return action.filter(REPLACEMENT.asPredicate()).isPresent() ? CoreVerdict.OUT : CoreVerdict.OUT_UNTIL_RESET;
        }
        return cause.map(RuntimeCause::core)
                .or(() -> status.map(reported -> reported.core(stage)))
                .orElse(CoreVerdict.STAY);
    }

    /**
     * Returns whether the runtime says by the line that results cannot be trusted.
     *
     * @return also true where the model did not run on a device
     */
    public boolean isUntrusted() {
        return UNTRUSTED.matcher(text).find();
    }

    /** Returns whether it has a number of a device or core. */
    boolean hasPlace() {
        return device.isPresent() || core.isPresent() || logicalCore.isPresent();
    }

    /** Returns whether it is a line of the kernel log that may be about any device, since it has no serial number. */
    boolean isOfUnknownDevice() {
        return serialNumber.isEmpty()
                && (text.contains("NEURON_HW_ERR=")
                        || cause.filter(RuntimeCause.DEVICE_ILL::equals).isPresent());
    }

    /** Returns whether it reports the same as another line, in whatever words. */
    @API(status = API.Status.INTERNAL)
    public boolean repeats(RuntimeLine other) {
        return status.equals(other.status)
                && stage == other.stage
                && device.equals(other.device)
                && core.equals(other.core)
                && logicalCore.equals(other.logicalCore)
                && rank.equals(other.rank)
                && cause.equals(other.cause)
                && serialNumber.equals(other.serialNumber);
    }

    RuntimeLine withText(String other) {
        return new RuntimeLine(other, status, stage, device, core, logicalCore, rank, cause, serialNumber, action);
    }
}
