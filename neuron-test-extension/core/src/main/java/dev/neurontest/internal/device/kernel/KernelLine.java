package dev.neurontest.internal.device.kernel;

import dev.neurontest.internal.status.RuntimeLines;
import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.runtime.RuntimeCause;
import dev.neurontest.runtime.RuntimeLine;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * A line of the kernel log about a Neuron device: from the runtime with {@code NEURON_HW_ERR=}, or from the driver. Any process with write
 * access to the log can print both.
 *
 * @param sinceBoot time since boot by the kernel's clock
 * @param time the time of day, up to a second early
 * @param error such as {@code SRAM_UNCORRECTABLE_ERROR}; empty for a line of the driver
 * @param report device, core, serial number, cause and action in the line
 * @param text the line as printed
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record KernelLine(Duration sinceBoot, Instant time, Optional<String> error, RuntimeLine report, String text) {

    static final String RECORD = "NEURON_HW_ERR=";
    static final String DRIVER = "neuron:";

    private static final Pattern ERROR = Pattern.compile(RECORD + "(\\S+)");
    private static final int LONGEST = 600;

    /** Parses a message; empty for a message about anything else. */
    static Optional<KernelLine> of(Duration sinceBoot, Instant booted, String text) {
        if (!text.contains(RECORD) && !text.contains(DRIVER)) {
            return Optional.empty();
        }
        Matcher error = ERROR.matcher(text);
        Optional<String> named = error.find() ? Optional.of(error.group(1)) : Optional.empty();
        return RuntimeLines.in(text).lines().stream()
                .filter(line -> named.isPresent()
                        || line.cause().filter(RuntimeCause.DEVICE_ILL::equals).isPresent())
                .findFirst()
                .map(line -> new KernelLine(sinceBoot, booted.plus(sinceBoot), named, line, text));
    }

    /**
     * Returns the serial number of the device.
     *
     * @return in lower case; empty for a line without one
     */
    public Optional<String> serialNumber() {
        return report.serialNumber().map(serial -> serial.toLowerCase(Locale.ROOT));
    }

    /**
     * Returns the time by the kernel's clock, as dmesg prints it.
     *
     * @return such as {@code [65.345678]}
     */
    public String position() {
        return String.format(Locale.ROOT, "[%s.%06d]", sinceBoot.toSeconds(), sinceBoot.toNanosPart() / 1000);
    }

    /**
     * Returns the line for a terminal.
     *
     * @return at most 600 characters, with escapes
     */
    public String shown() {
        String visible = VisibleText.line(text);
        return visible.length() <= LONGEST ? visible : visible.substring(0, LONGEST) + "...";
    }

    /** Returns the line with its time. */
    @Override
    public String toString() {
        return position() + " " + shown();
    }
}
