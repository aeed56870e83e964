package dev.neurontest.profile.system;

import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import java.util.Locale;
import java.util.function.Function;
import org.apiguardian.api.API;

/** What of the events of one name is demanded. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum EventStatistic {
    /** How many there are. */
    COUNT(times -> new Quantity(times.count(), Unit.COUNT), Unit.COUNT),
    /** The time of all together. */
    TOTAL(times -> Quantity.of(times.total(), Unit.SECONDS), Unit.SECONDS),
    /** The time that half of them do not exceed. */
    P50(times -> Quantity.of(times.p50(), Unit.SECONDS), Unit.SECONDS),
    /** The time that 99 of 100 do not exceed. */
    P99(times -> Quantity.of(times.p99(), Unit.SECONDS), Unit.SECONDS),
    /** The time of the longest. */
    MAX(times -> Quantity.of(times.max(), Unit.SECONDS), Unit.SECONDS);

    private final Function<EventTimes, Quantity> quantity;
    private final Unit unit;

    EventStatistic(Function<EventTimes, Quantity> quantity, Unit unit) {
        this.quantity = quantity;
        this.unit = unit;
    }

    Quantity of(EventTimes times) {
        return quantity.apply(times);
    }

    /**
     * Reads a limit.
     *
     * @param limit a time with its unit, such as {@code 2 ms}, or a number for {@link #COUNT}
     * @return the limit
     * @throws IllegalArgumentException when it cannot be read
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Quantity parse(String limit) {
        return Quantity.parse(limit, unit);
    }

    /** As annotations and messages write it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
