package dev.neurontest.internal.command.doctor;

import dev.neurontest.internal.json.RecordWriter;
import dev.neurontest.internal.terminal.Style;
import dev.neurontest.internal.terminal.TerminalStyle;
import dev.neurontest.internal.text.CountText;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** Formatter of a diagnosis, for people and for programs. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class DiagnosisText {

    private static final int VERSION = 1;
    private static final int LEVEL = 4;
    private static final String INDENT = " ".repeat(17);
    private static final String NARROW_INDENT = " ".repeat(6);

    private DiagnosisText() {}

    /** Formats a diagnosis for people, as plain text. */
    public static String of(Diagnosis diagnosis) {
        return of(diagnosis, TerminalStyle.PLAIN);
    }

    /**
     * Formats a diagnosis for people at a terminal.
     *
     * @param style the colors and the width of the text
     */
    public static String of(Diagnosis diagnosis, TerminalStyle style) {
        StringBuilder text =
                new StringBuilder("%s on %s\n".formatted(style.show(Style.HEADING, "Neuron Test"), diagnosis.host()));
        for (DoctorFinding finding : diagnosis.findings()) {
            String lines = lines(finding, style);
            text.append(style.show(style(finding.level()), lines.substring(0, LEVEL)))
                    .append(lines.substring(LEVEL))
                    .append('\n');
        }
        long failed = diagnosis.count(DoctorFinding.Level.FAIL);
        long odd = diagnosis.count(DoctorFinding.Level.WARN);
        return text.append(
                        failed > 0
                                ? "%s of %s %s tests from running here.\n"
                                        .formatted(
                                                failed,
                                                CountText.of(
                                                        diagnosis.findings().size(), "finding"),
                                                failed == 1 ? "prevents" : "prevent")
                                : "Tests can run here%s.\n"
                                        .formatted(odd == 0 ? "" : "; " + CountText.of(odd, "warning")))
                .toString();
    }

    /**
     * Formats a diagnosis as JSON of version 1. The resource {@code neuron-diagnosis.schema.json} next to this class describes it:
     *
     * <pre>{@code
     * {"version": 1, "host": "/", "well": true,
     *  "findings": [{"area": "libnrt", "level": "warn", "code": "no-runtime", "what": "...", "advice": "..."}]}
     * }</pre>
     *
     * @param diagnosis what was found
     * @return JSON
     */
    public static String json(Diagnosis diagnosis) {
        List<Shown> findings = diagnosis.findings().stream().map(Shown::of).toList();
        return RecordWriter.text(new Report(VERSION, diagnosis.host(), diagnosis.isWell(), findings)) + "\n";
    }

    private record Report(int version, String host, boolean well, List<Shown> findings) {}

    private record Shown(String area, DoctorFinding.Level level, Optional<String> code, String what, String advice) {

        static Shown of(DoctorFinding finding) {
            return new Shown(
                    finding.area(),
                    finding.level(),
                    finding.code().map(Object::toString),
                    finding.what(),
                    finding.advice());
        }
    }

    private static Style style(DoctorFinding.Level level) {
        return switch (level) {
            case OK -> Style.PASSED;
            case WARN -> Style.UNDECIDED;
            case FAIL -> Style.FAILED;
        };
    }

    /** Returns the lines of a finding. On a terminal narrower than these lines, they are folded and have a smaller indent. */
    private static String lines(DoctorFinding finding, TerminalStyle style) {
        String what = "%-4s  %-10s %s".formatted(finding.level(), finding.area(), indented(finding.what()));
        String all = finding.advice().isEmpty() ? what : what + "\n" + INDENT + "-> " + indented(finding.advice());
        return style.width() == TerminalStyle.WIDEST
                ? all
                : all.lines()
                        .map(line -> style.folded(
                                line.startsWith(INDENT) ? NARROW_INDENT + line.strip() : line, NARROW_INDENT))
                        .collect(Collectors.joining("\n"));
    }

    private static String indented(String words) {
        return words.strip().lines().collect(Collectors.joining("\n" + INDENT));
    }
}
