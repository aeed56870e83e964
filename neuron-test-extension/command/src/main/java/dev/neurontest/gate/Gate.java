package dev.neurontest.gate;

import dev.neurontest.configuration.ConfiguredValue;
import dev.neurontest.configuration.Setting;
import dev.neurontest.configuration.Settings;
import dev.neurontest.text.DurationText;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import org.apiguardian.api.API;

/** What can be limited in a run. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Gate {
    /** How many different tests ran on hardware, which is the only one that wants enough of something. */
    HARDWARE(
            Setting.GATE_HARDWARE,
            "test on hardware",
            "tests on hardware",
            "Run neuron-test doctor on the host that should have run them, and neuron.test.platform=real to fail there at once."),
    /** How many executions of tests failed, also those that passed later. */
    FAILED(Setting.GATE_FAILED, "failed test", "failed tests", "Mend them; the report tells why each failed."),
    /** How many tests were lost with their JVM. */
    LOST(
            Setting.GATE_LOST,
            "lost test",
            "lost tests",
            "Look for what ended their JVM: the kernel's log after running out of memory, the CI server's limits, System.exit."),
    /** How many tests were skipped or aborted. */
    SKIPPED(
            Setting.GATE_SKIPPED,
            "skipped or aborted test",
            "skipped or aborted tests",
            "Provide what they missed, or exclude them from this run by their tag."),
    /** How many demands were left undecided, whatever became of their tests; not those that compare with a baseline. */
    UNDECIDED(
            Setting.GATE_UNDECIDED,
            "undecided demand",
            "undecided demands",
            "The report tells what could not be seen, and what would decide it."),
    /** How many comparisons with baselines were left undecided; noise is no fault. */
    UNDECIDED_COMPARISONS(
            Setting.GATE_UNDECIDED_COMPARISONS,
            "undecided comparison",
            "undecided comparisons",
            "The report tells what would decide it: more runs, or a quieter host."),
    /** How many cores went into quarantine, also those that came back unless they were only suspect. */
    QUARANTINED(
            Setting.GATE_QUARANTINED,
            "quarantined core",
            "quarantined cores",
            "Run neuron-test doctor on the host: it tells who holds a core and how it gets well."),
    /** How often error counters moved that no test answers for. */
    ERRORS(
            Setting.GATE_ERRORS,
            "unexplained error",
            "unexplained errors",
            "The devices are suspect, or another process used them: look at dmesg of the host, and replace it if they rise again."),
    /** How many comparisons came out worse than the baseline. */
    REGRESSIONS(
            Setting.GATE_REGRESSIONS,
            "regression",
            "regressions",
            "Find what made it worse, or accept it by the command that the report names with the comparison."),
    /** How many comparisons had no baseline. */
    WITHOUT_BASELINE(
            Setting.GATE_WITHOUT_BASELINE,
            "comparison without a baseline",
            "comparisons without a baseline",
            "Review what was proposed with neuron-test baseline diff, and accept it with neuron-test baseline approve."),
    /** How long the tests waited for cores, all together. */
    WAITING;

    /** What the names of all settings of gates begin with. */
    static final String PREFIX = "neuron.test.gate.";

    private final Setting<?> setting;
    private final Function<String, OptionalLong> reader;
    private final String one;
    private final String many;
    private final String advice;

    Gate(Setting<OptionalInt> setting, String one, String many, String advice) {
        this.setting = setting;
        this.reader = text -> {
            OptionalInt number = setting.read(text);
            return number.isPresent() ? OptionalLong.of(number.getAsInt()) : OptionalLong.empty();
        };
        this.one = one;
        this.many = many;
        this.advice = advice;
    }

    Gate() {
        this.setting = Setting.GATE_WAITING;
        this.reader = text -> {
            Optional<Duration> time = Setting.GATE_WAITING.read(text);
            return time.isPresent() ? OptionalLong.of(time.get().toNanos()) : OptionalLong.empty();
        };
        this.one = "waiting for cores";
        this.many = one;
        this.advice = "Run fewer forks at a time than there are cores for, or let tests ask for fewer cores.";
    }

    /**
     * Its name in a file of gates and in outcomes.
     *
     * @return such as {@code hardware.min}
     */
    public String key() {
        return setting.name().substring(PREFIX.length());
    }

    static List<String> keys() {
        return Arrays.stream(values()).map(Gate::key).toList();
    }

    static Optional<Gate> of(String key) {
        return Arrays.stream(values()).filter(gate -> gate.key().equals(key)).findFirst();
    }

    /** What is accepted by the settings. */
    GateLimit limit(Settings settings) {
        ConfiguredValue<?> configured = settings.get(setting);
        return new GateLimit(reader.apply(configured.text()), configured.text(), configured.source());
    }

    /**
     * What is accepted by a text.
     *
     * @throws IllegalArgumentException saying what is wrong with it
     */
    GateLimit limit(String text, String source) {
        return new GateLimit(reader.apply(text), text, source);
    }

    String accepts() {
        return setting.expected();
    }

    boolean lets(long measured, long limit) {
        return this == HARDWARE ? measured >= limit : measured <= limit;
    }

    /** The limit in words, such as {@code at most 3 failed tests}. */
    String expected(long limit) {
        if (this == HARDWARE) {
            return "at least " + count(limit);
        }
        return limit == 0 ? count(0) : "at most " + count(limit);
    }

    /** A number in words, such as {@code no failed test} or {@code 4 min 3 s of waiting for cores}. */
    String count(long number) {
        if (number == 0) {
            return "no " + one;
        }
        if (this == WAITING) {
            return DurationText.of(Duration.ofNanos(number)) + " of " + one;
        }
        return number + " " + (number == 1 ? one : many);
    }

    String advice() {
        return advice;
    }
}
