package dev.neurontest.internal.status;

import dev.neurontest.internal.text.ListText;
import dev.neurontest.runtime.RuntimeCause;
import dev.neurontest.runtime.RuntimeLine;
import dev.neurontest.runtime.RuntimeReport;
import dev.neurontest.runtime.RuntimeStatus;
import dev.neurontest.runtime.RuntimeStatus.Fault;
import dev.neurontest.runtime.RuntimeStatus.Stage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The explanation of the runtime's reports: the event, the possible faults, the deciding evidence, and the next step. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RuntimeExplanation {

    private static final int MOST = 5;

    private RuntimeExplanation() {}

    /**
     * Explains a report.
     *
     * @param report the report of a program
     * @return paragraphs of indented lines, one for each status and each cause; a status that a cause explains has no paragraph
     */
    public static String of(RuntimeReport report) {
        List<String> paragraphs = new ArrayList<>();
        List<RuntimeLine> explained = new ArrayList<>();
        for (RuntimeLine line : report.lines()) {
            if (explained.stream().anyMatch(other -> isAlike(line, other)) || isRepeated(report, line)) {
                continue;
            }
            explained.add(line);
            paragraphs.add(paragraph(report, line));
        }
        String more = paragraphs.size() <= MOST
                ? ""
                : "\n  %s more of the runtime's reports are in its output.\n".formatted(paragraphs.size() - MOST);
        return paragraphs.stream().limit(MOST).collect(Collectors.joining()) + more;
    }

    private static boolean isAlike(RuntimeLine line, RuntimeLine other) {
        return line.cause().isPresent()
                ? line.cause().equals(other.cause())
                : other.cause().isEmpty() && line.status().equals(other.status());
    }

    /** Checks whether a cause of the same status is also reported. Then the cause explains the status. */
    private static boolean isRepeated(RuntimeReport report, RuntimeLine line) {
        return line.cause().isEmpty()
                && report.lines().stream()
                        .filter(other -> other.cause().isPresent())
                        .anyMatch(other -> other.status().equals(line.status()));
    }

    private static String paragraph(RuntimeReport report, RuntimeLine line) {
        StringBuilder text = new StringBuilder("\n  ").append(headline(line)).append('\n');
        if (line.cause().isPresent()) {
            text.append("    It printed: ").append(line.text()).append('\n');
        }
        List<RuntimeLine> explaining = report.explaining(line);
        Set<Fault> faults = report.faults(line);
        if (!explaining.isEmpty() && line.cause().isEmpty()) {
            text.append("    Explained by: %s.\n"
                    .formatted(explaining.stream()
                            .map(RuntimeExplanation::named)
                            .distinct()
                            .collect(Collectors.joining("; "))));
            return text.toString();
        }
        if (!faults.isEmpty()) {
            text.append("    ").append(possible(faults)).append('\n');
        }
        if (line.cause().isEmpty()) {
            line.status()
                    .map(RuntimeStatus::evidence)
                    .filter(evidence -> !evidence.isEmpty() && faults.size() != 1)
                    .ifPresent(evidence -> text.append("    Decisive evidence: %s.\n".formatted(evidence)));
        }
        ranks(report, line).ifPresent(ranks -> text.append("    Failed differently: %s.\n".formatted(ranks)));
        String advice = advice(report, line);
        if (!advice.isEmpty()) {
            text.append("    Next: ").append(advice).append('\n');
        }
        return text.toString();
    }

    private static String headline(RuntimeLine line) {
        String title = line.status().map(RuntimeStatus::toString).orElse("The runtime reports a fault");
        String stage = line.stage() == Stage.UNKNOWN ? "" : " " + line.stage().phrase();
        String meaning = line.cause()
                .map(RuntimeCause::meaning)
                .or(() -> line.status().map(RuntimeStatus::meaning))
                .orElse("");
        return title + stage + place(line) + ": " + meaning;
    }

    /** Returns the place of an event. A program in a container counts devices and cores from 0, so these are its own numbers. */
    private static String place(RuntimeLine line) {
        List<String> numbers = new ArrayList<>();
        line.device().ifPresent(number -> numbers.add("device " + number));
        line.core().ifPresent(number -> numbers.add("core " + number));
        line.logicalCore().ifPresent(number -> numbers.add("logical core " + number));
        List<String> parts = new ArrayList<>();
        if (!numbers.isEmpty()) {
            parts.add(String.join(", ", numbers) + " as printed");
        }
        line.rank().ifPresent(number -> parts.add("rank " + number));
        return parts.isEmpty() ? "" : " (" + String.join(", ", parts) + ")";
    }

    /**
     * Returns status and meaning of a line.
     *
     * @param line the line of a report
     * @return for example {@code NRT_FAILURE (1), cores that another process has}
     */
    public static String named(RuntimeLine line) {
        return Stream.concat(
                        line.status().map(RuntimeStatus::toString).stream(),
                        line
                                .cause()
                                .map(RuntimeCause::meaning)
                                .or(() -> line.status().map(RuntimeStatus::meaning))
                                .stream())
                .collect(Collectors.joining(", "));
    }

    private static Optional<String> ranks(RuntimeReport report, RuntimeLine line) {
        if (!line.faults().contains(Fault.RANK)) {
            return Optional.empty();
        }
        Set<Integer> others = new TreeSet<>();
        report.lines().stream()
                .filter(other -> !other.faults().contains(Fault.RANK))
                .forEach(other -> other.rank().ifPresent(others::add));
        return others.isEmpty()
                ? Optional.empty()
                : Optional.of((others.size() == 1 ? "rank " : "ranks ") + ListText.some(others, 8));
    }

    /**
     * Returns the advice for a line.
     *
     * @param report the report with all lines
     * @param line the line of the report
     * @return one or two sentences
     */
    public static String advice(RuntimeReport report, RuntimeLine line) {
        if (report.mayBeNotifications(line)) {
            return RuntimeCause.DGE_NOTIFICATIONS.advice();
        }
        return line.cause()
                .map(RuntimeCause::advice)
                .or(() -> line.status().map(status -> status.advice(line.stage())))
                .orElse("");
    }

    /**
     * Formats faults as a sentence.
     *
     * @param faults the possible faults, at least one
     * @return for example {@code Possible causes: the kernel or model, or its inputs.}
     */
    public static String possible(Collection<Fault> faults) {
        List<String> phrases = faults.stream().map(Fault::phrase).toList();
        int last = phrases.size() - 1;
        return last == 0
                ? "Cause: " + phrases.get(0) + "."
                : "Possible causes: %s, or %s."
                        .formatted(String.join(", ", phrases.subList(0, last)), phrases.get(last));
    }
}
