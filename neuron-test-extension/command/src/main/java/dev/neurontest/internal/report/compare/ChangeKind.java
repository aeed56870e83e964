package dev.neurontest.internal.report.compare;

import java.util.Locale;
import org.apiguardian.api.API;

/** The kinds of changes of a test between two runs, in the order of the report. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum ChangeKind {
    /** A test that fails or is lost now, and did not fail before. */
    NEWLY_FAILING("newly failing"),
    /** A test of the earlier run that is absent in this one. */
    GONE("gone"),
    /** A test that was decided before, and is skipped, aborted or undecided now. */
    NOT_DECIDED("newly skipped or undecided"),
    /** A test that failed in both runs. */
    STILL_FAILING("still failing"),
    /** A test that passed only after a repetition, in one of the runs or in both. */
    FLAKY("flaky"),
    /** A test with a value that is worse by more than the least change. */
    SLOWER("slower or worse"),
    /** A test with a value that is better by more than the least change. */
    FASTER("faster or better"),
    /** A test that failed before and passes now. */
    FIXED("fixed"),
    /** A test that was skipped, aborted or undecided before, and passes now. */
    NEWLY_DECIDED("passed now, not decided before"),
    /** A test that only this run contains. */
    NEW("new");

    private final String words;

    ChangeKind(String words) {
        this.words = words;
    }

    /** Returns the kind for people, such as {@code newly failing}. */
    public String words() {
        return words;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
