package dev.neurontest.fake.internal.control;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The words of one command line, taken from the left. Every failure names the usage of the command. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CommandWords {

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ns|us|ms|s)");
    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");

    private final String usage;
    private final Deque<String> words;

    CommandWords(String usage, List<String> words) {
        this.usage = usage;
        this.words = new ArrayDeque<>(words);
    }

    /**
     * Takes the next word.
     *
     * @param what a description of the word, for the error
     * @throws IllegalArgumentException when there is none
     */
    public String next(String what) {
        if (words.isEmpty()) {
            throw wrong(what + " is missing");
        }
        return words.removeFirst();
    }

    /** Returns whether there are more words. */
    public boolean hasMore() {
        return !words.isEmpty();
    }

    /**
     * Takes a whole number of at least 0.
     *
     * @param what a description of the number, for the error
     * @throws IllegalArgumentException when the next word is not such a number
     */
    public long nextNumber(String what) {
        String word = next(what);
        try {
            long number = Long.parseLong(word);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException notOne) {
            // Reported below, like a negative number.
        }
        throw wrong(what + " must be a whole number of at least 0, not " + word);
    }

    /**
     * Takes a whole number of at least 0. A number above the range of an int becomes the largest int.
     *
     * @param what a description of the number, for the error
     * @throws IllegalArgumentException when the next word is not such a number
     */
    public int nextInt(String what) {
        return (int) Math.min(nextNumber(what), Integer.MAX_VALUE);
    }

    /**
     * Takes a decimal number of at least 0.
     *
     * @param what a description of the number, for the error
     * @throws IllegalArgumentException when the next word is not such a number
     */
    public double nextDecimal(String what) {
        String word = next(what);
        if (!DECIMAL.matcher(word).matches()) {
            throw wrong(what + " must be a number such as 2 or 0.5, not " + word);
        }
        return Double.parseDouble(word);
    }

    /**
     * Takes a duration.
     *
     * @param what a description of the duration, for the error
     * @throws IllegalArgumentException when the next word is not a duration
     */
    public Duration nextDuration(String what) {
        return duration(what, next(what));
    }

    /**
     * Parses a duration.
     *
     * @param what a description of the duration, for the error
     * @param word a duration such as {@code 500ms}
     * @throws IllegalArgumentException when the word is not a duration
     */
    public Duration duration(String what, String word) {
        Duration duration = duration(word);
        if (duration == null) {
            throw wrong(what + " must be a duration such as 500ms or 2s, not " + word);
        }
        return duration;
    }

    /**
     * Parses a duration.
     *
     * @param word a duration such as {@code 500ms}
     * @return the duration; null if the word is none
     */
    public static @Nullable Duration duration(String word) {
        Matcher matcher = DURATION.matcher(word);
        if (!matcher.matches()) {
            return null;
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ns" -> Duration.ofNanos(amount);
            case "us" -> Duration.of(amount, ChronoUnit.MICROS);
            case "ms" -> Duration.ofMillis(amount);
            default -> Duration.ofSeconds(amount);
        };
    }

    /**
     * Takes the number after {@code after} at the end of the line, and removes both words.
     *
     * @return empty when there is no {@code after}
     * @throws IllegalArgumentException when it is followed by something other than a number
     */
    public OptionalInt takeAfter() {
        List<String> all = List.copyOf(words);
        if (all.size() < 2 || !all.get(all.size() - 2).equals("after")) {
            return OptionalInt.empty();
        }
        String number = words.removeLast();
        words.removeLast();
        if (!number.matches("[0-9]{1,9}")) {
            throw wrong("the number of reads after which the fault begins must be a whole number, not " + number);
        }
        return OptionalInt.of(Integer.parseInt(number));
    }

    /**
     * Takes all remaining words.
     *
     * @return the words as written, but with single blanks between them
     */
    public String rest() {
        String rest = String.join(" ", words);
        words.clear();
        return rest;
    }

    /**
     * Returns a value after a check that no word is left.
     *
     * @param value the value of the last word
     * @throws IllegalArgumentException when there is another word
     */
    public <T> T last(T value) {
        end();
        return value;
    }

    /**
     * Throws an exception if there are more words.
     *
     * @throws IllegalArgumentException when a word is left
     */
    public void end() {
        if (hasMore()) {
            throw wrong("too many words: " + rest());
        }
    }

    /**
     * Creates an exception with the usage of the command.
     *
     * @param reason the reason of the failure
     */
    public IllegalArgumentException wrong(String reason) {
        return new IllegalArgumentException(reason + "; usage: " + usage);
    }
}
