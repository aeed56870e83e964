package dev.neurontest.internal.report.page;

import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.text.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The time axis of a run from left to right, in percent of its width. */
record TimeAxis(Instant start, Instant end) {

    /** Maximum number of ticks. More would overlap on a phone. */
    private static final int MOST_TICKS = 5;

    private static final long SECOND = 1000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private static final DateTimeFormatter CLOCK = format("HH:mm:ss");
    private static final DateTimeFormatter MINUTES = format("HH:mm");
    private static final DateTimeFormatter DAYS = format("d MMM");

    private static DateTimeFormatter format(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).withZone(ZoneOffset.UTC);
    }

    /** Returns the axis from the first start to the last end, at least a millisecond. */
    static TimeAxis of(List<ReportedTest> tests) {
        Instant start = tests.stream()
                .map(ReportedTest::started)
                .min(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
        Instant end = tests.stream()
                .map(ReportedTest::ended)
                .max(Comparator.naturalOrder())
                .orElse(start);
        return new TimeAxis(start, end.isBefore(start.plusMillis(1)) ? start.plusMillis(1) : end);
    }

    private long millis() {
        return Math.max(1, Duration.between(start, end).toMillis());
    }

    /** Returns the position of a time; a time outside is at the nearest end. */
    double at(Instant time) {
        double share = (double) Duration.between(start, time).toMillis() / millis();
        return 100 * Math.max(0, Math.min(1, share));
    }

    /** Returns the index of the piece that contains a time, for the given number of equal pieces. */
    int piece(Instant time, int pieces) {
        return Math.min(pieces - 1, (int) (at(time) / 100 * pieces));
    }

    /** Returns the time of the day in UTC. */
    static String clock(Instant time) {
        return CLOCK.format(time);
    }

    /** A line across all rows. */
    record Tick(double x, String label) {}

    /** Returns ticks at full seconds, minutes or hours of the day. In a run of less than a few seconds, ticks show the elapsed time. */
    List<Tick> ticks() {
        long step = step();
        if (step < SECOND) {
            return LongStream.rangeClosed(1, millis() / step)
                    .mapToObj(count -> Duration.ofMillis(count * step))
                    .map(elapsed -> new Tick(at(start.plus(elapsed)), "+" + DurationText.of(elapsed)))
                    .toList();
        }
        long first = Math.floorDiv(start.toEpochMilli() + step - 1, step) * step;
        return LongStream.iterate(first, time -> time <= end.toEpochMilli(), time -> time + step)
                .mapToObj(Instant::ofEpochMilli)
                .map(time -> new Tick(at(time), label(time, step)))
                .toList();
    }

    /** Returns the smallest usual step for which the number of ticks is within the limit. */
    private long step() {
        return Stream.of(
                        steps(List.of(1L, 10L, 100L), 1, 2, 5),
                        steps(List.of(SECOND, MINUTE), 1, 2, 5, 10, 15, 30),
                        steps(List.of(HOUR), 1, 2, 3, 6, 12, 24))
                .flatMapToLong(steps -> steps)
                .filter(step -> millis() / step <= MOST_TICKS)
                .findFirst()
                .orElseGet(() -> DAY * (1 + millis() / (MOST_TICKS * DAY)));
    }

    private static LongStream steps(List<Long> units, long... parts) {
        return units.stream().flatMapToLong(unit -> LongStream.of(parts).map(part -> part * unit));
    }

    private static String label(Instant time, long step) {
        return (step < MINUTE ? CLOCK : step < DAY ? MINUTES : DAYS).format(time);
    }
}
