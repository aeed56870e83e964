package dev.neurontest.fake;

import dev.neurontest.fake.profiler.call.Effect;
import dev.neurontest.fake.profiler.call.Script;
import java.util.List;
import org.apiguardian.api.API;

/**
 * One thing that calls of the profiler find different. It happens to all calls and workers unless {@link #times(int)} and
 * {@link #rank(int)} say otherwise. Of two that contradict each other the later one counts.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ProfilerScript {

    private final Script script;

    /** Which subcommand something happens to. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Call {
        /** {@code capture}. */
        CAPTURE(Effect.Stage.CAPTURE),
        /** {@code view}. */
        VIEW(Effect.Stage.VIEW);

        private final Effect.Stage stage;

        Call(Effect.Stage stage) {
            this.stage = stage;
        }
    }

    private ProfilerScript(Script script) {
        if (script.effect() == Effect.STATUS && !isFailure(script.arguments().get(0))) {
            throw Effect.STATUS.wrong(0, script.arguments().get(0));
        }
        this.script = script;
    }

    private static boolean isFailure(String status) {
        try {
            return NrtStatus.of(status) != NrtStatus.NRT_SUCCESS;
        } catch (IllegalArgumentException unknown) {
            return false;
        }
    }

    private static ProfilerScript of(Effect effect, Object... arguments) {
        return new ProfilerScript(new Script(
                effect, List.of(arguments).stream().map(String::valueOf).toList(), 0, -1));
    }

    /**
     * Reads a script.
     *
     * @param words as a control command has them, such as {@code throttle 0.4 times 2}
     * @return the script
     * @throws IllegalArgumentException when there is no such script; the message says what there is
     */
    public static ProfilerScript parse(String words) {
        return new ProfilerScript(Script.parse(List.of(words.strip().split("\\s+"))));
    }

    /**
     * Executions take longer or shorter for the same work.
     *
     * @param factor more than 0; 1.04 for 4 % slower
     * @return the script
     */
    public static ProfilerScript slowdown(double factor) {
        return of(Effect.SLOWDOWN, factor);
    }

    /**
     * Captures differ from each other.
     *
     * @param coefficientOfVariation standard deviation over mean, such as 0.01
     * @param seed the same seed gives the same times for the same calls
     * @return the script
     */
    public static ProfilerScript runNoise(double coefficientOfVariation, long seed) {
        return of(Effect.RUN_NOISE, coefficientOfVariation, seed);
    }

    /**
     * The Tensor Engine is held back, which the summary says and the time shows.
     *
     * @param fraction of the time, from 0 to 1
     * @return the script
     */
    public static ProfilerScript throttle(double fraction) {
        return of(Effect.THROTTLE, fraction);
    }

    /**
     * Notifications are lost, which {@code view} warns of.
     *
     * @param notifications how many
     * @return the script
     */
    public static ProfilerScript dropped(long notifications) {
        return of(Effect.DROPPED, notifications);
    }

    /**
     * Executions end with a status. After {@link NrtStatus#NRT_EXEC_COMPLETED_WITH_NUM_ERR} the trace is complete and the exit code
     * is not 0; after another there is no trace; with {@code --ignore-exec-errors} there is one and the exit code is 0.
     *
     * @param status the status
     * @return the script
     */
    public static ProfilerScript status(NrtStatus status) {
        return of(Effect.STATUS, status.name());
    }

    /**
     * The device has no memory for all tensors, but enough with {@code --single-io}.
     *
     * @return the script
     */
    public static ProfilerScript outOfMemory() {
        return of(Effect.OUT_OF_MEMORY);
    }

    /**
     * Loading fails, and the runtime logs its state with all environment variables.
     *
     * @return the script
     */
    public static ProfilerScript dumpEnvironment() {
        return of(Effect.DUMP_ENVIRONMENT);
    }

    /**
     * The trace says that it is of another NEFF.
     *
     * @return the script
     */
    public static ProfilerScript wrongUuid() {
        return of(Effect.WRONG_UUID);
    }

    /**
     * The trace is cut.
     *
     * @param bytes how many are left, from 0
     * @return the script
     */
    public static ProfilerScript ntffBytes(long bytes) {
        return of(Effect.NTFF_BYTES, bytes);
    }

    /**
     * Writes no trace, although the executions succeed.
     *
     * @return the script
     */
    public static ProfilerScript noTrace() {
        return of(Effect.NO_TRACE);
    }

    /**
     * A metric is printed with exactly this value, also one that there is not otherwise. No other metric follows it.
     *
     * @param name its name
     * @param value as it stands in the JSON: {@code 42}, {@code NaN}, {@code -1} or {@code "text"}, without blanks
     * @return the script
     */
    public static ProfilerScript metric(String name, String value) {
        return of(Effect.METRIC, name, value);
    }

    /**
     * How many instructions the full JSON and the tables have, and a fourth as many DMA packets; in JSON about 1.8 million make a
     * gigabyte.
     *
     * @param instructions how many
     * @return the script
     */
    public static ProfilerScript records(long instructions) {
        return of(Effect.RECORDS, instructions);
    }

    /**
     * The profile has a warning, in the JSON and in the table {@code Warning}.
     *
     * @param category such as {@code Missing Data}
     * @param message what is wrong
     * @return the script
     */
    public static ProfilerScript warning(String category, String message) {
        return of(Effect.WARNING, Script.word(category), Script.word(message));
    }

    /**
     * The hardware reports an error, which only the table {@code Error} has.
     *
     * @param description what is wrong
     * @return the script
     */
    public static ProfilerScript hardwareError(String description) {
        return of(Effect.HARDWARE_ERROR, Script.word(description));
    }

    /**
     * Instructions of one layer or source line take longer or shorter. The summary does not follow.
     *
     * @param layerOrLine such as {@code layer3} or {@code attention.py:120}
     * @param factor 1.5 for 50 % slower
     * @return the script
     */
    public static ProfilerScript slower(String layerOrLine, double factor) {
        return of(Effect.SLOWER, layerOrLine, factor);
    }

    /**
     * One layer or source line spills more: so much is saved, and as much is loaded again. The table {@code Instruction} says it of its
     * first instruction, and the metrics have it in their sums.
     *
     * @param layerOrLine such as {@code layer3} or {@code attention.py:120}
     * @param bytes how much more
     * @return the script
     */
    public static ProfilerScript spill(String layerOrLine, long bytes) {
        return of(Effect.SPILL, layerOrLine, bytes);
    }

    /**
     * The tables say that their schema has a version; their columns stay.
     *
     * @param version such as {@code 13.0.0}
     * @return the script
     */
    public static ProfilerScript schema(String version) {
        return of(Effect.SCHEMA, version);
    }

    /**
     * A column of a table has another name.
     *
     * @param table its name
     * @param column the name in the schema
     * @param name the name in the file
     * @return the script
     */
    public static ProfilerScript renamed(String table, String column, String name) {
        return of(Effect.RENAMED, table + "." + column, name);
    }

    /**
     * The file of a table ends too early.
     *
     * @param table its name
     * @param bytes how many are written
     * @return the script
     */
    public static ProfilerScript tableBytes(String table, long bytes) {
        return of(Effect.TABLE_BYTES, table, bytes);
    }

    /**
     * A table is not written.
     *
     * @param table its name
     * @return the script
     */
    public static ProfilerScript noTable(String table) {
        return of(Effect.NO_TABLE, table);
    }

    /**
     * An output format is refused, as by a later tool.
     *
     * @param format such as {@code summary-json}
     * @return the script
     */
    public static ProfilerScript noFormat(String format) {
        return of(Effect.NO_FORMAT, format);
    }

    /**
     * What {@code view} logs comes on standard output, before the JSON.
     *
     * @return the script
     */
    public static ProfilerScript logOnStdout() {
        return of(Effect.LOG_ON_STDOUT);
    }

    /**
     * When {@code view} has finished it serves and never ends, whatever the format is.
     *
     * @return the script
     */
    public static ProfilerScript serve() {
        return of(Effect.SERVE);
    }

    /**
     * It never ends: {@code capture} while it has the cores, {@code view} before it prints anything but its log.
     *
     * @param call which
     * @return the script
     */
    public static ProfilerScript hang(Call call) {
        return of(Effect.HANG, call.stage.word());
    }

    /**
     * SIGTERM does not end it.
     *
     * @param call which
     * @return the script
     */
    public static ProfilerScript ignoreTerm(Call call) {
        return of(Effect.IGNORE_TERM, call.stage.word());
    }

    /**
     * It prints what is no UTF-8, on standard output and standard error, before anything else.
     *
     * @param call which
     * @return the script
     */
    public static ProfilerScript notUtf8(Call call) {
        return of(Effect.NOT_UTF8, call.stage.word());
    }

    /**
     * Logs a line on standard error, before anything else.
     *
     * @param call which
     * @param line such as {@code ERRO[0003] Failed to parse 12 notifications}
     * @return the script
     */
    public static ProfilerScript log(Call call, String line) {
        return of(Effect.LOG, call.stage.word(), Script.word(line));
    }

    /**
     * SIGKILL ends it in the middle, before it writes anything.
     *
     * @param call which
     * @return the script
     */
    public static ProfilerScript killed(Call call) {
        return of(Effect.KILLED, call.stage.word());
    }

    /**
     * There is space for half of what it writes.
     *
     * @param call which
     * @return the script
     */
    public static ProfilerScript diskFull(Call call) {
        return of(Effect.DISK_FULL, call.stage.word());
    }

    /**
     * The same for some calls only.
     *
     * @param calls how many of the next calls to which it can happen
     * @return another script
     * @throws IllegalArgumentException when it is less than 1
     */
    public ProfilerScript times(int calls) {
        if (calls < 1) {
            throw new IllegalArgumentException("a script for " + calls + " calls would never be seen");
        }
        return new ProfilerScript(new Script(script.effect(), script.arguments(), calls, script.rank()));
    }

    /**
     * The same for one worker only, where workers can differ: in their times, their traces and their metrics.
     *
     * @param rank from 0
     * @return another script
     */
    public ProfilerScript rank(int rank) {
        return new ProfilerScript(new Script(script.effect(), script.arguments(), script.times(), rank));
    }

    Script script() {
        return script;
    }

    /** As a control command has it. */
    @Override
    public String toString() {
        return script.toString();
    }
}
