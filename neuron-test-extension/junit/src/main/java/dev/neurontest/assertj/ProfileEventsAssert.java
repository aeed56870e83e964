package dev.neurontest.assertj;

import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.EventQuery;
import dev.neurontest.profile.ProfileEvents;
import java.util.NoSuchElementException;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** Assertions on the single events of a profile. A file without any instruction meets none of them. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class ProfileEventsAssert extends AbstractNeuronAssert<ProfileEventsAssert, ProfileEvents> {

    private static final int SHOWN = 3;

    /**
     * Starts assertions; {@link NeuronAssertions#assertThat(ProfileEvents)} is the usual way.
     *
     * @param actual what the profiler wrote as full JSON
     */
    public ProfileEventsAssert(ProfileEvents actual) {
        super(actual, ProfileEventsAssert.class);
    }

    /**
     * Some instructions take no more than a share of the summed time of all.
     *
     * <pre>{@code
     * assertThat(events).spendsAtMost("10 %", EventQuery.transposes()); // succeeds at 8.2 %
     * assertThat(events).spendsAtMost("5 %", EventQuery.transposes());  // fails
     * }</pre>
     *
     * @param max a percentage, which may be reached
     * @param query which instructions
     * @return this
     * @throws IllegalArgumentException when there is no {@code %}
     */
    public ProfileEventsAssert spendsAtMost(String max, EventQuery query) {
        double share = share(query);
        if (share > limit(max)) {
            throw failure(max, share, "at most", query);
        }
        return myself;
    }

    /**
     * Some instructions take at least a share of the summed time of all.
     *
     * <pre>{@code
     * assertThat(events).spendsAtLeast("60 %", EventQuery.of(Grouping.OPCODE, "MATMUL")); // succeeds at 71 %
     * assertThat(events).spendsAtLeast("80 %", EventQuery.of(Grouping.OPCODE, "MATMUL")); // fails
     * }</pre>
     *
     * @param min a percentage, which may be reached
     * @param query which instructions
     * @return this
     * @throws IllegalArgumentException when there is no {@code %}
     */
    public ProfileEventsAssert spendsAtLeast(String min, EventQuery query) {
        double share = share(query);
        if (share < limit(min)) {
            throw failure(min, share, "at least", query);
        }
        return myself;
    }

    private double share(EventQuery query) {
        isNotNull();
        try {
            return actual.shareOfTime(query);
        } catch (NoSuchElementException nothing) {
            throw failure("%s", nothing.getMessage());
        }
    }

    private static double limit(String text) {
        return Quantity.parse(text, Unit.FRACTION).value();
    }

    private AssertionError failure(String limit, double share, String demand, EventQuery query) {
        return failureWithActualExpected(
                new Fraction(share),
                demand + " " + limit,
                "%nInstructions with %s take %s of the time of all instructions, expected %s %s.%n%s has %s instructions; most time is of%n%s",
                query,
                new Fraction(share),
                demand,
                limit,
                actual.path(),
                actual.count(query.by()),
                actual.rows(query.by()).stream()
                        .limit(SHOWN)
                        .map(row -> "  %s: %s".formatted(row.name(), Quantity.of(row.time(), Unit.SECONDS)))
                        .collect(Collectors.joining(System.lineSeparator())));
    }
}
