package dev.neurontest.runtime;

import java.time.Duration;
import java.util.Locale;

/** Times for a person, in three digits. */
final class Elapsed {

    private Elapsed() {}

    static String text(Duration duration) {
        double nanoseconds = duration.toNanos();
        if (nanoseconds < 1e3) {
            return duration.toNanos() + " ns";
        }
        if (nanoseconds < 1e6) {
            return number(nanoseconds / 1e3) + " us";
        }
        return nanoseconds < 1e9 ? number(nanoseconds / 1e6) + " ms" : number(nanoseconds / 1e9) + " s";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
    }
}
