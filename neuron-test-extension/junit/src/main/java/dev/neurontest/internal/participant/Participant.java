package dev.neurontest.internal.participant;

import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.process.ProgramFolder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A participant in the lifecycle of a test. All participants start before any user code runs. All of them settle before the first one
 * concludes. Then each participant concludes and judges in turn. A participant that never started does nothing in later steps.
 *
 * <p>{@code HostSession} of {@code dev.neurontest} lists all participants.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface Participant {

    /** Runs setup that itself changes counters, before any participant takes its initial reading. */
    default void prepare() {}

    /** Starts the participant and takes its initial reading. */
    default void start() {}

    /**
     * Called when the test enters a phase.
     *
     * @param phase the phase that begins
     */
    default void entered(Phase phase) {}

    /**
     * Called with each failure of the test, of a part of it, or of a test in the class, before the end of the test or class is judged. A
     * failed assumption is not reported.
     *
     * @param failure the failure as JUnit reports it
     */
    default void failed(Throwable failure) {}

    /** Waits, for a limited time, until the effects of the body are visible, and ends activities that still run. */
    default void settle() {}

    /** Returns whether it settles after all others, because it reads what they cause. */
    default boolean settlesLast() {
        return false;
    }

    /**
     * Takes the final reading.
     *
     * @param findings the result so far
     */
    default void conclude(TestResult findings) {}

    /**
     * Judges expectations that apply after every body: events that must not happen. Expectations that also require events are judged by
     * {@link TestResult#judge}.
     *
     * @param findings the result so far
     * @return all verdicts, not only the first violation
     */
    default List<Verdict> judge(TestResult findings) {
        return List.of();
    }

    /**
     * Judges expectations that require events. It is not called after an aborted body.
     *
     * @param findings the result so far
     * @return all verdicts, not only the first violation
     */
    default List<Verdict> judgeExpectations(TestResult findings) {
        return List.of();
    }

    /**
     * Returns the measurements to attach to the test.
     *
     * @param findings the result
     * @return the measurements in the order of attachment
     */
    default List<? extends Measurement> evidence(TestResult findings) {
        return List.of();
    }

    /**
     * Returns remarks on a test that has been judged, to add to its failure. A test that passes has them in its attachments only.
     *
     * @return each a sentence without a capital letter
     */
    default List<String> remarks() {
        return List.of();
    }

    /**
     * Returns information to add to a failure.
     *
     * @param failure a failure of the body, which may be unaware of that information
     * @return the exception to add; empty for none
     */
    default Optional<Throwable> note(Throwable failure) {
        return Optional.empty();
    }

    /**
     * Returns environment variables for a program that the test starts; called at each start.
     *
     * @param inherited the variables that the program has without them
     */
    default Map<String, String> environment(Map<String, String> inherited) {
        return Map.of();
    }

    /** Returns the folders for files of programs that the test starts on other hosts; called at each start. */
    default List<ProgramFolder> folders() {
        return List.of();
    }

    /** Releases its remaining resources at the end of the lifecycle. */
    default void release() {}
}
