package dev.neurontest.internal.report.compare;

import java.util.Locale;
import org.apiguardian.api.API;

/** What became of a test from one run to the next, in the order in which it is told. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum ChangeKind {
    /** It did not fail before and fails or is lost now. */
    NEWLY_FAILING("newly failing"),
    /** It was in the earlier run and is not in this one. */
    GONE("gone"),
    /** It was decided before, and is skipped, aborted or undecided now. */
    NOT_DECIDED("newly skipped or undecided"),
    /** It failed in both. */
    STILL_FAILING("still failing"),
    /** It passed only when it was run again, in one of the runs or in both. */
    FLAKY("flaky"),
    /** A number is worse by more than the least change. */
    SLOWER("slower or worse"),
    /** A number is better by more than the least change. */
    FASTER("faster or better"),
    /** It failed before and passes now. */
    FIXED("fixed"),
    /** It was skipped, aborted or undecided before, and passes now. */
    NEWLY_DECIDED("passed now, not decided before"),
    /** It is only in this run. */
    NEW("new");

    private final String words;

    ChangeKind(String words) {
        this.words = words;
    }

    /**
     * For people.
     *
     * @return such as {@code newly failing}
     */
    public String words() {
        return words;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
