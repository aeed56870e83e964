package dev.neurontest.assertj;

import dev.neurontest.counter.CompleteCountsExpectation;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterExpectation;
import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.counter.CounterNameException;
import dev.neurontest.counter.MemoryReturnedExpectation;
import dev.neurontest.counter.NoForeignActivityExpectation;
import dev.neurontest.counter.PeakMemoryExpectation;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.assertj.ObservedCounter;
import dev.neurontest.internal.counter.CounterFailure;
import dev.neurontest.metric.ByteSize;
import java.util.List;
import org.apiguardian.api.API;
import org.assertj.core.api.InstanceOfAssertFactory;

/**
 * Assertions on the counter changes of some cores and their devices.
 *
 * <p>A counter that could not be read fails every assertion that needs it. If an older driver still withholds counts, an assertion that
 * needs them fails with that reason. It does not fail for that reason if the observed counts already decide it.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class CounterDiffAssert extends AbstractNeuronAssert<CounterDiffAssert, CounterDiff> {

    /**
     * Creates the assertions; usually called by {@link NeuronAssertions#assertThat(CounterDiff)}.
     *
     * @param actual the counter difference
     */
    public CounterDiffAssert(CounterDiff actual) {
        super(actual, CounterDiffAssert.class);
    }

    /**
     * Verifies that no error counter changed: no status except {@code success}, and no uncorrected ECC error.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.infer(validInput));
     * assertThat(diff).hasNoErrors();                                       // succeeds
     *
     * CounterDiff timedOut = counters.during(() -> model.infer(tooLarge));  // status/timeout +1
     * assertThat(timedOut).hasNoErrors();                                   // fails
     * }</pre>
     *
     * @return this
     */
    public CounterDiffAssert hasNoErrors() {
        return hasNoErrorsBut();
    }

    /**
     * Verifies that no error counter changed, except the given counters.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.infer(outOfBounds));   // status/oob_error +1
     * assertThat(diff).hasNoErrorsBut("oob_error");                         // succeeds
     * assertThat(diff).hasNoErrorsBut("timeout");                           // fails
     * }</pre>
     *
     * @param allowed paths below {@code stats}, or their last parts; counters that the host does not have are ignored
     * @return this
     */
    public CounterDiffAssert hasNoErrorsBut(String... allowed) {
        isNotNull();
        CounterExpectations.Builder rules = CounterExpectations.builder();
        List.of(allowed).forEach(rules::allow);
        return check(rules.expect(new CompleteCountsExpectation()).build());
    }

    /**
     * Verifies that no other process and no other test used the other cores of the same devices.
     *
     * <pre>{@code
     * CounterDiff alone = counters.during(() -> model.infer(input));
     * assertThat(alone).hasNoForeignActivity();                             // succeeds
     *
     * CounterDiff shared = counters.during(() -> Thread.sleep(1000));       // a notebook ran on the other core
     * assertThat(shared).hasNoForeignActivity();                            // fails
     * }</pre>
     *
     * @return this
     */
    public CounterDiffAssert hasNoForeignActivity() {
        return meets(new NoForeignActivityExpectation());
    }

    /**
     * Verifies that the device memory of each core returned to its initial value.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> { try (Model model = load()) { model.infer(input); } });
     * assertThat(diff).deviceMemoryReturned();                              // succeeds
     *
     * CounterDiff leaking = counters.during(() -> leaked = allocate(4096)); // device_mem +4096
     * assertThat(leaking).deviceMemoryReturned();                           // fails
     * }</pre>
     *
     * @return this
     */
    public CounterDiffAssert deviceMemoryReturned() {
        return deviceMemoryReturned("0 B");
    }

    /**
     * Verifies that the device memory of each core returned to its initial value, or exceeds it by at most the tolerance.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> cache = allocate(4096));     // device_mem +4096
     * assertThat(diff).deviceMemoryReturned("4 KiB");                       // succeeds
     * assertThat(diff).deviceMemoryReturned("1 KiB");                       // fails
     * }</pre>
     *
     * @param tolerance a size such as {@code 4 KiB}; the driver counts whole pages of 4096 bytes
     * @return this
     * @throws IllegalArgumentException if the tolerance has no unit
     */
    public CounterDiffAssert deviceMemoryReturned(String tolerance) {
        return meets(new MemoryReturnedExpectation(ByteSize.parse(tolerance)));
    }

    /**
     * Verifies that the memory of a category never exceeded a size on any core. This can only be decided if the peak rose during the
     * measurement, or if an older peak is within the limit.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.infer(input));         // device_mem peak 0 to 900 MiB
     * assertThat(diff).peakStayedUnder("device_mem", "1 GiB");              // succeeds
     * assertThat(diff).peakStayedUnder("device_mem", "512 MiB");            // fails
     * }</pre>
     *
     * @param category a memory counter such as {@code device_mem/tensors}
     * @param limit the largest accepted size, such as {@code 1 GiB}
     * @return this
     * @throws CounterNameException if the host has no such counter, or the counter has no peak
     * @throws IllegalArgumentException if the limit has no unit
     */
    public CounterDiffAssert peakStayedUnder(String category, String limit) {
        return meets(new PeakMemoryExpectation(category, ByteSize.parse(limit), false));
    }

    /**
     * Returns assertions on one counter, summed over all cores.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.infer(100));
     * assertThat(diff).counter("inference_count").roseBy(100);              // succeeds
     * assertThat(diff).counter("inference_count").isUnchanged();            // fails
     * }</pre>
     *
     * @param name a path below {@code stats} such as {@code other_info/inference_count}, or its last part
     * @return assertions on the counter; {@link CounterAssert#returnToDiff()} returns to these assertions
     * @throws CounterNameException if the host has no such counter, or the name is ambiguous
     */
    public CounterAssert counter(String name) {
        isNotNull();
        actual.each(name);
        return asInstanceOf(new InstanceOfAssertFactory<>(
                CounterDiff.class, diff -> new CounterAssert(new ObservedCounter(diff, name, false))));
    }

    /**
     * Returns assertions on the part of the difference that belongs to one core and its device.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.inferOn(cores.get(0)));
     * assertThat(diff).onCore(cores.get(0)).counter("inference_count").rose(); // succeeds
     * assertThat(diff).onCore(cores.get(1)).counter("inference_count").rose(); // fails
     * }</pre>
     *
     * @param core one of the cores of this difference
     * @return assertions on the part of that core
     * @throws IllegalArgumentException if that core is not part of this difference
     */
    public CounterDiffAssert onCore(NeuronCore core) {
        isNotNull();
        return asInstanceOf(
                new InstanceOfAssertFactory<>(CounterDiff.class, diff -> new CounterDiffAssert(diff.onCore(core))));
    }

    private CounterDiffAssert meets(CounterExpectation rule) {
        isNotNull();
        return check(CounterExpectations.builder()
                .errorsMustNotMove(false)
                .expect(rule)
                .build());
    }

    private CounterDiffAssert check(CounterExpectations rules) {
        CounterFailure failure = CounterFailure.judged(rules, actual);
        if (failure.isFailure()) {
            throw failureWithActualExpected(failure.actual(), failure.expected(), "%s", failure.text());
        }
        return this;
    }
}
