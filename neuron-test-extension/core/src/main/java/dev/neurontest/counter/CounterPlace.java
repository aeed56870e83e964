package dev.neurontest.counter;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A place of counters in sysfs: a physical core or a device.
 *
 * @param device the number in {@code neuron0}
 * @param core the number in {@code neuron_core1}; empty for the counters of the device itself
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CounterPlace(int device, OptionalInt core) implements Comparable<CounterPlace> {

    private static final Pattern NAME = Pattern.compile("neuron([0-9]{1,6})(?:/neuron_core([0-9]{1,6}))?");

    /**
     * Returns the place of the counters of a device itself.
     *
     * @param device number of the device
     * @return the place
     */
    public static CounterPlace ofDevice(int device) {
        return new CounterPlace(device, OptionalInt.empty());
    }

    /**
     * Returns the place of the counters of a physical core.
     *
     * @param device number of its device
     * @param core number of the core in the device
     * @return the place
     */
    public static CounterPlace ofCore(int device, int core) {
        return new CounterPlace(device, OptionalInt.of(core));
    }

    /**
     * Parses a place in the form of {@link #toString()}.
     *
     * @param name such as {@code neuron0/neuron_core1}
     * @return the place; empty for any other text
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static Optional<CounterPlace> parse(String name) {
        Matcher place = NAME.matcher(name);
        if (!place.matches()) {
            return Optional.empty();
        }
        int device = Integer.parseInt(place.group(1));
        return Optional.of(
                place.group(2) == null ? ofDevice(device) : ofCore(device, Integer.parseInt(place.group(2))));
    }

    // The methods of a record would be linked in the first test of a JVM, which takes some milliseconds.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CounterPlace place && place.device == device && place.core.equals(core);
    }

    @Override
    public int hashCode() {
        return 31 * device + core.hashCode();
    }

    @Override
    public int compareTo(CounterPlace other) {
        return device == other.device
                ? Integer.compare(core.orElse(-1), other.core.orElse(-1))
                : Integer.compare(device, other.device);
    }

    /**
     * Returns the path of the place as in sysfs.
     *
     * @return such as {@code neuron0/neuron_core1} or {@code neuron0}
     */
    @Override
    public String toString() {
        return core.isPresent() ? "neuron" + device + "/neuron_core" + core.getAsInt() : "neuron" + device;
    }
}
