package dev.neurontest.internal.lease;

import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.device.CounterKind;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the identity of a device, its driver and its error counts, for comparison with a later snapshot.
 *
 * @param values the values by name; unreadable values are missing
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record DeviceReading(SortedMap<String, String> values) {

    /** A reading without values. */
    public static final DeviceReading NONE = new DeviceReading(new TreeMap<>());

    private static final String MODULE = "sys/module/neuron";
    private static final String BOOT = "proc/sys/kernel/random/boot_id";

    private static final String SERIAL = "serial";
    private static final String DRIVER = "driver";

    private static final String REPLACE = "replace the instance";
    private static final String RELOAD = "reload the driver";

    private static final String FAILED_RESETS = "reset_fail_count";

    /** Creates a reading with a copy of the values. */
    public DeviceReading {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    /**
     * Reads a device. Unreadable values are omitted.
     *
     * @param device a device that might be gone
     */
    public static DeviceReading of(NeuronDevice device) {
        SortedMap<String, String> values = new TreeMap<>();
        read(device::serialNumber).ifPresent(serial -> values.put(SERIAL, serial));
        driver(device.host().tree()).ifPresent(driver -> values.put(DRIVER, driver));
        read(() -> Optional.of(device.uncorrectedErrors()))
                .ifPresent(errors -> errors.forEach((name, count) -> values.put(name, Long.toString(count))));
        read(() -> Optional.of(device.failedResets()))
                .ifPresent(failed -> failed.ifPresent(count -> values.put(FAILED_RESETS, Long.toString(count))));
        return new DeviceReading(values);
    }

    private static <T> Optional<T> read(Supplier<Optional<T>> reading) {
        try {
            return reading.get();
        } catch (NeuronSysfsException unreadable) {
            return Optional.empty();
        }
    }

    /** Returns an identifier of this start of the driver. Directory numbers alone might repeat after a reboot. */
    private static Optional<String> driver(HostTree tree) {
        Optional<String> boot;
        try {
            boot = Optional.of(new String(tree.read(BOOT), StandardCharsets.US_ASCII).strip());
        } catch (IOException | NeuronSysfsException none) {
            boot = Optional.empty();
        }
        String driver =
                Stream.of(boot, tree.identity(MODULE)).flatMap(Optional::stream).collect(Collectors.joining(" "));
        return driver.isEmpty() ? Optional.empty() : Optional.of(driver);
    }

    /** Parses the format of {@link #toString()}. Malformed parts are ignored. */
    public static DeviceReading parse(String text) {
        SortedMap<String, String> values = new TreeMap<>();
        for (String part : text.split("; ")) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                values.put(part.substring(0, equals), part.substring(equals + 1));
            }
        }
        return new DeviceReading(values);
    }

    /**
     * Returns the serial number of the device.
     *
     * @return empty if the driver has none or it was unreadable
     */
    public Optional<String> serialNumber() {
        return Optional.ofNullable(values.get(SERIAL));
    }

    /**
     * Returns the identifier of the start of the driver.
     *
     * @return equal for the same start; empty if the host does not show it
     */
    public Optional<String> driver() {
        return Optional.ofNullable(values.get(DRIVER));
    }

    /**
     * Checks whether another device has replaced this device.
     *
     * @param later a reading of the same device index
     * @return false also if a serial number is unknown
     */
    public boolean isReplacedIn(DeviceReading later) {
        return differs(serialNumber(), later.serialNumber());
    }

    /**
     * Checks whether the driver was reloaded.
     *
     * @param later a reading of the same host
     * @return false also if a start of the driver is unknown
     */
    public boolean isReloadedIn(DeviceReading later) {
        return differs(driver(), later.driver());
    }

    /**
     * Compares the error counts.
     *
     * @param later a reading of the same device
     * @return the increased or unreadable counts with their remedies; empty if there are none
     */
    public Optional<String> riseIn(DeviceReading later) {
        String risen = values.keySet().stream()
                .filter(name -> !name.equals(SERIAL) && !name.equals(DRIVER))
                .filter(name -> count(later.values.get(name)) > count(values.get(name)))
                .map(name -> "%s was %s and is %s: %s"
                        .formatted(
                                name,
                                values.get(name),
                                later.values.getOrDefault(name, "not readable"),
                                CounterKind.isRepairable(name) || name.equals(FAILED_RESETS) ? RELOAD : REPLACE))
                .collect(Collectors.joining(", "));
        return risen.isEmpty() ? Optional.empty() : Optional.of(risen);
    }

    /** Returns a count. An unreadable count is the largest number and therefore counts as an increase. */
    private static long count(@Nullable String text) {
        try {
            return text == null ? Long.MAX_VALUE : Long.parseLong(text);
        } catch (NumberFormatException none) {
            return Long.MAX_VALUE;
        }
    }

    private static boolean differs(Optional<String> first, Optional<String> second) {
        return first.isPresent() && second.isPresent() && !first.equals(second);
    }

    /**
     * Describes the action that a person must take to end a quarantine.
     *
     * @param until the condition that ends the quarantine
     * @param device the name of the device
     * @return for example {@code reload the driver (neuron0, serial number 0123456789abcdef)}; empty if no action is needed
     */
    public Optional<String> remedy(Quarantine.Until until, String device) {
        Optional<String> action = switch (until) {
            case PROCESSES_END, IDLE, WELL -> Optional.empty();
            case RESET -> Optional.of("reset the device");
            case RELOAD -> Optional.of(RELOAD);
            case REPLACED -> Optional.of(REPLACE);
        };
        return action.map(instruction -> "%s (%s, %s)"
                .formatted(
                        instruction,
                        device,
                        serialNumber().map(serial -> "serial number " + serial).orElse("serial number not readable")));
    }

    @Override
    public String toString() {
        return values.entrySet().stream()
                .map(value -> value.getKey() + "=" + value.getValue())
                .collect(Collectors.joining("; "));
    }
}
