package dev.neurontest.counter;

import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.counter.CounterText;
import dev.neurontest.internal.device.CounterKind;
import java.math.BigInteger;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** What one counter did between two snapshots, on a physical core, a device, a logical core, or over several of them. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CounterChange {

    private final String where;
    private final Movement movement;
    private final @Nullable BigInteger before;
    private final @Nullable BigInteger after;
    private final @Nullable BigInteger delta;
    private final List<Counter> counters;
    private final List<String> locations;
    private final List<NeuronSysfsException> failures;

    private CounterChange(
            String where,
            Movement movement,
            @Nullable BigInteger before,
            @Nullable BigInteger after,
            @Nullable BigInteger delta,
            List<Counter> counters,
            List<String> locations,
            List<NeuronSysfsException> failures) {
        this.where = where;
        this.movement = movement;
        this.before = before;
        this.after = after;
        this.delta = delta;
        this.counters = counters;
        this.locations = locations;
        this.failures = failures;
    }

    /**
     * Decides what one file did between two readings.
     *
     * @param counter which file
     * @param location what a person would open
     * @param before the bits of the first reading
     * @param after the bits of the second
     * @return with its movement and its difference
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static CounterChange of(Counter counter, String location, long before, long after) {
        CounterKind kind = CounterKind.of(counter.path());
        Movement movement = counter.field() == CounterField.PEAK
                ? Movement.ofPeak(before, after)
                : Movement.of(kind, before, after);
        return new CounterChange(
                counter.place().toString(),
                movement,
                Movement.unsigned(before),
                Movement.unsigned(after),
                movement.delta(kind, before, after),
                List.of(counter),
                List.of(location),
                List.of());
    }

    /** At least one of the readings is not there. */
    static CounterChange unreadable(
            Counter counter,
            String location,
            @Nullable BigInteger before,
            @Nullable BigInteger after,
            List<NeuronSysfsException> failures) {
        return new CounterChange(
                counter.place().toString(),
                Movement.UNREADABLE,
                before,
                after,
                null,
                List.of(counter),
                List.of(location),
                List.copyOf(failures));
    }

    /** All of them together: memory of the physical cores of a logical one, or anything over a list of cores. */
    static CounterChange sum(String where, List<CounterChange> parts) {
        return together(where, parts, readable -> new BigInteger[] {
            total(readable, CounterChange::before),
            total(readable, CounterChange::after),
            total(readable, CounterChange::delta)
        });
    }

    /** The one that did most: how executions of a logical core show on its physical cores is not known, one of them has all. */
    static CounterChange largest(String where, List<CounterChange> parts) {
        return together(where, parts, readable -> {
            CounterChange most = Collections.max(
                    readable, Comparator.comparing(CounterChange::delta).thenComparing(CounterChange::after));
            return new BigInteger[] {most.before(), most.after(), most.delta()};
        });
    }

    private static CounterChange together(
            String where, List<CounterChange> parts, Function<List<CounterChange>, BigInteger[]> joined) {
        CounterChange first = parts.get(0);
        if (parts.size() == 1) {
            return new CounterChange(
                    where,
                    first.movement,
                    first.before,
                    first.after,
                    first.delta,
                    first.counters,
                    first.locations,
                    first.failures);
        }
        boolean readable = parts.stream().allMatch(part -> part.movement != Movement.UNREADABLE);
        BigInteger[] values = readable ? joined.apply(parts) : new BigInteger[3];
        return new CounterChange(
                where,
                readable ? common(parts, values[2].signum()) : Movement.UNREADABLE,
                values[0],
                values[1],
                values[2],
                parts.stream().flatMap(part -> part.counters.stream()).toList(),
                parts.stream().flatMap(part -> part.locations.stream()).toList(),
                parts.stream().flatMap(part -> part.failures.stream()).toList());
    }

    private static BigInteger total(List<CounterChange> parts, Function<CounterChange, BigInteger> value) {
        return parts.stream().map(value).reduce(BigInteger.ZERO, BigInteger::add);
    }

    private static Movement common(List<CounterChange> parts, int sign) {
        for (Movement decisive : List.of(Movement.DECREASED, Movement.WRAPPED)) {
            if (parts.stream().anyMatch(part -> part.movement == decisive)) {
                return decisive;
            }
        }
        return sign > 0 ? Movement.ROSE : sign < 0 ? Movement.FELL : Movement.UNCHANGED;
    }

    /**
     * Where it was counted.
     *
     * @return such as {@code neuron0/neuron_core1}, the name of a logical core, or {@code 4 cores}
     */
    public String where() {
        return where;
    }

    /**
     * Which counter.
     *
     * @return its path below {@code stats}
     */
    public String path() {
        return counters.get(0).path();
    }

    /**
     * Which file of the counter.
     *
     * @return total, peak, or the value of a plain file
     */
    public CounterField field() {
        return counters.get(0).field();
    }

    /**
     * Where and which, as messages name it.
     *
     * @return such as {@code neuron0/neuron_core1 status/hw_error}
     */
    public String subject() {
        return where + " " + path() + (field() == CounterField.PEAK ? CounterField.PEAK.suffix() : "");
    }

    /**
     * What it did.
     *
     * @return {@link Movement#UNREADABLE} when there are no numbers
     */
    public Movement movement() {
        return movement;
    }

    /**
     * What it counts.
     *
     * @return the unit of before, after and delta
     */
    public CounterUnit unit() {
        return CounterUnit.of(path());
    }

    /**
     * The reading before.
     *
     * @return an unsigned 64-bit number, or a sum of such
     * @throws NeuronSysfsException when there is none
     */
    public BigInteger before() {
        return known(before);
    }

    /**
     * The reading after.
     *
     * @return an unsigned 64-bit number, or a sum of such
     * @throws NeuronSysfsException when there is none
     */
    public BigInteger after() {
        return known(after);
    }

    /**
     * The difference; of a counter that was cleared meanwhile, what was counted since then.
     *
     * @return negative when it fell
     * @throws NeuronSysfsException when there is none
     */
    public BigInteger delta() {
        return known(delta);
    }

    /**
     * The files behind it.
     *
     * @return what a person would open to see the same
     */
    public List<String> locations() {
        return locations;
    }

    /**
     * What could not be read.
     *
     * @return empty unless the movement is {@link Movement#UNREADABLE}
     */
    public List<NeuronSysfsException> failures() {
        return failures;
    }

    /**
     * The counters behind it.
     *
     * @return one, or each that was added up or compared
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<Counter> counters() {
        return counters;
    }

    /**
     * What the driver does with it.
     *
     * @return the kind
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterKind kind() {
        return CounterKind.of(path());
    }

    /**
     * Returns whether it is the total of an error counter, which must not move unless a test allows it.
     *
     * @return false for a peak
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public boolean isError() {
        return field() != CounterField.PEAK && CounterKind.isError(path());
    }

    @API(status = API.Status.INTERNAL)
    public Optional<BigInteger> knownBefore() {
        return Optional.ofNullable(before);
    }

    @API(status = API.Status.INTERNAL)
    public Optional<BigInteger> knownAfter() {
        return Optional.ofNullable(after);
    }

    private BigInteger known(@Nullable BigInteger value) {
        if (value == null) {
            throw failures.get(0);
        }
        return value;
    }

    /**
     * The change as it stands in tables.
     *
     * @return subject and difference
     */
    @Override
    public String toString() {
        return subject() + " " + CounterText.delta(this);
    }
}
