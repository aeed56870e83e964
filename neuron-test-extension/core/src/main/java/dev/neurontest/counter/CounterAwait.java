package dev.neurontest.counter;

import java.time.Duration;
import java.util.function.Predicate;
import org.apiguardian.api.API;
import org.opentest4j.AssertionFailedError;

/**
 * A wait for a counter or an attribute. Immutable: every method returns a new wait, and only {@link #within(Duration)} blocks.
 *
 * <pre>{@code
 * counters.await("inference_count").atLeast(10).within(ofSeconds(5));
 * counters.await("device_mem/tensors").atMost(0).within(ofSeconds(5));
 * counters.await("reset").matching("1"::equals, "ready").within(ofMinutes(2));
 * }</pre>
 *
 * <p>{@link #atLeast(long)} and {@link #atMost(long)} compare the difference since the test began, as {@code @ExpectCounter}
 * does. The driver never clears totals, so a total includes activity before the test. {@link #totalAtLeast(long)} compares the
 * total itself. Several conditions must hold at the same time. Without a condition, the counter must change. For several cores
 * the sum is compared, unless {@link #each()} is called.
 *
 * <p>The wait fails as soon as a forbidden error counter changes, or when its time limit is reached. The message contains the last value
 * and the counters that changed. Drivers up to 2.29 update some counters only when the owning process releases the device. The
 * message includes this reason if an owner is still running.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface CounterAwait {

    /**
     * Requires that the counter has increased by at least the given amount since the test began.
     *
     * @param rise increase in the counter's unit; negative for memory that may have decreased
     * @return a wait with this condition added
     * @throws CounterNameException when it is an attribute, because an attribute holds text
     * @throws IllegalArgumentException when no number can meet this condition and the earlier ones
     */
    CounterAwait atLeast(long rise);

    /**
     * Requires that the counter has increased by at most the given amount since the test began. This waits for memory to be
     * released.
     *
     * @param rise increase in the counter's unit; 0 for the value at the start of the test
     * @return a wait with this condition added
     * @throws CounterNameException when it is an attribute, because an attribute holds text
     * @throws IllegalArgumentException when no number can meet this condition and the earlier ones
     */
    CounterAwait atMost(long rise);

    /**
     * Requires that the total, as shown by {@code cat}, is at least the given value.
     *
     * @param total minimum total in the counter's unit
     * @return a wait with this condition added
     * @throws CounterNameException when it is an attribute, because an attribute holds text
     * @throws IllegalArgumentException when no number can meet this condition and the earlier ones
     */
    CounterAwait totalAtLeast(long total);

    /**
     * Requires that the text of the attribute, or of the counter's total, matches a predicate.
     *
     * @param text predicate for the text as shown by {@code cat}, without the line ending
     * @param description text for messages, such as {@code a serial number}
     * @return a wait with this condition added
     */
    CounterAwait matching(Predicate<String> text, String description);

    /**
     * Requires the conditions on each core or each device instead of on the sum. Attributes are always compared one by one.
     *
     * @return a wait with the same conditions on each
     */
    CounterAwait each();

    /**
     * Waits until all conditions hold.
     *
     * @param atMost maximum time to wait; with zero the values are read once
     * @return the values that met the conditions
     * @throws AssertionFailedError when the conditions do not hold in this time, when an error counter changes, or when the
     *     thread is interrupted, as {@code @Timeout} does; the thread stays interrupted then
     * @throws CounterNameException when it is an attribute and there is no condition
     * @throws IllegalArgumentException when the time is negative
     */
    Awaited within(Duration atMost);
}
