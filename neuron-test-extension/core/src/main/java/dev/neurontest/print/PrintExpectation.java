package dev.neurontest.print;

import dev.neurontest.internal.print.PrintNames;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What a test demands of the prints with one prefix. Immutable.
 *
 * @param prefix exactly as it was given to {@code device_print}
 * @param min how many at least
 * @param max how many at most; {@link #NO_LIMIT} for any number
 * @param noNaN whether no value may be NaN
 * @param words the demand as the test has it
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PrintExpectation(String prefix, long min, long max, boolean noNaN, String words) {

    /** Any number. */
    public static final long NO_LIMIT = Long.MAX_VALUE;

    /**
     * Checks the numbers.
     *
     * @param prefix exactly as it was given to {@code device_print}
     * @param min how many at least
     * @param max how many at most
     * @param noNaN whether no value may be NaN
     * @param words the demand as the test has it
     * @throws IllegalArgumentException when there is no such number
     */
    public PrintExpectation {
        if (min < 0 || max < min) {
            throw new IllegalArgumentException("there is no number of prints from %s to %s".formatted(min, max));
        }
    }

    /**
     * Starts with at least one print.
     *
     * @param prefix exactly as it was given to {@code device_print}
     * @return a demand
     */
    public static PrintExpectation of(String prefix) {
        return new PrintExpectation(prefix, 1, NO_LIMIT, false, "prints of " + PrintNames.quoted(prefix));
    }

    /**
     * Limits the number to one.
     *
     * @param count how many; 0 for none
     * @return another demand
     * @throws IllegalArgumentException when it is negative
     */
    public PrintExpectation exactly(long count) {
        return between(count, count);
    }

    /**
     * Limits the number from below.
     *
     * @param count how many at least
     * @return another demand
     * @throws IllegalArgumentException when it is negative
     */
    public PrintExpectation atLeast(long count) {
        return between(count, NO_LIMIT);
    }

    /**
     * Limits the number from above.
     *
     * @param count how many at most
     * @return another demand
     * @throws IllegalArgumentException when it is negative
     */
    public PrintExpectation atMost(long count) {
        return between(0, count);
    }

    /**
     * Limits the number from both sides.
     *
     * @param least how many at least
     * @param most how many at most
     * @return another demand
     * @throws IllegalArgumentException when there is no such number
     */
    public PrintExpectation between(long least, long most) {
        return new PrintExpectation(prefix, least, most, noNaN, words);
    }

    /**
     * Demands that no value is NaN.
     *
     * @return another demand
     */
    public PrintExpectation withoutNaN() {
        return new PrintExpectation(prefix, min, max, true, words);
    }

    /**
     * The demand as messages tell it.
     *
     * @param demand such as {@code @ExpectPrint(prefix = "acc", count = 4)}
     * @return another demand
     */
    public PrintExpectation inWords(String demand) {
        return new PrintExpectation(prefix, min, max, noNaN, demand);
    }

    /** Returns whether a body that printed nothing would break the demand. */
    boolean asksForPrints() {
        return min > 0;
    }

    /** Returns what holds where nothing had to be printed: no more than so many, and no NaN. */
    Optional<PrintExpectation> ofAbortedBody() {
        return noNaN || max != NO_LIMIT ? Optional.of(between(0, max)) : Optional.empty();
    }

    /** The number in words. */
    @API(status = API.Status.INTERNAL)
    public String number() {
        return min == max
                ? "exactly " + min
                : max == NO_LIMIT ? "at least " + min : min == 0 ? "at most " + max : min + " to " + max;
    }
}
