package dev.neurontest.fake.internal.driver;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * The power of a device, in 1/100 percent of its maximum (neuron_power.c): sampled every 50 ms, shown once per wall-clock
 * minute. Between two calls of {@link #draw} the value is constant, so no samples are taken.
 */
final class PowerMeter {

    private static final Duration SAMPLE = Duration.ofMillis(50);
    private static final int SAMPLES_NEEDED = 60;

    private final Clock clock;
    private final Instant start;
    private int current;
    private Instant since;
    private Minute running;
    private String shown = "POWER_STATUS_NO_DATA,0,0.00,0.00,0.00\n";

    PowerMeter(Clock clock) {
        this.clock = clock;
        this.start = clock.instant();
        this.since = start;
        this.running = new Minute(start.truncatedTo(ChronoUnit.MINUTES), current);
    }

    synchronized void draw(int hundredthsOfPercent) {
        rollOver(clock.instant());
        current = hundredthsOfPercent;
        running.include(current);
    }

    /** Returns the content of {@code utilization}. */
    synchronized String lastMinute() {
        rollOver(clock.instant());
        return shown;
    }

    /** Returns the content of {@code utilization_raw}. */
    synchronized String raw(int dies) {
        long samples = Duration.between(start, clock.instant()).dividedBy(SAMPLE);
        StringBuilder text = new StringBuilder("die,util_bips,counter\n");
        for (int die = 0; die < dies; die++) {
            text.append(die)
                    .append(',')
                    .append(current)
                    .append(',')
                    .append(samples)
                    .append('\n');
        }
        return text.toString();
    }

    private void rollOver(Instant now) {
        Instant end = running.begin.plus(1, ChronoUnit.MINUTES);
        while (!now.isBefore(end)) {
            running.add(current, Duration.between(since, end));
            shown = running.text(end, Duration.between(start, end));
            since = end;
            // Minutes without a new value are all alike: skip to the last full one.
            Instant lastFull = now.truncatedTo(ChronoUnit.MINUTES).minus(1, ChronoUnit.MINUTES);
            running = new Minute(lastFull.isAfter(end) ? lastFull : end, current);
            since = running.begin;
            end = running.begin.plus(1, ChronoUnit.MINUTES);
        }
        if (now.isAfter(since)) {
            running.add(current, Duration.between(since, now));
            since = now;
        }
    }

    private static final class Minute {

        private final Instant begin;
        private int lowest;
        private int highest;
        private double weighted;
        private double millis;

        Minute(Instant begin, int value) {
            this.begin = begin;
            lowest = value;
            highest = value;
        }

        void include(int value) {
            lowest = Math.min(lowest, value);
            highest = Math.max(highest, value);
        }

        void add(int value, Duration time) {
            weighted += (double) value * time.toMillis();
            millis += time.toMillis();
        }

        String text(Instant end, Duration sinceStart) {
            boolean enough = sinceStart.compareTo(SAMPLE.multipliedBy(SAMPLES_NEEDED)) >= 0;
            if (!enough || millis == 0) {
                return "POWER_STATUS_NO_DATA," + end.getEpochSecond() + ",0.00,0.00,0.00\n";
            }
            return "POWER_STATUS_VALID," + end.getEpochSecond() + ',' + percent(lowest) + ',' + percent(highest) + ','
                    + percent(Math.round(weighted / millis)) + '\n';
        }

        private static String percent(long hundredths) {
            return String.format(Locale.ROOT, "%d.%02d", hundredths / 100, hundredths % 100);
        }
    }
}
