package dev.neurontest.internal.report.compare;

import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.json.Unwrapped;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.text.ListText;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What became of one test.
 *
 * @param id which test
 * @param place where it ran, for people; empty unless the same test ran in several modules or on several kinds of hosts
 * @param before how it ended in the earlier run; empty when it was not there
 * @param now how it ended in this run; empty when it is not there
 * @param flakyBefore whether it passed only when it was run again, then
 * @param flakyNow whether it passed only when it was run again, now
 * @param values that changed, the most important first; none unless it is slower or faster
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Change(
        @Unwrapped TestId id,
        String place,
        Optional<TestOutcome> before,
        Optional<TestOutcome> now,
        boolean flakyBefore,
        boolean flakyNow,
        List<ChangedValue> values) {

    /** Metrics of a profile change together. */
    private static final int MOST_VALUES = 3;

    /**
     * Keeps its own copy.
     *
     * @param id which test
     * @param place where it ran
     * @param before how it ended in the earlier run
     * @param now how it ended in this run
     * @param flakyBefore whether it was flaky then
     * @param flakyNow whether it is flaky now
     * @param values that changed
     */
    public Change {
        values = List.copyOf(values);
    }

    /**
     * Which test, for people.
     *
     * @return such as {@code BertTest > t()} or {@code BertTest > t() on trn2.48xlarge (real)}
     */
    public String test() {
        return place.isEmpty() ? id.name() : id.name() + " on " + place;
    }

    /**
     * What became of it, for people.
     *
     * @param kind in which group it is told
     * @return such as {@code failed, was passed}
     */
    public String words(ChangeKind kind) {
        return switch (kind) {
            case NEW -> word(now);
            case GONE -> "was " + word(before);
            case FLAKY ->
                "passed only when run again, "
                        + (flakyBefore && flakyNow ? "now and before" : flakyNow ? "now" : "before");
            case SLOWER, FASTER -> ListText.apart(values, MOST_VALUES);
            default -> word(now) + ", was " + word(before);
        };
    }

    private static String word(Optional<TestOutcome> outcome) {
        return outcome.map(TestOutcome::toString).orElse("not there");
    }
}
