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

/** The words of one command line, taken from the left; every failure names the usage of the command. */
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
     * @param what what it is, for the error
     * @return the word
     * @throws IllegalArgumentException when there is none
     */
    public String next(String what) {
        if (words.isEmpty()) {
            throw wrong(what + " is missing");
        }
        return words.removeFirst();
    }

    /**
     * Whether words are left.
     *
     * @return true until the last is taken
     */
    public boolean hasMore() {
        return !words.isEmpty();
    }

    /**
     * Takes a whole number.
     *
     * @param what what it is, for the error
     * @return at least 0
     * @throws IllegalArgumentException when the next word is none
     */
    public long nextNumber(String what) {
        String word = next(what);
        try {
            long number = Long.parseLong(word);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException notOne) {
            // answered below, as a negative number is
        }
        throw wrong(what + " must be a whole number of at least 0, not " + word);
    }

    /**
     * Takes a whole number.
     *
     * @param what what it is, for the error
     * @return at least 0; what is larger than an int counts as the largest
     * @throws IllegalArgumentException when the next word is none
     */
    public int nextInt(String what) {
        return (int) Math.min(nextNumber(what), Integer.MAX_VALUE);
    }

    /**
     * Takes a decimal number.
     *
     * @param what what it is, for the error
     * @return at least 0
     * @throws IllegalArgumentException when the next word is none
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
     * @param what what it is, for the error
     * @return the duration
     * @throws IllegalArgumentException when the next word is none
     */
    public Duration nextDuration(String what) {
        return duration(what, next(what));
    }

    /**
     * Reads a duration.
     *
     * @param what what it is, for the error
     * @param word such as {@code 500ms}
     * @return the duration
     * @throws IllegalArgumentException when the word is none
     */
    public Duration duration(String what, String word) {
        Matcher matcher = DURATION.matcher(word);
        if (!matcher.matches()) {
            throw wrong(what + " must look like 500ms or 2s, not " + word);
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
     * Takes the number behind a last {@code after} away.
     *
     * @return empty when there is none
     * @throws IllegalArgumentException when what is behind it is no number
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
     * Takes what is left.
     *
     * @return as it was written but for repeated blanks
     */
    public String rest() {
        String rest = String.join(" ", words);
        words.clear();
        return rest;
    }

    /**
     * Returns a value, after it was checked that no word is left.
     *
     * @param value what the words before say
     * @return the value
     * @param <T> its type
     * @throws IllegalArgumentException when there is another word
     */
    public <T> T last(T value) {
        end();
        return value;
    }

    /**
     * Refuses what is left.
     *
     * @throws IllegalArgumentException when something is
     */
    public void end() {
        if (hasMore()) {
            throw wrong("too many words: " + rest());
        }
    }

    /**
     * An error that says how the command is used.
     *
     * @param reason what is wrong
     * @return to be thrown
     */
    public IllegalArgumentException wrong(String reason) {
        return new IllegalArgumentException(reason + "; usage: " + usage);
    }
}
