package dev.neurontest.fake.profiler.call;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;

/** What can be different about a call of the profiler: its word, and what comes behind the word. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Effect {
    /** Executions take so many times as long for the same work. */
    SLOWDOWN(Stage.CAPTURE, "Executions take so many times as long for the same work.", Argument.FACTOR),
    /** Captures differ by this coefficient of variation. */
    RUN_NOISE(Stage.CAPTURE, "Captures differ by this coefficient of variation.", Argument.FACTOR, Argument.SEED),
    /** The Tensor Engine is held back for this fraction of the time. */
    THROTTLE(Stage.CAPTURE, "The Tensor Engine is held back for this fraction of the time.", Argument.FACTOR),
    /** So many notifications are lost. */
    DROPPED(Stage.CAPTURE, "So many notifications are lost.", Argument.COUNT),
    /** Executions end with this status. */
    STATUS(Stage.CAPTURE, "Executions end with this status.", Argument.STATUS),
    /** The device has no memory for all tensors. */
    OUT_OF_MEMORY(Stage.CAPTURE, "The device has no memory for all tensors."),
    /** Loading fails, and the runtime dumps the environment. */
    DUMP_ENVIRONMENT(Stage.CAPTURE, "Loading fails, and the runtime dumps the environment."),
    /** The trace says that it is of another NEFF. */
    WRONG_UUID(Stage.CAPTURE, "The trace says that it is of another NEFF."),
    /** The trace is cut to so many bytes. */
    NTFF_BYTES(Stage.CAPTURE, "The trace is cut to so many bytes.", Argument.COUNT),
    /** No trace is written. */
    NO_TRACE(Stage.CAPTURE, "No trace is written."),
    /** A metric is printed with exactly this value. */
    METRIC(Stage.VIEW, "A metric is printed with exactly this value.", Argument.NAME, Argument.TEXT),
    /** So many instructions are in the full JSON and in the tables. */
    RECORDS(Stage.VIEW, "So many instructions are in the full JSON and in the tables.", Argument.COUNT),
    /** The profile has this warning, of a category. */
    WARNING(Stage.VIEW, "The profile has this warning; \\s is a blank.", Argument.NAME, Argument.TEXT),
    /** The tables have an error that the hardware reported. */
    HARDWARE_ERROR(Stage.VIEW, "The tables have this error of the hardware; \\s is a blank.", Argument.TEXT),
    /** Instructions of a layer or a source line take so many times as long. */
    SLOWER(
            Stage.VIEW,
            "Instructions of a layer or source line take so many times as long.",
            Argument.NAME,
            Argument.FACTOR),
    /** A layer or source line spills so many bytes more. */
    SPILL(Stage.VIEW, "A layer or source line spills so many bytes more.", Argument.NAME, Argument.COUNT),
    /** The tables say that their schema has this version. */
    SCHEMA(Stage.VIEW, "The tables say that their schema has this version.", Argument.TEXT),
    /** A column has another name. */
    RENAMED(Stage.VIEW, "A column, named as Table.column, has another name.", Argument.NAME, Argument.NAME),
    /** The file of a table is cut to so many bytes. */
    TABLE_BYTES(Stage.VIEW, "The file of a table is cut to so many bytes.", Argument.NAME, Argument.COUNT),
    /** A table is not written. */
    NO_TABLE(Stage.VIEW, "A table is not written.", Argument.NAME),
    /** An output format is refused. */
    NO_FORMAT(Stage.VIEW, "This output format is refused.", Argument.NAME),
    /** What is logged comes on standard output. */
    LOG_ON_STDOUT(Stage.VIEW, "What is logged comes on standard output."),
    /** It serves when it has finished, whatever the format is. */
    SERVE(Stage.VIEW, "It serves when it has finished, whatever the format is."),
    /** It never comes to an end. */
    HANG(Stage.NAMED, "It never comes to an end.", Argument.STAGE),
    /** SIGTERM does not end it. */
    IGNORE_TERM(Stage.NAMED, "SIGTERM does not end it.", Argument.STAGE),
    /** It prints what is no UTF-8, on both. */
    NOT_UTF8(Stage.NAMED, "It prints what is no UTF-8, on both.", Argument.STAGE),
    /** It logs this line. */
    LOG(Stage.NAMED, "It logs this line; \\s is a blank.", Argument.STAGE, Argument.TEXT),
    /** SIGKILL ends it in the middle. */
    KILLED(Stage.NAMED, "SIGKILL ends it in the middle.", Argument.STAGE),
    /** There is no space left for half of what it writes. */
    DISK_FULL(Stage.NAMED, "There is no space left for half of what it writes.", Argument.STAGE);

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
         * Its word.
         *
         * @return in lower case
         */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private enum Argument {
        NAME,
        TEXT,
        FACTOR,
        SEED,
        COUNT,
        STATUS,
        STAGE
    }

    private final Stage stage;
    private final String happens;
    private final Argument[] arguments;

    Effect(Stage stage, String happens, Argument... arguments) {
        this.stage = stage;
        this.happens = happens;
        this.arguments = arguments;
    }

    /**
     * Its word.
     *
     * @return such as {@code run-noise}
     */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * How it is written.
     *
     * @return its word and the kinds of its arguments
     */
    public String usage() {
        StringBuilder usage = new StringBuilder(word());
        for (Argument each : arguments) {
            usage.append(' ').append(each == Argument.STAGE ? "capture|view" : each.name());
        }
        return usage.toString();
    }

    /**
     * What it does.
     *
     * @return a sentence
     */
    public String happens() {
        return happens;
    }

    /** How many words come behind its own. */
    int argumentCount() {
        return arguments.length;
    }

    /**
     * Whether it happens to a command.
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
        if (words.size() != arguments.length) {
            throw new IllegalArgumentException(
                    word() + " takes " + arguments.length + " words, not " + words.size() + "; usage: " + usage());
        }
        for (int i = 0; i < arguments.length; i++) {
            String word = words.get(i);
            if (word.isEmpty()
                    || word.indexOf('\n') >= 0
                    || word.indexOf(' ') >= 0
                    || word.indexOf('|') >= 0
                    || !fits(arguments[i], word)) {
                throw wrong(i, word);
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
                "\"" + word + "\" is no " + arguments[position] + " of " + word() + "; usage: " + usage());
    }

    private static boolean fits(Argument argument, String word) {
        try {
            return switch (argument) {
                // Which statuses there are is for the host to say.
                case NAME, TEXT, STATUS -> true;
                case FACTOR -> Double.parseDouble(word) >= 0 && Double.parseDouble(word) < Double.POSITIVE_INFINITY;
                case SEED -> Long.parseLong(word) <= Long.MAX_VALUE;
                case COUNT -> Long.parseLong(word) >= 0;
                case STAGE -> word.equals(Stage.CAPTURE.word()) || word.equals(Stage.VIEW.word());
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
        List<String> usages = new ArrayList<>();
        for (Effect effect : values()) {
            if (effect.word().equals(word)) {
                return effect;
            }
            usages.add(effect.usage());
        }
        throw new IllegalArgumentException(
                "nothing that the profiler can do is called \"" + word + "\"; there are: " + String.join(", ", usages));
    }
}
