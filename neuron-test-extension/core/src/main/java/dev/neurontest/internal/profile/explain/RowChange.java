package dev.neurontest.internal.profile.explain;

import dev.neurontest.internal.text.DurationText;
import dev.neurontest.metric.ByteSize;
import dev.neurontest.profile.EventRow;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * The rows of one name before and after.
 *
 * @param before an empty row if the name is new
 * @param after an empty row if the name is gone
 * @param certain true if both rows are known; otherwise the unknown row is an upper bound, because names were merged
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RowChange(EventRow before, EventRow after, boolean certain) {

    /** Relative difference up to which a number of events or a mean counts as equal. */
    private static final double ALIKE = 0.03;

    /** Returns the name in the profile. */
    public String name() {
        return after.name();
    }

    /** Returns the additional nanoseconds; negative when the name took less time. */
    public long nanos() {
        return after.nanos() - before.nanos();
    }

    /** Returns the additional spilled bytes; 0 when one side does not contain them. */
    long spilled() {
        boolean isKnown = certain
                && (before.spilledBytes().isPresent() || before.count() == 0)
                && (after.spilledBytes().isPresent() || after.count() == 0);
        return isKnown ? after.spilledBytes().orElse(0) - before.spilledBytes().orElse(0) : 0;
    }

    /** Returns the additional number of events; 0 when it is unknown or within noise. */
    long counted() {
        long change = after.count() - before.count();
        return certain && Math.abs(change) > ALIKE * before.count() ? change : 0;
    }

    /**
     * Returns the cause of the change: the number of events, their mean time, and the spilled bytes.
     *
     * @return a text such as {@code each 84.4 µs instead of 62.5 µs; spilled 24 MiB instead of 12 MiB}
     */
    public String why() {
        List<String> why = new ArrayList<>();
        if (!certain) {
            why.add("summed with others %s".formatted(before.count() == 0 ? "before" : "now"));
        } else if (before.count() == 0) {
            why.add("new: %s".formatted(count(after)));
        } else if (after.count() == 0) {
            why.add("gone: %s before".formatted(count(before)));
        } else if (before.count() != after.count()) {
            why.add(counts());
        } else if (nanos() != 0) {
            why.add(each());
        }
        if (spilled() != 0) {
            why.add(
                    before.spilledBytes().orElse(0) == 0
                            ? "spilled %s, none before".formatted(bytes(after.spilledBytes()))
                            : "spilled %s instead of %s"
                                    .formatted(bytes(after.spilledBytes()), bytes(before.spilledBytes())));
        }
        return String.join("; ", why);
    }

    private String counts() {
        String counts = String.format(Locale.ROOT, "%s instead of %,d", count(after), before.count());
        boolean alike = Math.abs(mean(after) - mean(before)) <= ALIKE * mean(before);
        return counts + (alike ? ", each as long as before" : ", " + each());
    }

    private String each() {
        return "each %s instead of %s".formatted(shown(mean(after)), shown(mean(before)));
    }

    private static String count(EventRow row) {
        return String.format(Locale.ROOT, "%,d", row.count());
    }

    private static double mean(EventRow row) {
        return row.count() == 0 ? 0 : (double) row.nanos() / row.count();
    }

    private static String shown(double nanos) {
        return DurationText.exact(Duration.ofNanos(Math.round(nanos)));
    }

    private static String bytes(OptionalLong bytes) {
        return ByteSize.human(BigInteger.valueOf(bytes.orElse(0)));
    }
}
