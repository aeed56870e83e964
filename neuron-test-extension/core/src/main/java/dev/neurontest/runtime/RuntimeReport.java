package dev.neurontest.runtime;

import dev.neurontest.runtime.RuntimeStatus.CoreVerdict;
import dev.neurontest.runtime.RuntimeStatus.Fault;
import dev.neurontest.runtime.RuntimeStatus.Stage;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;

/**
 * The reports of the runtime about one program. A status has several possible faults; the surrounding lines decide between them.
 *
 * @param lines lines with a status or a cause, each report once, in order
 * @param dgeNotifications true if DGE notifications were on; they cause timeouts and overflows themselves
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RuntimeReport(List<RuntimeLine> lines, boolean dgeNotifications) {

    /** A report without lines. */
    public static final RuntimeReport EMPTY = new RuntimeReport(List.of(), false);

    private static final int RESET_NEEDED = 101;
    private static final int QUEUE_OVERFLOW = 1204;

    /** Statuses after which all later requests to a core return 101: timeouts, hardware errors, and errors of the program on the core. */
    private static final Set<Integer> FATAL =
            Set.of(5, 6, 1004, 1006, 1200, 1201, 1202, 1203, QUEUE_OVERFLOW, 1205, 1206);

    /** Causes that do not explain a timeout: only the results are in doubt, or another line contains the cause. */
    private static final Set<RuntimeCause> EXPLAINING_NOTHING =
            EnumSet.of(RuntimeCause.NUMERICAL, RuntimeCause.NOT_INITIALISED, RuntimeCause.COLLECTIVES_MISSING);

    /** Causes on the other cores when a core itself hangs. */
    private static final Set<RuntimeCause> OF_ANOTHER_CORE =
            EnumSet.of(RuntimeCause.HANG_ON_COLLECTIVES, RuntimeCause.RANK_GONE);

    /**
     * Creates a report with its own copy of the lines.
     *
     * @param lines lines of the runtime
     * @param dgeNotifications true if DGE notifications were on
     */
    public RuntimeReport {
        lines = List.copyOf(lines);
    }

    /**
     * Returns all statuses.
     *
     * @return each once, in order, without successes
     */
    public List<RuntimeStatus> statuses() {
        return lines.stream().flatMap(line -> line.status().stream()).distinct().toList();
    }

    /**
     * Returns the lines that report untrusted results.
     *
     * @return the lines in order
     */
    public List<RuntimeLine> untrusted() {
        return lines.stream().filter(RuntimeLine::isUntrusted).toList();
    }

    /**
     * Finds the first line of a cause.
     *
     * @param cause the cause
     * @return the line
     */
    public Optional<RuntimeLine> first(RuntimeCause cause) {
        return lines.stream()
                .filter(line -> line.cause().filter(cause::equals).isPresent())
                .findFirst();
    }

    /**
     * Returns the line with the most severe verdict.
     *
     * @return the first such line; empty if there are no lines
     */
    public Optional<RuntimeLine> gravest() {
        return lines.stream().reduce((first, next) -> verdict(next).compareTo(verdict(first)) > 0 ? next : first);
    }

    /**
     * Returns the consequence for the core of a line, based on all lines. A failure that another line explains is no reason to suspect a
     * core.
     *
     * @param line a line of this report
     * @return the verdict
     */
    public CoreVerdict verdict(RuntimeLine line) {
        CoreVerdict alone = line.verdict();
        return alone == CoreVerdict.SUSPECT && isExplained(line) ? CoreVerdict.STAY : alone;
    }

    /**
     * Returns the lines that locate a line. A status has no device number, and its logical core may only have taken part. The location of
     * the cause is used instead.
     *
     * @param line a line of this report
     * @return the lines of its cause with numbers, or else those of the same status; the line itself if there are none
     */
    public List<RuntimeLine> placing(RuntimeLine line) {
        if (line.cause().isPresent() || line.device().isPresent() || line.core().isPresent()) {
            return List.of(line);
        }
        List<RuntimeLine> causes = placed(
                line,
                other -> other.cause()
                        .filter(cause -> isReturnedFor(cause, line))
                        .isPresent());
        if (!causes.isEmpty() || line.hasPlace()) {
            return causes.isEmpty() ? List.of(line) : causes;
        }
        List<RuntimeLine> same = placed(line, other -> other.status().equals(line.status()));
        return same.isEmpty() ? List.of(line) : same;
    }

    private List<RuntimeLine> placed(RuntimeLine line, Predicate<RuntimeLine> placing) {
        return lines.stream()
                .filter(RuntimeLine::hasPlace)
                .filter(other -> other.rank().equals(line.rank()))
                .filter(placing)
                .toList();
    }

    private static boolean isReturnedFor(RuntimeCause cause, RuntimeLine line) {
        return line.status()
                .filter(status -> cause.statuses().contains(status.code()))
                .isPresent();
    }

    /**
     * Returns the possible faults of a line, based on all lines.
     *
     * @param line a line of this report
     * @return the possible faults
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public Set<Fault> faults(RuntimeLine line) {
        if (line.cause().isPresent() && !mayBeNotifications(line) || !isExplained(line)) {
            return line.faults();
        }
        Set<Fault> explained = new LinkedHashSet<>();
        explaining(line).forEach(other -> explained.addAll(other.faults()));
        return explained.isEmpty() ? Set.of(Fault.SOFTWARE_QUEUE) : Collections.unmodifiableSet(explained);
    }

    private boolean isExplained(RuntimeLine line) {
        return !explaining(line).isEmpty() || mayBeNotifications(line);
    }

    /**
     * Returns whether DGE notifications may have filled a queue until the execution timed out.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public boolean mayBeNotifications(RuntimeLine line) {
        return dgeNotifications
                && (line.faults().contains(Fault.SOFTWARE_QUEUE)
                        || line.cause()
                                .filter(RuntimeCause.HANG_ON_COMPUTE::equals)
                                .isPresent());
    }

    /**
     * Returns the lines that explain a line without a definite cause.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public List<RuntimeLine> explaining(RuntimeLine line) {
        if (isStatus(line, RESET_NEEDED)) {
            return lines.stream().filter(RuntimeReport::isFatal).toList();
        }
        if (line.verdict() != CoreVerdict.SUSPECT) {
            return List.of();
        }
        return lines.stream()
                .filter(other -> other.verdict() != CoreVerdict.SUSPECT)
                .filter(other -> isStatus(other, QUEUE_OVERFLOW)
                        || isExplaining(other) && (other.stage() == Stage.EXECUTE || other.stage() == line.stage()))
                .filter(other -> line.cause().isEmpty()
                        || other.cause().filter(OF_ANOTHER_CORE::contains).isEmpty())
                .toList();
    }

    private static boolean isExplaining(RuntimeLine line) {
        return line.cause().filter(cause -> !EXPLAINING_NOTHING.contains(cause)).isPresent()
                && !line.isOfUnknownDevice();
    }

    private static boolean isFatal(RuntimeLine line) {
        return line.cause().isPresent()
                ? isExplaining(line) && line.stage() == Stage.EXECUTE
                : line.status().map(RuntimeStatus::code).filter(FATAL::contains).isPresent();
    }

    private static boolean isStatus(RuntimeLine line, int code) {
        return line.cause().isEmpty()
                && line.status().filter(status -> status.code() == code).isPresent();
    }

    /**
     * Returns a copy of this report with other texts.
     *
     * @param change conversion of a text, such as the removal of secrets
     * @return the report
     */
    public RuntimeReport withTexts(UnaryOperator<String> change) {
        return new RuntimeReport(
                lines.stream()
                        .map(line -> line.withText(change.apply(line.text())))
                        .toList(),
                dgeNotifications);
    }

    /**
     * Returns a copy of this report for a program with DGE notifications on or off.
     *
     * @param on true if they were on
     * @return the report
     */
    public RuntimeReport withDgeNotifications(boolean on) {
        return new RuntimeReport(lines, on);
    }
}
