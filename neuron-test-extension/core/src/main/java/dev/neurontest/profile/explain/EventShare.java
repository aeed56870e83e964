package dev.neurontest.profile.explain;

import dev.neurontest.profile.event.EventSummary;
import dev.neurontest.text.DurationText;
import java.math.BigDecimal;
import java.util.OptionalLong;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What the events of one name took.
 *
 * @param nanos their durations added up
 * @param count how many there are
 * @param spilledBytes what they wrote to memory and read back because SBUF was full; empty where the profile does not say
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record EventShare(long nanos, long count, OptionalLong spilledBytes) {

    /** Nothing. */
    static final EventShare NONE = new EventShare(0, 0, OptionalLong.empty());

    /** A hundred days, so that no sum of them overflows. */
    static final long MOST = 1L << 53;

    static EventShare of(EventSummary events) {
        return new EventShare(
                Math.min(MOST, DurationText.nanos(events.total())), events.count(), events.spilledBytes());
    }

    /** What was saved and what was loaded again; empty where neither is known. */
    static OptionalLong bytes(@Nullable BigDecimal saved, @Nullable BigDecimal loaded) {
        if (saved == null && loaded == null) {
            return OptionalLong.empty();
        }
        BigDecimal all = (saved == null ? BigDecimal.ZERO : saved).add(loaded == null ? BigDecimal.ZERO : loaded);
        return OptionalLong.of(all.min(BigDecimal.valueOf(MOST)).longValue());
    }

    EventShare plus(EventShare other) {
        return new EventShare(
                nanos + other.nanos,
                count + other.count,
                spilledBytes.isEmpty() && other.spilledBytes.isEmpty()
                        ? OptionalLong.empty()
                        : OptionalLong.of(spilledBytes.orElse(0) + other.spilledBytes.orElse(0)));
    }
}
