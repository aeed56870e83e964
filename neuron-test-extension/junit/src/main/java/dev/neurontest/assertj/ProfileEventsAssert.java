package dev.neurontest.assertj;

import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.EventQuery;
import dev.neurontest.profile.ProfileEvents;
import java.util.NoSuchElementException;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** Assertions on the single events of a profile. They all fail for a file without instructions. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class ProfileEventsAssert extends AbstractNeuronAssert<ProfileEventsAssert, ProfileEvents> {

    private static final int SHOWN = 3;

    /**
     * Creates the assertions; usually called by {@link NeuronAssertions#assertThat(ProfileEvents)}.
     *
     * @param actual the events from the full JSON of the profiler
     */
    public ProfileEventsAssert(ProfileEvents actual) {
        super(actual, ProfileEventsAssert.class);
    }

    /**
     * Verifies that some instructions take at most a share of the total time of all instructions.
     *
     * <pre>{@code
     * assertThat(events).spendsAtMost("10 %", EventQuery.transposes()); // succeeds at 8.2 %
     * assertThat(events).spendsAtMost("5 %", EventQuery.transposes());  // fails
     * }</pre>
     *
     * @param max the largest accepted percentage
     * @param query selects the instructions
     * @return this
     * @throws IllegalArgumentException if the {@code %} is missing
     */
    public ProfileEventsAssert spendsAtMost(String max, EventQuery query) {
        double share = share(query);
        if (share > limit(max)) {
            throw failure(max, share, "at most", query);
        }
        return myself;
    }

    /**
     * Verifies that some instructions take at least a share of the total time of all instructions.
     *
     * <pre>{@code
     * assertThat(events).spendsAtLeast("60 %", EventQuery.of(Grouping.OPCODE, "MATMUL")); // succeeds at 71 %
     * assertThat(events).spendsAtLeast("80 %", EventQuery.of(Grouping.OPCODE, "MATMUL")); // fails
     * }</pre>
     *
     * @param min the smallest accepted percentage
     * @param query selects the instructions
     * @return this
     * @throws IllegalArgumentException if the {@code %} is missing
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

    private AssertionError failure(String limit, double share, String expectation, EventQuery query) {
        return failureWithActualExpected(
                new Fraction(share),
                expectation + " " + limit,
                "%nInstructions with %s take %s of the time of all instructions, expected %s %s.%n%s has %s instructions; most time is spent in%n%s",
                query,
                new Fraction(share),
                expectation,
                limit,
                actual.path(),
                actual.count(query.by()),
                actual.rows(query.by()).stream()
                        .limit(SHOWN)
                        .map(row -> "  %s: %s".formatted(row.name(), Quantity.of(row.time(), Unit.SECONDS)))
                        .collect(Collectors.joining(System.lineSeparator())));
    }
}
