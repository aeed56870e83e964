package dev.neurontest.fake.control;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of one command line, taken from the left; every failure names the usage of the command. */
final class Words {

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ns|us|ms|s)");
    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");

    private final String usage;
    private final Deque<String> words;

    Words(String usage, List<String> words) {
        this.usage = usage;
        this.words = new ArrayDeque<>(words);
    }

    String next(String what) throws CommandException {
        if (words.isEmpty()) {
            throw wrong(what + " is missing");
        }
        return words.removeFirst();
    }

    boolean hasMore() {
        return !words.isEmpty();
    }

    long nextNumber(String what) throws CommandException {
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

    int nextInt(String what) throws CommandException {
        return (int) Math.min(nextNumber(what), Integer.MAX_VALUE);
    }

    double nextDecimal(String what) throws CommandException {
        String word = next(what);
        if (!DECIMAL.matcher(word).matches()) {
            throw wrong(what + " must be a number such as 2 or 0.5, not " + word);
        }
        return Double.parseDouble(word);
    }

    Duration nextDuration(String what) throws CommandException {
        return duration(what, next(what));
    }

    Duration duration(String what, String word) throws CommandException {
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

    /** The number behind a last {@code after}, taken away; empty when there is none. */
    OptionalInt takeAfter() throws CommandException {
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

    /** What is left, as it was written but for repeated blanks. */
    String rest() {
        String rest = String.join(" ", words);
        words.clear();
        return rest;
    }

    void end() throws CommandException {
        if (hasMore()) {
            throw wrong("too many words: " + rest());
        }
    }

    CommandException wrong(String reason) {
        return new CommandException(reason + "; usage: " + usage);
    }
}
