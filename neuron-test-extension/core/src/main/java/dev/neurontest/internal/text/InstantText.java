package dev.neurontest.internal.text;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.apiguardian.api.API;

/** Formatter of times. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class InstantText {

    private InstantText() {}

    /**
     * Returns the text of {@link Instant#toString}. That method would load all standard formatters, which delays the first test of a
     * JVM.
     *
     * @return for example {@code 2026-07-31T10:15:30.123456Z}
     */
    public static String of(Instant time) {
        LocalDateTime utc = LocalDateTime.ofEpochSecond(time.getEpochSecond(), time.getNano(), ZoneOffset.UTC);
        boolean isWholeMinute = utc.getSecond() == 0 && utc.getNano() == 0;
        return utc + (isWholeMinute ? ":00Z" : "Z");
    }
}
