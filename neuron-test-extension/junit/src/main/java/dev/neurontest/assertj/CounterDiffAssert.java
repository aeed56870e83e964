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
 * Assertions on what the counters of some cores and their devices did.
 *
 * <p>A counter that could not be read fails every assertion that needs it. Where an older driver still holds counts back, an
 * assertion that needs them fails with that reason, unless what was seen already decides it.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class CounterDiffAssert extends AbstractNeuronAssert<CounterDiffAssert, CounterDiff> {

    /**
     * Starts assertions; {@link NeuronAssertions#assertThat(CounterDiff)} is the usual way.
     *
     * @param actual what was seen
     */
    public CounterDiffAssert(CounterDiff actual) {
        super(actual, CounterDiffAssert.class);
    }

    /**
     * No error counter moved: no status but {@code success}, no uncorrected ECC error.
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
     * No error counter moved, some aside.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.infer(outOfBounds));   // status/oob_error +1
     * assertThat(diff).hasNoErrorsBut("oob_error");                         // succeeds
     * assertThat(diff).hasNoErrorsBut("timeout");                           // fails
     * }</pre>
     *
     * @param allowed paths below {@code stats}, or their last parts; what the host does not have is ignored
     * @return this
     */
    public CounterDiffAssert hasNoErrorsBut(String... allowed) {
        isNotNull();
        CounterExpectations.Builder rules = CounterExpectations.builder();
        List.of(allowed).forEach(rules::allow);
        return check(rules.expect(new CompleteCountsExpectation()).build());
    }

    /**
     * No other process worked on the other cores of the same devices.
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
     * The device memory of each core is back at its start.
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
     * The device memory of each core is back at its start, or higher by no more than the tolerance.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> cache = allocate(4096));     // device_mem +4096
     * assertThat(diff).deviceMemoryReturned("4 KiB");                       // succeeds
     * assertThat(diff).deviceMemoryReturned("1 KiB");                       // fails
     * }</pre>
     *
     * @param tolerance such as {@code 4 KiB}; the driver counts whole pages of 4096 bytes
     * @return this
     * @throws IllegalArgumentException when the tolerance has no unit
     */
    public CounterDiffAssert deviceMemoryReturned(String tolerance) {
        return meets(new MemoryReturnedExpectation(ByteSize.parse(tolerance)));
    }

    /**
     * The memory of a category never exceeded a size, on each core. Only a peak that rose meanwhile, or an old one within the
     * limit, can tell.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.infer(input));         // device_mem peak 0 to 900 MiB
     * assertThat(diff).peakStayedUnder("device_mem", "1 GiB");              // succeeds
     * assertThat(diff).peakStayedUnder("device_mem", "512 MiB");            // fails
     * }</pre>
     *
     * @param category a memory counter such as {@code device_mem/tensors}
     * @param limit the largest size that is right, such as {@code 1 GiB}
     * @return this
     * @throws CounterNameException when the host has no such counter, or it has no peak
     * @throws IllegalArgumentException when the limit has no unit
     */
    public CounterDiffAssert peakStayedUnder(String category, String limit) {
        return meets(new PeakMemoryExpectation(category, ByteSize.parse(limit), false));
    }

    /**
     * Goes on to one counter, over all cores together.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.infer(100));
     * assertThat(diff).counter("inference_count").roseBy(100);              // succeeds
     * assertThat(diff).counter("inference_count").isUnchanged();            // fails
     * }</pre>
     *
     * @param name a path below {@code stats} such as {@code other_info/inference_count}, or its last part
     * @return assertions on the counter; {@link CounterAssert#returnToDiff()} comes back
     * @throws CounterNameException when the host has no such counter, or the name is ambiguous
     */
    public CounterAssert counter(String name) {
        isNotNull();
        actual.each(name);
        return asInstanceOf(new InstanceOfAssertFactory<>(
                CounterDiff.class, diff -> new CounterAssert(new ObservedCounter(diff, name, false))));
    }

    /**
     * Goes on to the part of one core and its device.
     *
     * <pre>{@code
     * CounterDiff diff = counters.during(() -> model.inferOn(cores.get(0)));
     * assertThat(diff).onCore(cores.get(0)).counter("inference_count").rose(); // succeeds
     * assertThat(diff).onCore(cores.get(1)).counter("inference_count").rose(); // fails
     * }</pre>
     *
     * @param core one of the cores of this difference
     * @return assertions on its part
     * @throws IllegalArgumentException when that core is not part of this difference
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
