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

/** The change of one counter between two snapshots: on a physical core, a device, a logical core, or several of them. */
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
     * Returns the change of one file between two readings.
     *
     * @param counter the file
     * @param location full path of the file for messages
     * @param before the bits of the first reading
     * @param after the bits of the second reading
     * @return the change with its movement and its difference
     * @hidden
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

    /** Returns a change with at least one failed reading. */
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

    /** Adds changes: the memory of the physical cores of a logical core, or any counter over a list of cores. */
    static CounterChange sum(String where, List<CounterChange> parts) {
        return together(where, parts, readable -> new BigInteger[] {
            total(readable, CounterChange::before),
            total(readable, CounterChange::after),
            total(readable, CounterChange::delta)
        });
    }

    /**
     * Returns the largest change. The distribution of a logical core's executions over its physical cores is unknown, but one of
     * them has the full count.
     */
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
     * Returns the place of the counter.
     *
     * @return such as {@code neuron0/neuron_core1}, the name of a logical core, or {@code 4 cores}
     */
    public String where() {
        return where;
    }

    /**
     * Returns the path of the counter.
     *
     * @return the path below {@code stats}
     */
    public String path() {
        return counters.get(0).path();
    }

    /**
     * Returns the file of the counter.
     *
     * @return total, peak, or the value of a plain file
     */
    public CounterField field() {
        return counters.get(0).field();
    }

    /**
     * Returns the place and the path as shown in messages.
     *
     * @return such as {@code neuron0/neuron_core1 status/hw_error}
     */
    public String subject() {
        return where + " " + path() + (field() == CounterField.PEAK ? CounterField.PEAK.suffix() : "");
    }

    /**
     * Returns the movement of the counter.
     *
     * @return the movement; {@link Movement#UNREADABLE} when there are no numbers
     */
    public Movement movement() {
        return movement;
    }

    /**
     * Returns the unit of the counter.
     *
     * @return the unit of before, after and delta
     */
    public CounterUnit unit() {
        return CounterUnit.of(path());
    }

    /**
     * Returns the first reading.
     *
     * @return an unsigned 64-bit number, or a sum of them
     * @throws NeuronSysfsException when the reading failed
     */
    public BigInteger before() {
        return known(before);
    }

    /**
     * Returns the second reading.
     *
     * @return an unsigned 64-bit number, or a sum of them
     * @throws NeuronSysfsException when the reading failed
     */
    public BigInteger after() {
        return known(after);
    }

    /**
     * Returns the difference. If the counter was cleared between the readings, this is the count since then.
     *
     * @return the difference; negative when the counter decreased
     * @throws NeuronSysfsException when a reading failed
     */
    public BigInteger delta() {
        return known(delta);
    }

    /**
     * Returns the files of this change.
     *
     * @return full paths of the files
     */
    public List<String> locations() {
        return locations;
    }

    /**
     * Returns the failures of the readings.
     *
     * @return the failures; empty unless the movement is {@link Movement#UNREADABLE}
     */
    public List<NeuronSysfsException> failures() {
        return failures;
    }

    /**
     * Returns the counters of this change.
     *
     * @return one counter, or each counter that was added or compared
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<Counter> counters() {
        return counters;
    }

    /**
     * Returns the kind of the counter.
     *
     * @return the kind
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterKind kind() {
        return CounterKind.of(path());
    }

    /**
     * Returns whether this is the total of an error counter. It must not change unless a test allows it.
     *
     * @return true for an error counter; false for a peak
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public boolean isError() {
        return field() != CounterField.PEAK && CounterKind.isError(path());
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public Optional<BigInteger> knownBefore() {
        return Optional.ofNullable(before);
    }

    /** @hidden */
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
     * Returns the change as shown in tables.
     *
     * @return the subject and the difference
     */
    @Override
    public String toString() {
        return subject() + " " + CounterText.delta(this);
    }
}
