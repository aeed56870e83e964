package dev.neurontest.report;

import static dev.neurontest.recording.Markup.escape;

import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** How the page writes times, outcomes and names. */
final class PageText {

    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("d MMM yyyy", Locale.ENGLISH).withZone(ZoneOffset.UTC);

    private PageText() {}

    /** Such as {@code 45 ms}, {@code 3.2 s}, {@code 12 min 5 s} or {@code 2 h 3 min}. */
    static String time(Duration time) {
        if (time.toMillis() < 1000) {
            return Math.max(0, time.toMillis()) + " ms";
        }
        if (time.toSeconds() < 60) {
            return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
        }
        return time.toMinutes() < 60
                ? "%d min %d s".formatted(time.toMinutes(), time.toSecondsPart())
                : "%d h %d min".formatted(time.toHours(), time.toMinutesPart());
    }

    static String day(Instant at) {
        return DAY.format(at);
    }

    static String clock(Instant at) {
        return "<time datetime=\"%s\">%s</time>".formatted(at, CLOCK.format(at));
    }

    static String name(TestOutcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    static String badge(TestOutcome outcome) {
        return badge(name(outcome), name(outcome));
    }

    static String badge(String kind, String text) {
        return "<span class=\"badge %s\">%s</span>".formatted(kind, escape(text));
    }

    /** A name that someone chose: it is kept from changing the direction of what stands beside it. */
    static String isolated(String name) {
        return "<bdi>" + escape(name) + "</bdi>";
    }

    static String counted(long number, String what) {
        return String.format(Locale.ROOT, "%,d %s%s", number, what, number == 1 ? "" : "s");
    }

    static String quantity(double value, Metric metric) {
        return value >= 0 && !Double.isInfinite(value) && metric.unit() != Unit.TEXT
                ? new Quantity(value, metric.unit()).toString()
                : Double.toString(value);
    }
}
