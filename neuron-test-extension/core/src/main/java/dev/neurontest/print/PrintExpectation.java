package dev.neurontest.print;

import dev.neurontest.internal.print.PrintNames;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The expectation of a test about the prints with one prefix. Immutable.
 *
 * @param prefix exactly the prefix given to {@code device_print}
 * @param min minimum number of prints
 * @param max maximum number of prints; {@link #NO_LIMIT} for any number
 * @param noNaN true to require that no value is NaN
 * @param words the expectation as written in the test
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PrintExpectation(String prefix, long min, long max, boolean noNaN, String words) {

    /** The maximum for an unlimited number of prints. */
    public static final long NO_LIMIT = Long.MAX_VALUE;

    /**
     * Creates an expectation after checking the numbers.
     *
     * @param prefix exactly the prefix given to {@code device_print}
     * @param min minimum number of prints
     * @param max maximum number of prints
     * @param noNaN true to require that no value is NaN
     * @param words the expectation as written in the test
     * @throws IllegalArgumentException when the minimum is negative or greater than the maximum
     */
    public PrintExpectation {
        if (min < 0 || max < min) {
            throw new IllegalArgumentException(
                    "the number of prints must be at least 0, and its minimum at most its maximum, but was %s to %s"
                            .formatted(min, max == NO_LIMIT ? "any number" : max));
        }
    }

    /**
     * Creates an expectation of at least one print.
     *
     * @param prefix exactly the prefix given to {@code device_print}
     * @return an expectation
     */
    public static PrintExpectation of(String prefix) {
        return new PrintExpectation(prefix, 1, NO_LIMIT, false, "prints of " + PrintNames.quoted(prefix));
    }

    /**
     * Requires an exact number of prints.
     *
     * @param count number of prints; 0 for none
     * @return a new expectation
     * @throws IllegalArgumentException when the number is negative
     */
    public PrintExpectation exactly(long count) {
        return between(count, count);
    }

    /**
     * Requires a minimum number of prints.
     *
     * @param count minimum number of prints
     * @return a new expectation
     * @throws IllegalArgumentException when the number is negative
     */
    public PrintExpectation atLeast(long count) {
        return between(count, NO_LIMIT);
    }

    /**
     * Requires a maximum number of prints.
     *
     * @param count maximum number of prints
     * @return a new expectation
     * @throws IllegalArgumentException when the number is negative
     */
    public PrintExpectation atMost(long count) {
        return between(0, count);
    }

    /**
     * Requires a number of prints within a range.
     *
     * @param least minimum number of prints
     * @param most maximum number of prints
     * @return a new expectation
     * @throws IllegalArgumentException when the minimum is negative or greater than the maximum
     */
    public PrintExpectation between(long least, long most) {
        return new PrintExpectation(prefix, least, most, noNaN, words);
    }

    /**
     * Requires that no value is NaN.
     *
     * @return a new expectation
     */
    public PrintExpectation withoutNaN() {
        return new PrintExpectation(prefix, min, max, true, words);
    }

    /**
     * Sets the text of the expectation in messages.
     *
     * @param expectation such as {@code @ExpectPrint(prefix = "acc", count = 4)}
     * @return a new expectation
     */
    public PrintExpectation inWords(String expectation) {
        return new PrintExpectation(prefix, min, max, noNaN, expectation);
    }

    /** Returns whether a test body without prints would violate the expectation. */
    boolean requiresPrints() {
        return min > 0;
    }

    /** Returns the part of the expectation that still applies to an aborted test body: the maximum number of prints, and no NaN. */
    Optional<PrintExpectation> ofAbortedBody() {
        return noNaN || max != NO_LIMIT ? Optional.of(between(0, max)) : Optional.empty();
    }

    /**
     * Returns the expected number of prints, such as {@code at least 1} or {@code 2 to 4}.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public String number() {
        return min == max
                ? "exactly " + min
                : max == NO_LIMIT ? "at least " + min : min == 0 ? "at most " + max : min + " to " + max;
    }
}
