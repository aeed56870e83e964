package dev.neurontest.fake.internal.profiler.call;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** A scripted effect on a call of the profiler: a keyword and its arguments. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Effect {
    /** Slower executions. */
    SLOWDOWN(Stage.CAPTURE, "FACTOR", "Executions of the same work take longer by this factor."),
    /** Noise between captures. */
    RUN_NOISE(Stage.CAPTURE, "FACTOR SEED", "Captures differ by this coefficient of variation."),
    /** Throttling of the Tensor Engine. */
    THROTTLE(Stage.CAPTURE, "FACTOR", "The Tensor Engine is throttled for this fraction of the time."),
    /** Lost notifications. */
    DROPPED(Stage.CAPTURE, "COUNT", "This number of notifications is lost."),
    /** A status that executions end with. */
    STATUS(Stage.CAPTURE, "STATUS", "Executions end with this status."),
    /** A trace with the UUID of another NEFF. */
    WRONG_UUID(Stage.CAPTURE, "", "The trace contains the UUID of another NEFF."),
    /** A truncated trace. */
    NTFF_BYTES(Stage.CAPTURE, "COUNT", "The trace is cut to this number of bytes."),
    /** A missing trace. */
    NO_TRACE(Stage.CAPTURE, "", "No trace is written."),
    /** A fixed text for a metric. */
    METRIC(Stage.VIEW, "NAME TEXT", "A metric is printed with exactly this value."),
    /** A fixed number of instructions. */
    RECORDS(Stage.VIEW, "COUNT", "The full JSON and the tables contain this number of instructions."),
    /** A warning in the profile. */
    WARNING(Stage.VIEW, "NAME TEXT", "The profile contains this warning; \\s is a blank."),
    /** A hardware error in the tables. */
    HARDWARE_ERROR(Stage.VIEW, "TEXT", "The tables contain this error of the hardware; \\s is a blank."),
    /** A slower layer or source line. */
    SLOWER(Stage.VIEW, "NAME FACTOR", "Instructions of a layer or source line take longer by this factor."),
    /** A layer or source line that spills more. */
    SPILL(Stage.VIEW, "NAME COUNT", "A layer or source line spills this number of bytes more."),
    /** A fixed version of the schema. */
    SCHEMA(Stage.VIEW, "TEXT", "The tables contain this version of their schema."),
    /** A renamed column. */
    RENAMED(Stage.VIEW, "NAME NAME", "A column, named as Table.column, has another name."),
    /** A table in several files. */
    SPLIT(
            Stage.VIEW,
            "NAME ROWS",
            "A table with more than this number of rows is split into files of at most as many."),
    /** A truncated table file. */
    TABLE_BYTES(Stage.VIEW, "NAME COUNT", "The file of a table is cut to this number of bytes."),
    /** A missing table. */
    NO_TABLE(Stage.VIEW, "NAME", "A table is not written."),
    /** A rejected output format. */
    NO_FORMAT(Stage.VIEW, "NAME", "This output format is refused."),
    /** A required name of a profile. */
    NAME_REQUIRED(Stage.VIEW, "", "A folder or store without --display-name is refused."),
    /** A call that never ends. */
    HANG(Stage.NAMED, "capture|view", "It never ends."),
    /** An additional line of the log. */
    LOG(Stage.NAMED, "capture|view TEXT", "It logs this line; \\s is a blank."),
    /** A call that SIGKILL ends. */
    KILLED(Stage.NAMED, "capture|view", "SIGKILL ends it before it is finished.");

    /** The command on which the effect acts. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Stage {
        /** The command {@code capture}, or a workload that is profiled inline. */
        CAPTURE,
        /** The command {@code view}. */
        VIEW,
        /** The command that the first argument names. */
        NAMED;

        /** Returns the keyword in lower case. */
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
     * Returns the keyword.
     *
     * @return a word such as {@code run-noise}
     */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the keyword and the kinds of its arguments. */
    public String usage() {
        return (word() + ' ' + String.join(" ", arguments)).strip();
    }

    /** Returns a sentence that describes the effect. */
    public String happens() {
        return happens;
    }

    /** Returns the number of arguments. */
    int argumentCount() {
        return arguments.size();
    }

    /**
     * Checks whether the effect acts on a command.
     *
     * @param words arguments of the effect
     * @param at the command
     */
    public boolean happensTo(List<String> words, Stage at) {
        return stage == at || stage == Stage.NAMED && words.get(0).equals(at.word());
    }

    /**
     * Checks the arguments of the effect.
     *
     * @param words arguments of the effect
     * @throws IllegalArgumentException if an argument is invalid; the message contains the usage
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
     * Creates the exception for an invalid argument.
     *
     * @param position index of the argument, from 0
     * @param word the invalid argument
     * @return an exception with the usage in its message
     */
    public IllegalArgumentException wrong(int position, String word) {
        return new IllegalArgumentException(
                "\"" + word + "\" is not a valid " + arguments.get(position) + " of " + word() + "; usage: " + usage());
    }

    private static boolean fits(String argument, String word) {
        try {
            return switch (argument) {
                case "FACTOR" -> Double.parseDouble(word) >= 0 && Double.parseDouble(word) < Double.POSITIVE_INFINITY;
                case "SEED" -> Long.parseLong(word) <= Long.MAX_VALUE;
                case "COUNT" -> Long.parseLong(word) >= 0;
                case "ROWS" -> Long.parseLong(word) >= 1;
                case "capture|view" -> word.matches(argument);
                // The host checks whether a status exists.
                default -> true;
            };
        } catch (IllegalArgumentException wrong) {
            return false;
        }
    }

    /**
     * Finds an effect by its keyword.
     *
     * @throws IllegalArgumentException if there is none; the message lists all effects
     */
    public static Effect of(String word) {
        return Stream.of(values())
                .filter(effect -> effect.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no profiler script \"" + word
                        + "\"; there are: "
                        + Stream.of(values()).map(Effect::usage).collect(Collectors.joining(", "))));
    }
}
