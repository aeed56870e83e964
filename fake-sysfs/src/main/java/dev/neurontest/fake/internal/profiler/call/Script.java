package dev.neurontest.fake.internal.profiler.call;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * An effect and its arguments.
 *
 * @param effect the effect
 * @param arguments arguments of the effect
 * @param times number of affected calls; 0 for all
 * @param rank rank of the affected worker; -1 for all
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Script(Effect effect, List<String> arguments, int times, int rank) {

    /**
     * Creates a script.
     *
     * @throws IllegalArgumentException if the arguments are invalid for the effect
     */
    public Script {
        arguments = List.copyOf(arguments);
        effect.check(arguments);
    }

    /**
     * Parses the format of {@link #toString()}.
     *
     * @param words the keyword of the effect, its arguments, and optionally {@code times N} and {@code rank N}
     * @throws IllegalArgumentException if the words are invalid
     */
    public static Script parse(List<String> words) {
        if (words.isEmpty()) {
            throw new IllegalArgumentException("the keyword of the script is missing");
        }
        Effect effect = Effect.of(words.get(0));
        int end = Math.min(words.size(), 1 + effect.argumentCount());
        List<String> arguments = new ArrayList<>(words.subList(1, end));
        int times = 0;
        int rank = -1;
        for (int i = end; i < words.size(); i += 2) {
            int number = i + 1 < words.size() ? number(words.get(i + 1)) : -1;
            if (number < 0) {
                throw new IllegalArgumentException("a number is missing after " + words.get(i));
            }
            if (number == 0 && words.get(i).equals("times")) {
                throw new IllegalArgumentException("a script requires at least 1 call, not 0");
            }
            switch (words.get(i)) {
                case "times" -> times = number;
                case "rank" -> rank = number;
                default ->
                    throw new IllegalArgumentException(
                            "only times N and rank N may follow " + effect.usage() + ", not " + words.get(i));
            }
        }
        return new Script(effect, arguments, times, rank);
    }

    /**
     * Encodes a text as a single word.
     *
     * @param text text that may contain spaces
     * @return text without spaces
     */
    public static String word(String text) {
        return text.replace("\\", "\\\\")
                .replace(" ", "\\s")
                .replace("\n", "\\n")
                .replace("|", "\\p");
    }

    /**
     * Decodes the result of {@link #word}.
     *
     * @param word text without spaces
     */
    public static String text(String word) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < word.length(); i++) {
            char each = word.charAt(i);
            if (each == '\\' && i + 1 < word.length()) {
                char escaped = word.charAt(++i);
                each = switch (escaped) {
                    case 's' -> ' ';
                    case 'n' -> '\n';
                    case 'p' -> '|';
                    default -> escaped;
                };
            }
            text.append(each);
        }
        return text.toString();
    }

    private static int number(String word) {
        try {
            return Integer.parseInt(word);
        } catch (NumberFormatException wrong) {
            return -1;
        }
    }

    /** Formats the script as words. */
    @Override
    public String toString() {
        StringBuilder words = new StringBuilder(effect.word());
        for (String argument : arguments) {
            words.append(' ').append(argument);
        }
        if (times > 0) {
            words.append(" times ").append(times);
        }
        if (rank >= 0) {
            words.append(" rank ").append(rank);
        }
        return words.toString();
    }

    /** Returns the last script with an effect on a worker, or null if there is none. */
    static @Nullable Script last(List<Script> scripts, Effect requested, int worker) {
        Script last = null;
        for (Script each : scripts) {
            if (each.effect == requested && (each.rank < 0 || each.rank == worker)) {
                last = each;
            }
        }
        return last;
    }
}
