package dev.neurontest.assertj;

import dev.neurontest.counter.CounterDeltaExpectation;
import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.internal.assertj.ObservedCounter;
import dev.neurontest.internal.counter.CounterFailure;
import org.apiguardian.api.API;
import org.assertj.core.api.InstanceOfAssertFactory;

/**
 * Assertions on one counter: on its sum over all cores of the difference, or {@linkplain #onEach() on each core}.
 *
 * <p>The memory of a logical core is the sum over its physical cores. Its count is the largest count of its physical cores.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class CounterAssert extends AbstractNeuronAssert<CounterAssert, ObservedCounter> {

    /**
     * Creates the assertions; usually called by {@link CounterDiffAssert#counter(String)}.
     *
     * @param actual the counter and its difference
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterAssert(ObservedCounter actual) {
        super(actual, CounterAssert.class);
    }

    /**
     * Verifies that the counter increased.
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
     * Verifies that the counter increased by exactly the given amount.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.infer(100));
     * assertThat(diff).counter("inference_count").roseBy(100);              // succeeds
     * assertThat(diff).counter("inference_count").roseBy(99);               // fails
     * }</pre>
     *
     * @param delta the expected increase
     * @return this
     */
    public CounterAssert roseBy(long delta) {
        return meets(CounterDeltaExpectation.by(actual.name(), delta), "roseBy(" + delta + ")");
    }

    /**
     * Verifies that the counter increased by at least the given amount.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.infer(100));
     * assertThat(diff).counter("inference_count").roseByAtLeast(100);       // succeeds
     * assertThat(diff).counter("inference_count").roseByAtLeast(101);       // fails
     * }</pre>
     *
     * @param min the smallest accepted increase
     * @return this
     */
    public CounterAssert roseByAtLeast(long min) {
        return meets(CounterDeltaExpectation.byAtLeast(actual.name(), min), "roseByAtLeast(" + min + ")");
    }

    /**
     * Verifies that the counter increased by at most the given amount. No change, or a decrease of memory, is accepted too.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.load());
     * assertThat(diff).counter("model_load_count").roseByAtMost(1);         // succeeds
     * assertThat(diff).counter("model_load_count").roseByAtMost(0);         // fails
     * }</pre>
     *
     * @param max the largest accepted increase
     * @return this
     */
    public CounterAssert roseByAtMost(long max) {
        return meets(CounterDeltaExpectation.byAtMost(actual.name(), max), "roseByAtMost(" + max + ")");
    }

    /**
     * Verifies that the counter increased by an amount in a range.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.infer(100));
     * assertThat(diff).counter("inference_count").roseByBetween(90, 110);   // succeeds
     * assertThat(diff).counter("inference_count").roseByBetween(1, 10);     // fails
     * }</pre>
     *
     * @param min the smallest accepted increase
     * @param max the largest accepted increase
     * @return this
     * @throws IllegalArgumentException if min is greater than max
     */
    public CounterAssert roseByBetween(long min, long max) {
        return meets(
                CounterDeltaExpectation.byBetween(actual.name(), min, max), "roseByBetween(" + min + ", " + max + ")");
    }

    /**
     * Verifies that the counter did not change.
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
     * Returns assertions that check every core separately, or every device for a counter of a device.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.inferOnAll(cores, 50)); // two cores, 50 each
     * assertThat(diff).counter("inference_count").roseBy(100).onEach().roseBy(50); // succeeds
     * assertThat(diff).counter("inference_count").onEach().roseBy(100);      // fails
     * }</pre>
     *
     * @return assertions on each core or device
     */
    public CounterAssert onEach() {
        isNotNull();
        return asInstanceOf(new InstanceOfAssertFactory<>(
                ObservedCounter.class,
                counter -> new CounterAssert(new ObservedCounter(counter.diff(), counter.name(), true))));
    }

    /**
     * Returns to the assertions on the whole difference.
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

    private CounterAssert meets(CounterDeltaExpectation expectation, String assertion) {
        isNotNull();
        CounterDeltaExpectation onEachOrSum = actual.each() ? expectation.onEach() : expectation;
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
