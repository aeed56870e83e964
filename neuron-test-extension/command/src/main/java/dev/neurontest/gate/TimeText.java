package dev.neurontest.gate;

import java.time.Duration;
import java.util.Locale;

/** Durations as a person reads them. */
final class TimeText {

    private TimeText() {}

    static String of(Duration time) {
        if (time.compareTo(Duration.ofSeconds(1)) < 0) {
            return time.toMillis() + " ms";
        }
        if (time.compareTo(Duration.ofMinutes(1)) < 0) {
            return String.format(Locale.ROOT, "%d.%d s", time.toSeconds(), time.toMillisPart() / 100);
        }
        return time.toHours() > 0
                ? String.format(Locale.ROOT, "%d h %d min", time.toHours(), time.toMinutesPart())
                : String.format(Locale.ROOT, "%d min %d s", time.toMinutes(), time.toSecondsPart());
    }
}
