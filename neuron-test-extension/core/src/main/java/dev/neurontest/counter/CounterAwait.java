package dev.neurontest.counter;

import java.time.Duration;
import java.util.function.Predicate;
import org.apiguardian.api.API;
import org.opentest4j.AssertionFailedError;

/**
 * Waits for a counter, or an attribute. Immutable: every method gives a new one, and only {@link #within(Duration)} waits.
 *
 * <pre>{@code
 * counters.await("inference_count").atLeast(10).within(ofSeconds(5));
 * counters.await("device_mem/tensors").atMost(0).within(ofSeconds(5));
 * counters.await("reset").matching("1"::equals, "ready").within(ofMinutes(2));
 * }</pre>
 *
 * <p>{@link #atLeast(long)} and {@link #atMost(long)} speak of the difference since the test began, as {@code @ExpectCounter} does:
 * totals are never cleared, so that they say more about the machine than about the test. The total itself is
 * {@link #totalAtLeast(long)}. Several conditions have to hold at the same time;
 * without any, the counter has to move. Of several cores the sum counts, unless {@link #each()} is asked for.
 *
 * <p>The wait fails as soon as an error counter moves that the test does not allow, and otherwise when its time is over. The
 * message has the value that was read last, and what moved. Where the driver counts only when the owner lets go of
 * the device (up to 2.29) and an owner lives, it says so.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface CounterAwait {

    /**
     * Until the counter has risen by so much since the test began.
     *
     * @param rise in the counter's unit; negative for memory that may have fallen
     * @return with this condition too
     * @throws CounterNameException when it is an attribute, which holds text
     * @throws IllegalArgumentException when no number can meet this condition and those before it
     */
    CounterAwait atLeast(long rise);

    /**
     * Until the counter has risen by no more than so much since the test began: memory that comes back.
     *
     * @param rise in the counter's unit; 0 for what was there when the test began
     * @return with this condition too
     * @throws CounterNameException when it is an attribute, which holds text
     * @throws IllegalArgumentException when no number can meet this condition and those before it
     */
    CounterAwait atMost(long rise);

    /**
     * Until the total, as {@code cat} shows it, is so large.
     *
     * @param total in the counter's unit
     * @return with this condition too
     * @throws CounterNameException when it is an attribute, which holds text
     * @throws IllegalArgumentException when no number can meet this condition and those before it
     */
    CounterAwait totalAtLeast(long total);

    /**
     * Until the attribute, or the counter's total, reads as the test likes it.
     *
     * @param text gets what {@code cat} shows, without the end of the line
     * @param description for messages, such as {@code a serial number}
     * @return with this condition too
     */
    CounterAwait matching(Predicate<String> text, String description);

    /**
     * On each core, or on each device, and not on their sum. Attributes always are.
     *
     * @return the same on each
     */
    CounterAwait each();

    /**
     * Waits.
     *
     * @param atMost how long; with zero it looks once
     * @return what was seen
     * @throws AssertionFailedError when it does not come in this time, when an error counter moves, or when the thread is
     *     interrupted, as {@code @Timeout} does; it stays interrupted then
     * @throws CounterNameException when it is an attribute and there is no condition
     * @throws IllegalArgumentException when the time is negative
     */
    Awaited within(Duration atMost);
}
