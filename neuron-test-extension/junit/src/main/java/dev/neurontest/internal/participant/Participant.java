package dev.neurontest.internal.participant;

import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.judgement.Measurement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What takes part in the life of a test. All begin before any user code runs, and all have settled before the first one ends. Then each
 * ends and judges in turn. One that never began does nothing in the steps that follow.
 *
 * <p>All are listed in one place, {@code HostSession} of {@code dev.neurontest}.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface Participant {

    /** Does what itself moves counters and is not the test's doing, before any other takes its "before". */
    default void prepare() {}

    /** Takes the "before", or starts. */
    default void start() {}

    /**
     * Hears what comes next.
     *
     * @param phase which begins
     */
    default void entered(Phase phase) {}

    /**
     * Called with each failure of the test, of a part of it, or of a test in the class, before the end of the test or class is judged.
     * An assumption is none.
     *
     * @param failure as JUnit reports it
     */
    default void failed(Throwable failure) {}

    /** Waits, bounded, until what the body caused is visible, and ends what still runs. */
    default void settle() {}

    /**
     * Takes the "after".
     *
     * @param findings how it went so far
     */
    default void conclude(TestResult findings) {}

    /**
     * Judges what holds after every body: what happened although it should not have. An expectation that also asks for something to
     * happen is judged by {@link TestResult#judge}.
     *
     * @param findings how it went so far
     * @return all of it, never the first violation alone
     */
    default List<Verdict> judge(TestResult findings) {
        return List.of();
    }

    /**
     * Judges what asks for something to happen. It is not called after a body that was aborted.
     *
     * @param findings how it went so far
     * @return all of it, never the first violation alone
     */
    default List<Verdict> judgeDemands(TestResult findings) {
        return List.of();
    }

    /**
     * Gives what is attached to the test.
     *
     * @param findings how it went
     * @return in the order in which it is attached
     */
    default List<? extends Measurement> evidence(TestResult findings) {
        return List.of();
    }

    /**
     * Says what a failure should not go without.
     *
     * @param failure of the body, which may know nothing of it
     * @return what is told beside it; empty for nothing
     */
    default Optional<Throwable> note(Throwable failure) {
        return Optional.empty();
    }

    /** Returns variables for the programs that the test starts; called at each start. */
    default Map<String, String> environment() {
        return Map.of();
    }

    /** Releases what it still holds, at the end of the lifecycle. */
    default void release() {}
}
