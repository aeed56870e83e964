package dev.neurontest.report;

import java.time.Duration;

/** Numbers as people read them, the same in every view. */
final class Words {

    private Words() {}

    static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    static String duration(Duration duration) {
        long millis = duration.toMillis();
        if (millis < 1000) {
            return millis + " ms";
        }
        if (millis < 60_000) {
            return "%d.%d s".formatted(millis / 1000, millis / 100 % 10);
        }
        if (duration.toHours() == 0) {
            return "%d min %d s".formatted(duration.toMinutes(), duration.toSecondsPart());
        }
        return duration.toDays() == 0
                ? "%d h %d min".formatted(duration.toHours(), duration.toMinutesPart())
                : "%d d %d h".formatted(duration.toDays(), duration.toHoursPart());
    }
}
