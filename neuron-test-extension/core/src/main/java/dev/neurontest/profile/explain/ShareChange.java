package dev.neurontest.profile.explain;

import dev.neurontest.metric.ByteSize;
import dev.neurontest.text.DurationText;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * What the events of one name took before and after.
 *
 * @param name as the profile has it
 * @param before nothing where the name is new
 * @param after nothing where it is gone
 * @param certain whether both are known; where names were summed together, the other one is the most that it can have been
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ShareChange(String name, EventShare before, EventShare after, boolean certain) {

    /** A number of events, or a mean, that differs by less is the same. */
    private static final double ALIKE = 0.03;

    /**
     * By how much longer it took.
     *
     * @return nanoseconds; negative when it took less
     */
    public long nanos() {
        return after.nanos() - before.nanos();
    }

    /** By how much more was spilled; empty where one side does not say. */
    OptionalLong spilled() {
        return before.spilledBytes().isPresent() && after.spilledBytes().isPresent()
                ? OptionalLong.of(
                        after.spilledBytes().getAsLong() - before.spilledBytes().getAsLong())
                : isNew() ? after.spilledBytes() : OptionalLong.empty();
    }

    boolean isNew() {
        return certain && before.count() == 0 && after.count() > 0;
    }

    boolean isGone() {
        return certain && after.count() == 0 && before.count() > 0;
    }

    /**
     * What is behind it: more events, or longer ones, and what was spilled.
     *
     * @return such as {@code each 84.4 µs instead of 62.5 µs; spilled 24 MiB instead of 12 MiB}
     */
    public String why() {
        List<String> why = new ArrayList<>();
        if (!certain) {
            why.add("summed with others %s".formatted(before.count() == 0 ? "before" : "now"));
        } else if (isNew()) {
            why.add("new: %s".formatted(count(after)));
        } else if (isGone()) {
            why.add("gone: %s before".formatted(count(before)));
        } else {
            why.add(before.count() == after.count() ? each() : counts());
        }
        spill().ifPresent(why::add);
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

    private static String count(EventShare share) {
        return String.format(Locale.ROOT, "%,d", share.count());
    }

    private static double mean(EventShare share) {
        return share.count() == 0 ? 0 : (double) share.nanos() / share.count();
    }

    private static String shown(double nanos) {
        return DurationText.exact(Duration.ofNanos(Math.round(nanos)));
    }

    private Optional<String> spill() {
        OptionalLong spilled = spilled();
        if (spilled.isEmpty() || spilled.getAsLong() == 0) {
            return Optional.empty();
        }
        return Optional.of(
                before.spilledBytes().orElse(0) == 0
                        ? "spilled %s, none before".formatted(bytes(after))
                        : "spilled %s instead of %s".formatted(bytes(after), bytes(before)));
    }

    private static String bytes(EventShare share) {
        return ByteSize.human(BigInteger.valueOf(share.spilledBytes().orElse(0)));
    }
}
