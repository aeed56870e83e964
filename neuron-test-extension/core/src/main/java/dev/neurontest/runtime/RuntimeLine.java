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
 * @param text the line as printed
 * @param status reported status; empty if a cause can have several
 * @param stage stage of the program
 * @param device number of the device in the process
 * @param core number of the physical core in the process
 * @param logicalCore number of the logical core in the process
 * @param rank rank of the process that printed the line, in a common output of several processes
 * @param cause cause named in the line
 * @param serialNumber serial number of the device, present in lines of the kernel log
 * @param action action that the line requests, such as {@code TERMINATE_INSTANCE}
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
     * Creates a line that reports only a status.
     *
     * @param text the line
     * @param status reported status
     * @param stage stage of the program
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
     * Returns the possible faults according to the line. A cause has precedence over a status.
     *
     * @return the possible faults
     */
    public Set<Fault> faults() {
        return cause.map(RuntimeCause::faults)
                .or(() -> status.map(reported -> reported.faults(stage)))
                .orElse(Set.of());
    }

    /**
     * Returns the consequence for the core according to this line alone. A cause has precedence over a status. A line of the kernel log
     * without a serial number may concern any device.
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
     * Returns whether the line reports that results cannot be trusted.
     *
     * @return true also if the model did not run on a device
     */
    public boolean isUntrusted() {
        return UNTRUSTED.matcher(text).find();
    }

    /** Returns whether the line has a number of a device or core. */
    boolean hasPlace() {
        return device.isPresent() || core.isPresent() || logicalCore.isPresent();
    }

    /** Returns whether the line is a line of the kernel log without a serial number. Such a line may concern any device. */
    boolean isOfUnknownDevice() {
        return serialNumber.isEmpty()
                && (text.contains("NEURON_HW_ERR=")
                        || cause.filter(RuntimeCause.DEVICE_ILL::equals).isPresent());
    }

    /**
     * Returns whether this line reports the same as another line, even with different words.
     *
     * @hidden
     */
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

    RuntimeLine withText(String newText) {
        return new RuntimeLine(newText, status, stage, device, core, logicalCore, rank, cause, serialNumber, action);
    }
}
