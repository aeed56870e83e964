package dev.neurontest.internal.participant;

import dev.neurontest.internal.configuration.UndecidedPolicy;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.MultipleFailuresError;
import org.opentest4j.TestAbortedException;

/**
 * The findings of one participant in a test.
 *
 * @param leniency the handling of undecided results
 * @param error creates the failure of the test
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Verdict(Judgement judgement, UndecidedHandling leniency, Supplier<AssertionFailedError> error) {

    /** Returns the findings of all verdicts. */
    static Judgement all(List<Verdict> verdicts) {
        List<Judgement> judgements = new ArrayList<>();
        for (Verdict verdict : verdicts) {
            judgements.add(verdict.judgement);
        }
        return Judgement.of(judgements);
    }

    /**
     * Throws an exception if the verdicts fail or abort the test; it contains all failures.
     *
     * @throws AssertionError with all violations
     * @throws TestAbortedException if a result is undecided and the settings abort the test for that
     */
    public static void enforce(List<Verdict> verdicts) {
        enforce(verdicts, "");
    }

    /**
     * Throws an exception if the verdicts fail or abort the test, with an additional text.
     *
     * @param besides a sentence to add to the failure; empty for none
     */
    public static void enforce(List<Verdict> verdicts, String besides) {
        List<AssertionFailedError> errors = new ArrayList<>();
        for (Verdict verdict : verdicts) {
            if (verdict.fails()) {
                errors.add(verdict.error.get());
            }
        }
        if (errors.size() == 1) {
            throw besides.isEmpty() ? errors.get(0) : with(errors.get(0), besides);
        }
        if (!errors.isEmpty()) {
            throw new MultipleFailuresError(
                    firstLine(errors.get(0)) + (besides.isEmpty() ? "" : ". " + besides), errors);
        }
        List<String> messages = new ArrayList<>();
        for (Verdict verdict : verdicts) {
            if (verdict.aborts()) {
                messages.add(verdict.error.get().getMessage());
            }
        }
        String aborting = String.join("\n", messages);
        if (!aborting.isEmpty()) {
            throw new TestAbortedException(aborting + "\n" + whyAborted(verdicts));
        }
    }

    /**
     * Throws an exception for violations only; undecided results stay in the run file.
     *
     * @throws AssertionError with all violations
     */
    public static void enforceViolations(List<Verdict> verdicts) {
        List<Verdict> violated = new ArrayList<>();
        for (Verdict verdict : verdicts) {
            if (!verdict.judgement.violations().isEmpty()) {
                violated.add(verdict);
            }
        }
        enforce(violated);
    }

    /** Returns which settings abort the test. */
    public static String whyAborted(List<Verdict> verdicts) {
        return verdicts.stream()
                .filter(Verdict::aborts)
                .map(verdict -> verdict.leniency.why())
                .distinct()
                .collect(Collectors.joining(" "));
    }

    private static String firstLine(AssertionFailedError error) {
        return String.valueOf(error.getMessage()).lines().findFirst().orElse("");
    }

    private static AssertionFailedError with(AssertionFailedError error, String besides) {
        String message = error.getMessage() + "\n" + besides + "\n";
        return error.isExpectedDefined()
                ? new AssertionFailedError(message, error.getExpected(), error.getActual())
                : new AssertionFailedError(message);
    }

    private boolean fails() {
        return !judgement.violations().isEmpty() || leavesOpen() && leniency.policy() == UndecidedPolicy.FAIL;
    }

    private boolean aborts() {
        return leavesOpen() && leniency.policy() == UndecidedPolicy.ABORT;
    }

    private boolean leavesOpen() {
        return !judgement.undecided().isEmpty();
    }

    /** Returns the undecided results in one line. */
    public static String undecided(Judgement judgement) {
        return judgement.undecided().stream().map(Verdict::inWords).collect(Collectors.joining(" "));
    }

    private static String inWords(Undecided undecided) {
        return undecided.rule() + " is undecided: " + undecided.reason();
    }
}
