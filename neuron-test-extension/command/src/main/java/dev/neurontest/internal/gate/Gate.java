package dev.neurontest.internal.gate;

import dev.neurontest.internal.text.DurationText;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/** The quantities of a run that can be limited. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum Gate {
    /** Number of different tests that ran on hardware. It is the only gate with a minimum. */
    HARDWARE(
            "hardware.min",
            "0",
            "test on hardware",
            "tests on hardware",
            "Run neuron-test doctor on the host that should have run them. Set neuron.test.platform=real to fail there at once."),
    /** Number of tests with a failed last attempt, and of failed classes without a failed test or with a violation of their own. */
    FAILED("failed.max", "0", "failed test", "failed tests", "Fix them; the report shows why each failed."),
    /** Number of tests that passed only after a failed attempt. */
    FLAKY(
            "flaky.max",
            "0",
            "flaky test",
            "flaky tests",
            "Find out why the first attempts failed: the test, or the host. Set flaky.max to the number that you accept."),
    /** Number of tests lost with their JVM; a retry that was lost counts too. */
    LOST(
            "lost.max",
            "0",
            "lost test",
            "lost tests",
            "Find out what ended their JVM: lack of memory (in the kernel's log), a limit of the CI server, or System.exit."),
    /** Number of skipped or aborted tests. */
    SKIPPED(
            "skipped.max",
            "any",
            "skipped or aborted test",
            "skipped or aborted tests",
            "Provide what they require, or exclude them from this run by their tag."),
    /** Number of undecided expectations, regardless of the outcome of their tests. Comparisons with a baseline are not included. */
    UNDECIDED(
            "undecided.max",
            "0",
            "undecided expectation",
            "undecided expectations",
            "The report shows what could not be observed, and what would decide it."),
    /** Number of expectations that do not apply, such as those on counters in a test with simulated kernels only. */
    NOT_APPLICABLE(
            "not-applicable.max",
            "any",
            "expectation that is not applicable",
            "expectations that are not applicable",
            "Run these tests on the device too, or remove the expectations from tests of simulated kernels."),
    /** Number of undecided comparisons with baselines. By default there is no limit, because noise is not a fault. */
    UNDECIDED_COMPARISONS(
            "undecided-comparisons.max",
            "any",
            "undecided comparison",
            "undecided comparisons",
            "The report shows what would decide it: more runs, or a quieter host."),
    /** Number of quarantined cores. A core that was released again is included, unless it was only suspect. */
    QUARANTINED(
            "quarantined.max",
            "0",
            "quarantined core",
            "quarantined cores",
            "Run neuron-test doctor on the host: it shows who holds a core and how to free it."),
    /** Number of error counter changes that no test explains. */
    ERRORS(
            "errors.max",
            "0",
            "unexplained error",
            "unexplained errors",
            "The devices are suspect, or another process used them: check dmesg of the host, and replace the host if the errors rise again."),
    /** Number of comparisons with a result worse than the baseline. */
    REGRESSIONS(
            "regressions.max",
            "0",
            "regression",
            "regressions",
            "Find out what made it worse, or accept it with the command that the report shows for the comparison."),
    /** Number of comparisons without a baseline. */
    WITHOUT_BASELINE(
            "without-baseline.max",
            "any",
            "comparison without a baseline",
            "comparisons without a baseline",
            "Review the proposals with neuron-test baseline diff, and accept them with neuron-test baseline approve --note 'why'."),
    /** Total time for which the tests waited for cores. */
    WAITING(
            "waiting.max",
            "any",
            "waiting for cores",
            "waiting for cores",
            "Run only as many forks at a time as there are cores for, or change tests to request fewer cores.");

    private static final String ANY = "any";

    private final String key;
    private final String byDefault;
    private final String singular;
    private final String many;
    private final String advice;

    Gate(String key, String byDefault, String singular, String many, String advice) {
        this.key = key;
        this.byDefault = byDefault;
        this.singular = singular;
        this.many = many;
        this.advice = advice;
    }

    /** Returns the name in a gate file and in outcomes, such as {@code hardware.min}. */
    public String key() {
        return key;
    }

    static List<String> keys() {
        return Arrays.stream(values()).map(Gate::key).toList();
    }

    static Optional<Gate> of(String key) {
        return Arrays.stream(values()).filter(gate -> gate.key().equals(key)).findFirst();
    }

    GateLimit defaultLimit() {
        return limit(byDefault, "default");
    }

    /**
     * Parses a limit.
     *
     * @throws IllegalArgumentException when it is wrong; the message is the reason
     */
    GateLimit limit(String text, String source) {
        return new GateLimit(text.equals(ANY) ? OptionalLong.empty() : OptionalLong.of(number(text)), text, source);
    }

    private long number(String text) {
        if (this == WAITING) {
            return DurationText.parse(text).toNanos();
        }
        int number;
        try {
            number = Integer.parseInt(text);
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException("it is not a number", none);
        }
        if (number < 0) {
            throw new IllegalArgumentException("it is negative");
        }
        return number;
    }

    String accepts() {
        return (this == WAITING ? DurationText.EXPECTED : "a number") + ", or " + ANY;
    }

    boolean lets(long measured, long limit) {
        return this == HARDWARE ? measured >= limit : measured <= limit;
    }

    /** Returns the limit in words, such as {@code at most 3 failed tests}. */
    String expected(long limit) {
        if (this == HARDWARE) {
            return "at least " + count(limit);
        }
        return limit == 0 ? count(0) : "at most " + count(limit);
    }

    /** Returns a number in words, such as {@code no failed test} or {@code 4 min 3 s of waiting for cores}. */
    String count(long number) {
        if (number == 0) {
            return "no " + singular;
        }
        if (this == WAITING) {
            return DurationText.of(Duration.ofNanos(number)) + " of " + singular;
        }
        return number + " " + (number == 1 ? singular : many);
    }

    String advice() {
        return advice;
    }
}
