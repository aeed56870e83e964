package dev.neurontest.profile;

import dev.neurontest.internal.neff.NeffHeader;
import dev.neurontest.internal.profile.Throttling;
import dev.neurontest.internal.profile.tool.ToolLog;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Unit;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks whether a profile can be judged, before any threshold is judged. */
final class ValidityChecks {

    /** Fewest UUID bytes that count as a proof. With fewer bytes, one in some thousand UUIDs matches by chance. */
    private static final int FEWEST_BYTES = 4;

    /** Advice for activity limiters. They depend on the program, therefore waiting changes nothing. */
    static final String ACTIVITY_ADVICE =
            "An activity limiter depends on the program, not on heat: judge counts and bytes, or compare its times with a baseline, which belongs to one class of throttling. For limits on times, throttled=... in neuron.test.undecided decides the result.";

    private static final String HEAT_ADVICE =
            "The cause may be heat or power: let the device cool down, or allow more captures with recaptures(n) or neuron.test.profile.recaptures.";

    private static final List<String> TIMES =
            List.of(MetricNames.TOTAL_TIME, MetricNames.TOTAL_EXEC_TIME, MetricNames.TOTAL_ACTIVE_TIME);

    private static final String CYCLES = "neuroncore_cycle_count";
    private static final int MOST_LINES = 5;
    private static final double ALL_BUT_FOR_ROUNDING = 1.001;
    private static final double TWO_NANOSECONDS = 2e-9;
    private static final double MUCH_LONGER = 1.1;

    private ValidityChecks() {}

    /**
     * Compares the UUIDs of a NEFF and a trace. The NTFF stores the UUID of its NEFF up to the first zero byte. A trace without a UUID is
     * accepted only for a NEFF with a UUID that begins with a zero byte. In addition, its origin must prove the rest.
     */
    static Optional<Doubt> otherNeff(
            Path neff,
            Optional<NeffHeader> neffHeader,
            Path ntff,
            Optional<NtffHeader> ntffHeader,
            TraceOrigin origin) {
        if (neffHeader.isEmpty() || ntffHeader.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> compiled = NtffHeader.keptUuid(neffHeader.get());
        Optional<String> executed = ntffHeader.get().neffUuid();
        if (executed.isEmpty()) {
            return compiled.isEmpty() && origin != TraceOrigin.GIVEN
                    ? Optional.empty()
                    : Optional.of(unproven(neff, neffHeader.get(), ntff, compiled.isEmpty()));
        }
        return compiled.equals(executed)
                ? Optional.empty()
                : Optional.of(new Doubt(
                        Doubt.Kind.OTHER_NEFF,
                        "%s was made by a NEFF with UUID %s, but %s has UUID %s. Use the NEFF that was executed, and check for a stale file."
                                .formatted(
                                        ntff,
                                        executed.get(),
                                        neff,
                                        neffHeader.get().uuid())));
    }

    private static Doubt unproven(Path neff, NeffHeader neffHeader, Path ntff, boolean beginsWithZero) {
        return new Doubt(
                Doubt.Kind.UNPROVEN_NEFF,
                beginsWithZero
                        ? "%s does not show which NEFF made it: the UUID of %s begins with a zero byte (%s), and a trace does not store such a UUID. Capture the NEFF with @ProfileNeff or profiler.capture(...), which proves it, or compile it again, which changes its UUID."
                                .formatted(ntff, neff, neffHeader.uuid())
                        : "%s does not show which NEFF made it: it contains no UUID, but the UUID of %s is %s. Capture it again, and check for a stale file."
                                .formatted(ntff, neff, neffHeader.uuid()));
    }

    /** Compares the UUID of a NEFF with the UUID in the tables. The tables store the UUID of the NEFF that they were created with. */
    static Optional<Doubt> otherNeffInTables(
            Path neff, Optional<NeffHeader> neffHeader, Path ntff, Optional<String> uuid) {
        return neffHeader
                .map(NeffHeader::uuid)
                .filter(compiled -> !compiled.isEmpty()
                        && uuid.filter(made -> !made.replace("-", "").equalsIgnoreCase(compiled))
                                .isPresent())
                .map(compiled -> new Doubt(
                        Doubt.Kind.OTHER_NEFF,
                        "The tables of %s are of a NEFF with UUID %s, but %s has UUID %s. View the trace again with the NEFF that was executed, and let no other process write %1$s."
                                .formatted(ntff, uuid.orElseThrow(), neff, compiled)));
    }

    /** Returns a doubt for errors that the device reported during the trace. */
    static Optional<Doubt> errorsOfDevice(Path ntff, List<String> errors) {
        return errors.isEmpty()
                ? Optional.empty()
                : Optional.of(new Doubt(
                        Doubt.Kind.EXECUTION_ERRORS,
                        "The device reported errors while %s was traced: \"%s\". See the log of the capture and the counters of the device, and capture it again."
                                .formatted(ntff, String.join("\", \"", errors))));
    }

    /**
     * Returns a notice if a trace stores few bytes of a UUID and another NEFF could have the same bytes. A trace of this test's own capture
     * needs no such proof.
     */
    static Optional<String> weakProof(Path ntff, Optional<NtffHeader> header, TraceOrigin origin) {
        return header.filter(read -> origin != TraceOrigin.CAPTURED)
                .map(read -> read.neffUuid().map(uuid -> uuid.length() / 2).orElse(0))
                .filter(bytes -> bytes < FEWEST_BYTES && (bytes > 0 || origin == TraceOrigin.PAIRED_BY_NAME))
                .map(bytes ->
                        "%s keeps %s of the 16 bytes of its NEFF's UUID, which has a zero byte: it probably belongs to the NEFF, but this is not certain."
                                .formatted(ntff, bytes));
    }

    /** Returns a doubt for an NTFF that cannot contain a whole execution, or that cannot be parsed. */
    static Optional<Doubt> incomplete(Path ntff, long size, NtffHeader.Reading reading) {
        if (size == 0) {
            return incomplete(
                    "%s is empty. The core was opened and never used, the tool or workload was killed, or the disk was full."
                            .formatted(ntff));
        }
        if (reading.problem().isPresent()) {
            boolean cut = reading.header().filter(NtffHeader::cut).isPresent();
            return Optional.of(new Doubt(
                    cut ? Doubt.Kind.INCOMPLETE_TRACE : Doubt.Kind.UNREADABLE,
                    reading.problem().get()));
        }
        if (reading.header().filter(read -> read.notificationBytes() == 0).isPresent()) {
            return incomplete(
                    "%s contains no notification of the device: nothing was traced. Capture it again.".formatted(ntff));
        }
        return Optional.empty();
    }

    /** Returns a doubt for impossible numbers: invalid times, a part longer than the whole, or a total shorter than its trace. */
    static Optional<Doubt> impossible(Path ntff, ProfileSummary summary, Optional<Duration> traced) {
        List<String> wrong = new ArrayList<>();
        summary.number(CYCLES).stream()
                .filter(Unit.CYCLES::isNoTime)
                .forEach(cycles -> wrong.add("%s is %s".formatted(CYCLES, plain(cycles))));
        for (String time : TIMES) {
            if (summary.values().get(time) instanceof Double seconds
                    && Unit.SECONDS.isNoTime(seconds)
                    && (seconds >= 0 || time.equals(MetricNames.TOTAL_TIME))) {
                wrong.add("%s is %s".formatted(time, plain(seconds)));
            }
        }
        OptionalDouble total = summary.number(MetricNames.TOTAL_TIME);
        // The active time is not compared with the execution time: genuine summaries with more active than execution
        // time exist.
        for (String part : List.of(MetricNames.TOTAL_EXEC_TIME, MetricNames.TOTAL_ACTIVE_TIME)) {
            OptionalDouble time = summary.number(part);
            if (time.isEmpty()) {
                continue;
            }
            if (total.isPresent() && isLess(total.getAsDouble(), time.getAsDouble())) {
                wrong.add("%s (%s s) is more than total_time (%s s)"
                        .formatted(part, plain(time.getAsDouble()), plain(total.getAsDouble())));
            }
            if (total.isEmpty()
                    && traced.filter(whole -> isLess(seconds(whole), time.getAsDouble()))
                            .isPresent()) {
                wrong.add("%s (%s s) is more than the trace itself lasts (%s s)"
                        .formatted(part, plain(time.getAsDouble()), plain(seconds(traced.get()))));
            }
        }
        if (total.isPresent()
                && traced.filter(time -> isLess(total.getAsDouble(), seconds(time)))
                        .isPresent()) {
            wrong.add("total_time (%s s) is less than the trace itself lasts (%s s)"
                    .formatted(plain(total.getAsDouble()), plain(seconds(traced.get()))));
        }
        return wrong.isEmpty()
                ? Optional.empty()
                : Optional.of(new Doubt(
                        Doubt.Kind.IMPOSSIBLE_NUMBERS,
                        "The tool wrote impossible values for %s: %s. View it by hand with another version of the tool, or capture it again."
                                .formatted(ntff, String.join("; ", wrong))));
    }

    /** Returns a notice about a trace without a duration. */
    static Optional<String> notCompared(Path ntff, Optional<Duration> traced) {
        return traced.isPresent()
                ? Optional.empty()
                : Optional.of(
                        "%s does not contain the duration of its execution: the times that the tool wrote were not checked against it."
                                .formatted(ntff));
    }

    /**
     * Returns a notice about a total time that is longer than its trace. This happens when the tool had to guess the beginning or the end.
     */
    static Optional<String> longerThanItsTrace(Path ntff, ProfileSummary summary, Optional<Duration> traced) {
        OptionalDouble total = summary.number(MetricNames.TOTAL_TIME);
        return traced.filter(time -> total.isPresent() && total.getAsDouble() > MUCH_LONGER * seconds(time))
                .map(time -> "total_time of %s is %s s, but the trace itself lasts %s s."
                        .formatted(ntff, plain(total.getAsDouble()), plain(seconds(time))));
    }

    /** Compares two times with tolerance, because the tools print rounded nanoseconds. */
    private static boolean isLess(double shorter, double longer) {
        return shorter * ALL_BUT_FOR_ROUNDING + TWO_NANOSECONDS < longer;
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }

    private static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }

    /** Returns a doubt for a trace that is empty according to the tool. */
    static Optional<Doubt> empty(Path ntff, ProfileSummary summary) {
        List<String> zero = Stream.of("trace_count", "event_count")
                .filter(metric -> summary.number(metric).orElse(1) < 1)
                .toList();
        return zero.isEmpty()
                ? Optional.empty()
                : incomplete("%s of %s is 0: nothing was traced. Capture it again."
                        .formatted(String.join(" and ", zero), ntff));
    }

    private static Optional<Doubt> incomplete(String reason) {
        return Optional.of(new Doubt(Doubt.Kind.INCOMPLETE_TRACE, reason));
    }

    /** Returns doubts about the tool's results if it reported missing data: about all of them, or only about DMA figures. */
    static List<Doubt> missingData(String command, ToolLog log) {
        List<Doubt> doubts = new ArrayList<>();
        if (!log.lost().isEmpty()) {
            doubts.add(new Doubt(
                    Doubt.Kind.DROPPED_NOTIFICATIONS,
                    "%s reported that data are missing: %s. Numbers computed from them are wrong: trace less, such as without dgeNotifications(), or raise NEURON_RT_PROFILE_BUF_..._MB."
                            .formatted(command, quoted(log.lost()))));
        }
        if (!log.doubtfulDma().isEmpty()) {
            doubts.add(new Doubt(
                    Doubt.Kind.DOUBTFUL_DMA,
                    "%s reported that figures of DMA are inaccurate: %s. Expectations on DMA, HBM, spilled bytes and numbers computed from them are undecided. Capture it again with dgeNotifications() where metadata are missing, or trace less where notifications were dropped."
                            .formatted(command, quoted(log.doubtfulDma()))));
        }
        return doubts;
    }

    /** Returns a notice about errors that a tool printed although it succeeded. */
    static Optional<String> printedErrors(String command, ToolLog log) {
        return log.otherErrors().isEmpty()
                ? Optional.empty()
                : Optional.of("%s ended well, but printed %s.".formatted(command, quoted(log.otherErrors())));
    }

    private static String quoted(List<String> lines) {
        int more = lines.size() - MOST_LINES;
        return lines.stream().limit(MOST_LINES).map("\"%s\""::formatted).collect(Collectors.joining(", "))
                + (more > 0 ? " and %s more".formatted(more) : "");
    }

    /** Returns a doubt for a first execution. It includes start-up: 2 ms of idling on Trn1, and cold caches on every instance type. */
    static Doubt firstExecution(Path ntff) {
        return new Doubt(
                Doubt.Kind.FIRST_EXECUTION,
                "%s is of the first execution, and its times include start-up. If times matter, capture the NEFF alone with a warm-up, for example with @ProfileNeff."
                        .formatted(ntff));
    }

    /**
     * Returns a doubt for a device that was throttled for a large or unknown part of the time. The part is unknown if only an average
     * indicates a limit. A limit of 1 or more has no effect; values such as 1.0967 and 253 were published.
     *
     * @param from share of time that makes times doubtful
     */
    static Optional<Doubt> throttled(ProfileSummary summary, double from) {
        List<Throttling.Limiter> slowing = Throttling.limiters(summary).stream()
                .filter(limiter -> limiter.slows(from))
                .toList();
        return slowing.isEmpty()
                ? Optional.empty()
                : Optional.of(new Doubt(
                        Doubt.Kind.THROTTLED,
                        "The device was throttled: %s (doubtful from %s). %s"
                                .formatted(
                                        slowing.stream()
                                                .map(ValidityChecks::figure)
                                                .sorted()
                                                .collect(Collectors.joining("; ")),
                                        percent(from),
                                        slowing.stream()
                                                        .allMatch(limiter ->
                                                                limiter.name().startsWith("activity"))
                                                ? ACTIVITY_ADVICE
                                                : HEAT_ADVICE)));
    }

    private static String figure(Throttling.Limiter limiter) {
        return "%s of the time by %s%s"
                .formatted(
                        limiter.share().isPresent() ? percent(limiter.share().getAsDouble()) : "an unknown part",
                        limiter.label(),
                        limiter.limit().isPresent()
                                ? ", limit " + percent(limiter.limit().getAsDouble())
                                : "");
    }

    private static String percent(double fraction) {
        return new Fraction(fraction).toString();
    }
}
