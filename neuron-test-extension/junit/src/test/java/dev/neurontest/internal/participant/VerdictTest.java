package dev.neurontest.internal.participant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.internal.configuration.UndecidedPolicy;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.MultipleFailuresError;
import org.opentest4j.TestAbortedException;

class VerdictTest {

    private static final Judgement VIOLATED =
            new Judgement(List.of(new Violation("a rule", "it", "this", "that", "mend it")), List.of(), List.of());
    private static final Judgement LEFT_OPEN =
            new Judgement(List.of(), List.of(new Undecided("a rule", "it", "it was not seen")), List.of());

    private static Verdict verdict(String participant, Judgement judgement, UndecidedPolicy policy) {
        return new Verdict(
                judgement, leniency(policy), () -> new AssertionFailedError(participant + " is wrong", "this", "that"));
    }

    private static UndecidedHandling leniency(UndecidedPolicy policy) {
        return new UndecidedHandling(policy, "neuron.test.undecided has counters=abort (default)");
    }

    @Test
    void passesWhereNothingIsFound() {
        // when, then
        assertThatCode(() -> Verdict.enforce(List.of(verdict("counters", Judgement.NOTHING, UndecidedPolicy.FAIL))))
                .doesNotThrowAnyException();
    }

    @Test
    void failsWithErrorOfOnlyParticipant() {
        // given
        List<Verdict> verdicts = List.of(
                verdict("counters", Judgement.NOTHING, UndecidedPolicy.FAIL),
                verdict("profile", VIOLATED, UndecidedPolicy.FAIL));

        // when, then
        assertThatExceptionOfType(AssertionFailedError.class)
                .isThrownBy(() -> Verdict.enforce(verdicts))
                .withMessage("profile is wrong")
                .satisfies(error -> assertThat(error.isExpectedDefined()).isTrue());
    }

    @Test
    void reportsFailuresOfSeveralParticipantsTogether() {
        // given
        List<Verdict> verdicts = List.of(
                verdict("counters", VIOLATED, UndecidedPolicy.FAIL),
                verdict("profile", LEFT_OPEN, UndecidedPolicy.FAIL));

        // when, then
        assertThatExceptionOfType(MultipleFailuresError.class)
                .isThrownBy(() -> Verdict.enforce(verdicts))
                .withMessageStartingWith("counters is wrong (2 failures)")
                .withMessageContaining("profile is wrong");
    }

    @Test
    void addsNoteToTheOnlyFailure() {
        // given
        Verdict profile = verdict("profile", VIOLATED, UndecidedPolicy.FAIL);
        Verdict leak = new Verdict(
                VIOLATED, leniency(UndecidedPolicy.FAIL), () -> new AssertionFailedError("left open:\nmodel\n"));

        // when, then
        assertThatExceptionOfType(AssertionFailedError.class)
                .isThrownBy(() -> Verdict.enforce(List.of(profile), "Mind this."))
                .withMessage("profile is wrong\nMind this.\n")
                .satisfies(error -> assertThat(error.getExpected().getStringRepresentation())
                        .isEqualTo("this"))
                .satisfies(error ->
                        assertThat(error.getActual().getStringRepresentation()).isEqualTo("that"));
        assertThatExceptionOfType(AssertionFailedError.class)
                .isThrownBy(() -> Verdict.enforce(List.of(leak), "Mind this."))
                .withMessage("left open:\nmodel\n\nMind this.\n")
                .satisfies(error -> assertThat(error.isExpectedDefined()).isFalse());
    }

    @Test
    void addsNoteOnceToSeveralFailures() {
        // given
        List<Verdict> verdicts = List.of(
                verdict("counters", VIOLATED, UndecidedPolicy.FAIL),
                verdict("profile", VIOLATED, UndecidedPolicy.FAIL));

        // when, then
        assertThatExceptionOfType(MultipleFailuresError.class)
                .isThrownBy(() -> Verdict.enforce(verdicts, "Mind this."))
                .withMessageStartingWith("counters is wrong. Mind this. (2 failures)")
                .satisfies(all -> assertThat(all.getFailures())
                        .extracting(Throwable::getMessage)
                        .containsExactly("counters is wrong", "profile is wrong"));
    }

    @Test
    void failsRatherThanAborts() {
        // given
        List<Verdict> verdicts = List.of(
                verdict("counters", LEFT_OPEN, UndecidedPolicy.ABORT),
                verdict("profile", VIOLATED, UndecidedPolicy.FAIL));

        // when, then
        assertThatExceptionOfType(AssertionFailedError.class)
                .isThrownBy(() -> Verdict.enforce(verdicts))
                .withMessage("profile is wrong");
    }

    @Test
    void abortsWithAllUndecidedExpectations() {
        // given
        List<Verdict> verdicts = List.of(
                verdict("counters", LEFT_OPEN, UndecidedPolicy.ABORT),
                verdict("profile", LEFT_OPEN, UndecidedPolicy.ABORT),
                verdict("prints", LEFT_OPEN, UndecidedPolicy.PASS));

        // when, then
        assertThatExceptionOfType(TestAbortedException.class)
                .isThrownBy(() -> Verdict.enforce(verdicts))
                .withMessage("""
                        counters is wrong
                        profile is wrong
                        Such a test is aborted because neuron.test.undecided has counters=abort (default); with fail it fails, with pass it passes.""");
    }

    @Test
    void failsForViolationWhenUndecidedPasses() {
        // when, then
        assertThatExceptionOfType(AssertionFailedError.class)
                .isThrownBy(() -> Verdict.enforce(List.of(verdict("counters", VIOLATED, UndecidedPolicy.PASS))));
    }
}
