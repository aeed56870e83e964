package dev.neurontest.assertj;

import dev.neurontest.counter.CounterDeltaExpectation;
import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.internal.assertj.ObservedCounter;
import dev.neurontest.internal.counter.CounterFailure;
import org.apiguardian.api.API;
import org.assertj.core.api.InstanceOfAssertFactory;

/**
 * Assertions on one counter: over all cores of the difference together, or {@linkplain #onEach() on each}.
 *
 * <p>A logical core has the sum of the memory of its physical cores, and the largest of their counts.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class CounterAssert extends AbstractNeuronAssert<CounterAssert, ObservedCounter> {

    /**
     * Starts assertions; {@link CounterDiffAssert#counter(String)} is the usual way.
     *
     * @param actual which counter of which difference
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterAssert(ObservedCounter actual) {
        super(actual, CounterAssert.class);
    }

    /**
     * The counter went up.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.infer(input));
     * assertThat(diff).counter("inference_count").rose();                   // succeeds
     * assertThat(diff).counter("timeout").rose();                           // fails
     * }</pre>
     *
     * @return this
     */
    public CounterAssert rose() {
        return meets(CounterDeltaExpectation.byAtLeast(actual.name(), 1), "rose()");
    }

    /**
     * The counter went up by exactly so much.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.infer(100));
     * assertThat(diff).counter("inference_count").roseBy(100);              // succeeds
     * assertThat(diff).counter("inference_count").roseBy(99);               // fails
     * }</pre>
     *
     * @param delta by how much
     * @return this
     */
    public CounterAssert roseBy(long delta) {
        return meets(CounterDeltaExpectation.by(actual.name(), delta), "roseBy(" + delta + ")");
    }

    /**
     * The counter went up by so much or more.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.infer(100));
     * assertThat(diff).counter("inference_count").roseByAtLeast(100);       // succeeds
     * assertThat(diff).counter("inference_count").roseByAtLeast(101);       // fails
     * }</pre>
     *
     * @param min by how much at least
     * @return this
     */
    public CounterAssert roseByAtLeast(long min) {
        return meets(CounterDeltaExpectation.byAtLeast(actual.name(), min), "roseByAtLeast(" + min + ")");
    }

    /**
     * The counter went up by so much or less, or did not move; memory may have fallen.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.load());
     * assertThat(diff).counter("model_load_count").roseByAtMost(1);         // succeeds
     * assertThat(diff).counter("model_load_count").roseByAtMost(0);         // fails
     * }</pre>
     *
     * @param max by how much at most
     * @return this
     */
    public CounterAssert roseByAtMost(long max) {
        return meets(CounterDeltaExpectation.byAtMost(actual.name(), max), "roseByAtMost(" + max + ")");
    }

    /**
     * The counter went up by an amount in a range.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.infer(100));
     * assertThat(diff).counter("inference_count").roseByBetween(90, 110);   // succeeds
     * assertThat(diff).counter("inference_count").roseByBetween(1, 10);     // fails
     * }</pre>
     *
     * @param min by how much at least
     * @param max by how much at most
     * @return this
     * @throws IllegalArgumentException when min is greater than max
     */
    public CounterAssert roseByBetween(long min, long max) {
        return meets(
                CounterDeltaExpectation.byBetween(actual.name(), min, max), "roseByBetween(" + min + ", " + max + ")");
    }

    /**
     * The counter did not move.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.infer(validInput));
     * assertThat(diff).counter("oob_error").isUnchanged();                  // succeeds
     * assertThat(diff).counter("success").isUnchanged();                    // fails
     * }</pre>
     *
     * @return this
     */
    public CounterAssert isUnchanged() {
        return meets(CounterDeltaExpectation.by(actual.name(), 0), "isUnchanged()");
    }

    /**
     * From here on every core, or every device if it is a device's counter, is looked at by itself.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.inferOnAll(cores, 50)); // two cores, 50 each
     * assertThat(diff).counter("inference_count").roseBy(100).onEach().roseBy(50); // succeeds
     * assertThat(diff).counter("inference_count").onEach().roseBy(100);      // fails
     * }</pre>
     *
     * @return assertions on each
     */
    public CounterAssert onEach() {
        isNotNull();
        return asInstanceOf(new InstanceOfAssertFactory<>(
                ObservedCounter.class,
                counter -> new CounterAssert(new ObservedCounter(counter.diff(), counter.name(), true))));
    }

    /**
     * Goes back to the whole difference.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.infer(100));           // a notebook ran on the other core
     * assertThat(diff).counter("inference_count").roseBy(100).returnToDiff().hasNoErrors();          // succeeds
     * assertThat(diff).counter("inference_count").roseBy(100).returnToDiff().hasNoForeignActivity(); // fails
     * }</pre>
     *
     * @return assertions on the difference
     */
    public CounterDiffAssert returnToDiff() {
        isNotNull();
        return asInstanceOf(
                new InstanceOfAssertFactory<>(ObservedCounter.class, counter -> new CounterDiffAssert(counter.diff())));
    }

    private CounterAssert meets(CounterDeltaExpectation demand, String assertion) {
        isNotNull();
        CounterDeltaExpectation onEachOrSum = actual.each() ? demand.onEach() : demand;
        String words = "counter(\"%s\")%s.%s".formatted(actual.name(), actual.each() ? ".onEach()" : "", assertion);
        CounterExpectations rules = CounterExpectations.builder()
                .errorsMustNotMove(false)
                .expect(onEachOrSum.inWords(words))
                .build();
        CounterFailure failure = CounterFailure.judged(rules, actual.diff());
        if (failure.isFailure()) {
            throw failureWithActualExpected(failure.actual(), failure.expected(), "%s", failure.text());
        }
        return this;
    }
}
