package dev.neurontest.internal.report.compare;

import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.json.Unwrapped;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.text.ListText;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The change of one test between two runs.
 *
 * @param place host and module of the test, for people; empty unless the same test ran in several modules or on several kinds of hosts
 * @param before outcome in the earlier run; empty when the test was absent
 * @param now outcome in this run; empty when the test is absent
 * @param flakyBefore true if it passed only after a repetition in the earlier run
 * @param flakyNow true if it passed only after a repetition in this run
 * @param values changed values, the most important first; empty unless the test is slower or faster
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

    /** Maximum number of listed values. Few are enough, because metrics of a profile change together. */
    private static final int MOST_VALUES = 3;

    /** Creates an instance with its own copy. */
    public Change {
        values = List.copyOf(values);
    }

    /** Returns the name of the test for people, such as {@code BertTest > t()} or {@code BertTest > t() on trn2.48xlarge (real)}. */
    public String test() {
        return place.isEmpty() ? id.name() : id.name() + " on " + place;
    }

    /**
     * Returns the change in words.
     *
     * @param kind the group that lists the change
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
        return outcome.map(TestOutcome::toString).orElse("absent");
    }
}
