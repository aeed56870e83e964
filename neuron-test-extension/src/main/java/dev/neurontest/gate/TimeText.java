package dev.neurontest.gate;

import java.time.Duration;

/** Durations as a person reads them. */
final class TimeText {

    private TimeText() {}

    static String of(Duration time) {
        if (time.compareTo(Duration.ofSeconds(1)) < 0) {
            return time.toMillis() + " ms";
        }
        if (time.compareTo(Duration.ofMinutes(1)) < 0) {
            return "%d.%d s".formatted(time.toSeconds(), time.toMillisPart() / 100);
        }
        return time.toHours() > 0
                ? "%d h %d min".formatted(time.toHours(), time.toMinutesPart())
                : "%d min %d s".formatted(time.toMinutes(), time.toSecondsPart());
    }
}
