package dev.neurontest.fake.internal.profiler.call;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** A scripted effect on a call of the profiler: its word, and the arguments behind the word. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Effect {
    /** Executions take longer. */
    SLOWDOWN(Stage.CAPTURE, "FACTOR", "Executions take so many times as long for the same work."),
    /** Captures differ from each other. */
    RUN_NOISE(Stage.CAPTURE, "FACTOR SEED", "Captures differ by this coefficient of variation."),
    /** The Tensor Engine is throttled. */
    THROTTLE(Stage.CAPTURE, "FACTOR", "The Tensor Engine is held back for this fraction of the time."),
    /** Notifications are lost. */
    DROPPED(Stage.CAPTURE, "COUNT", "So many notifications are lost."),
    /** Executions end with a status. */
    STATUS(Stage.CAPTURE, "STATUS", "Executions end with this status."),
    /** The trace belongs to another NEFF. */
    WRONG_UUID(Stage.CAPTURE, "", "The trace says that it is of another NEFF."),
    /** The trace is cut. */
    NTFF_BYTES(Stage.CAPTURE, "COUNT", "The trace is cut to so many bytes."),
    /** The trace is missing. */
    NO_TRACE(Stage.CAPTURE, "", "No trace is written."),
    /** A metric has a given text. */
    METRIC(Stage.VIEW, "NAME TEXT", "A metric is printed with exactly this value."),
    /** The number of instructions. */
    RECORDS(Stage.VIEW, "COUNT", "So many instructions are in the full JSON and in the tables."),
    /** The profile has a warning. */
    WARNING(Stage.VIEW, "NAME TEXT", "The profile has this warning; \\s is a blank."),
    /** The tables have an error of the hardware. */
    HARDWARE_ERROR(Stage.VIEW, "TEXT", "The tables have this error of the hardware; \\s is a blank."),
    /** A layer or source line takes longer. */
    SLOWER(Stage.VIEW, "NAME FACTOR", "Instructions of a layer or source line take so many times as long."),
    /** A layer or source line spills more. */
    SPILL(Stage.VIEW, "NAME COUNT", "A layer or source line spills so many bytes more."),
    /** The version of the schema. */
    SCHEMA(Stage.VIEW, "TEXT", "The tables say that their schema has this version."),
    /** A column has another name. */
    RENAMED(Stage.VIEW, "NAME NAME", "A column, named as Table.column, has another name."),
    /** The file of a table is cut. */
    TABLE_BYTES(Stage.VIEW, "NAME COUNT", "The file of a table is cut to so many bytes."),
    /** A table is missing. */
    NO_TABLE(Stage.VIEW, "NAME", "A table is not written."),
    /** An output format is refused. */
    NO_FORMAT(Stage.VIEW, "NAME", "This output format is refused."),
    /** A call that never ends. */
    HANG(Stage.NAMED, "capture|view", "It never comes to an end."),
    /** A line of the log. */
    LOG(Stage.NAMED, "capture|view TEXT", "It logs this line; \\s is a blank."),
    /** A call that SIGKILL ends. */
    KILLED(Stage.NAMED, "capture|view", "SIGKILL ends it in the middle.");

    /** Which command it happens to. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Stage {
        /** {@code capture}, and a workload that is profiled inline. */
        CAPTURE,
        /** {@code view}. */
        VIEW,
        /** The one that the first argument names. */
        NAMED;

        /**
         * Returns its word.
         *
         * @return in lower case
         */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Stage stage;
    private final List<String> arguments;
    private final String happens;

    Effect(Stage stage, String arguments, String happens) {
        this.stage = stage;
        this.arguments = arguments.isEmpty() ? List.of() : List.of(arguments.split(" "));
        this.happens = happens;
    }

    /**
     * Returns its word.
     *
     * @return such as {@code run-noise}
     */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Returns how it is written.
     *
     * @return its word and the kinds of its arguments
     */
    public String usage() {
        return (word() + ' ' + String.join(" ", arguments)).strip();
    }

    /**
     * Returns what it does.
     *
     * @return a sentence
     */
    public String happens() {
        return happens;
    }

    /** Returns how many words come behind its own. */
    int argumentCount() {
        return arguments.size();
    }

    /**
     * Checks whether it happens to a command.
     *
     * @param words its arguments
     * @param at the command
     * @return true when it does
     */
    public boolean happensTo(List<String> words, Stage at) {
        return stage == at || stage == Stage.NAMED && words.get(0).equals(at.word());
    }

    /**
     * Refuses arguments that cannot be read.
     *
     * @param words its arguments
     * @throws IllegalArgumentException when one of them is not what it should be; the message says how it is written
     */
    public void check(List<String> words) {
        if (words.size() != arguments.size()) {
            throw new IllegalArgumentException(
                    word() + " takes " + arguments.size() + " words, not " + words.size() + "; usage: " + usage());
        }
        for (int i = 0; i < words.size(); i++) {
            if (!words.get(i).matches("[^\n |]+") || !fits(arguments.get(i), words.get(i))) {
                throw wrong(i, words.get(i));
            }
        }
    }

    /**
     * Refuses an argument.
     *
     * @param position of the argument, from 0
     * @param word what it is
     * @return to be thrown; the message says how the effect is written
     */
    public IllegalArgumentException wrong(int position, String word) {
        return new IllegalArgumentException(
                "\"" + word + "\" is no " + arguments.get(position) + " of " + word() + "; usage: " + usage());
    }

    private static boolean fits(String argument, String word) {
        try {
            return switch (argument) {
                case "FACTOR" -> Double.parseDouble(word) >= 0 && Double.parseDouble(word) < Double.POSITIVE_INFINITY;
                case "SEED" -> Long.parseLong(word) <= Long.MAX_VALUE;
                case "COUNT" -> Long.parseLong(word) >= 0;
                case "capture|view" -> word.matches(argument);
                // Which statuses there are is for the host to say.
                default -> true;
            };
        } catch (IllegalArgumentException wrong) {
            return false;
        }
    }

    /**
     * Finds an effect.
     *
     * @param word its word
     * @return the effect
     * @throws IllegalArgumentException when there is none; the message lists those that there are
     */
    public static Effect of(String word) {
        return Stream.of(values())
                .filter(effect -> effect.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nothing that the profiler can do is called \"" + word
                        + "\"; there are: "
                        + Stream.of(values()).map(Effect::usage).collect(Collectors.joining(", "))));
    }
}
