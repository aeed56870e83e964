package dev.neurontest.device.kernel;

import dev.neurontest.text.VisibleText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * A line of the kernel log about a Neuron device: from the runtime with {@code NEURON_HW_ERR=}, or from the driver. Any process with write
 * access to the log can print both.
 *
 * @param sinceBoot the time by the kernel's clock
 * @param time the time of day, up to a second early
 * @param error such as {@code SRAM_UNCORRECTABLE_ERROR}; empty for a line of the driver
 * @param device the number of the device in the process that printed the line
 * @param core the number of the core on the device, in the same process
 * @param serialNumber the serial number of the device; empty for a line without one
 * @param action the vendor's action, such as {@code TERMINATE_INSTANCE}
 * @param text the line as printed
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record KernelLine(
        Duration sinceBoot,
        Instant time,
        Optional<String> error,
        OptionalInt device,
        OptionalInt core,
        Optional<String> serialNumber,
        Optional<String> action,
        String text) {

    static final String RECORD = "NEURON_HW_ERR=";
    static final String DRIVER = "neuron:";

    private static final Pattern ERROR = Pattern.compile(RECORD + "(\\S+)");
    private static final Pattern DEVICE = field("nd-id", "[0-9]{1,6}");
    private static final Pattern CORE = field("nc-id", "[0-9]{1,6}");
    private static final Pattern SERIAL = field("serial-num", "[0-9a-fA-F]{1,32}");
    private static final Pattern ACTION = field("action", "\\S+");

    /** Messages of the driver about a failed device ({@code neuron_dma.c}, {@code neuron_cdev.c}, {@code neuron_reset.c}). */
    private static final List<Pattern> DEVICE_FAILURES = List.of(
            Pattern.compile("DMA completion timeout on nd([0-9]{1,6})\\b"),
            Pattern.compile("\\bnd([0-9]{1,6}) is in an invalid state"),
            Pattern.compile("Scrub failed for nd([0-9]{1,6})\\b"),
            Pattern.compile("\\bnd([0-9]{1,6}): reset request [0-9]+ was initiated, but failed to complete"));

    private static final int LONGEST = 600;

    /** A kind of broken hardware. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Kind {
        /** The memory of a core. */
        SRAM,
        /** A core. */
        NC,
        /** The memory of a device. */
        HBM,
        /** A DMA engine. */
        DMA,
        /** Other hardware. */
        OTHER
    }

    private static Pattern field(String name, String value) {
        return Pattern.compile("(?<=\\s)" + name + "=(" + value + ")(?=\\s|$)");
    }

    /** Parses a message; empty for a message about anything else. */
    static Optional<KernelLine> of(Duration sinceBoot, Instant booted, String text) {
        Instant time = booted.plus(sinceBoot);
        Matcher error = ERROR.matcher(text);
        if (error.find()) {
            return Optional.of(new KernelLine(
                    sinceBoot,
                    time,
                    Optional.of(error.group(1)),
                    number(DEVICE, text),
                    number(CORE, text),
                    find(SERIAL, text).map(serial -> serial.toLowerCase(Locale.ROOT)),
                    find(ACTION, text),
                    text));
        }
        if (!text.contains(DRIVER)) {
            return Optional.empty();
        }
        return DEVICE_FAILURES.stream()
                .map(pattern -> number(pattern, text))
                .filter(OptionalInt::isPresent)
                .findFirst()
                .map(device -> new KernelLine(
                        sinceBoot,
                        time,
                        Optional.empty(),
                        device,
                        OptionalInt.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        text));
    }

    private static Optional<String> find(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    private static OptionalInt number(Pattern pattern, String text) {
        return find(pattern, text).map(Integer::parseInt).map(OptionalInt::of).orElse(OptionalInt.empty());
    }

    /**
     * Returns the kind of hardware.
     *
     * @return {@code OTHER} for a line of the driver
     */
    public Kind kind() {
        return switch (error.orElse("")) {
            case "SRAM_UNCORRECTABLE_ERROR" -> Kind.SRAM;
            case "NC_UNCORRECTABLE_ERROR" -> Kind.NC;
            case "HBM_UNCORRECTABLE_ERROR" -> Kind.HBM;
            case "DMA_ERROR" -> Kind.DMA;
            default -> Kind.OTHER;
        };
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
