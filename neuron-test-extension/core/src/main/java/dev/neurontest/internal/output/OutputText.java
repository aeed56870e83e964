package dev.neurontest.internal.output;

import dev.neurontest.internal.tensor.ValueSummary;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.TextTable;
import dev.neurontest.tensor.DType;
import dev.neurontest.tensor.TensorView;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** The attached text of the outputs of a test for human readers. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OutputText {

    private static final String SOUND = "nothing unusual";

    private OutputText() {}

    /**
     * Formats the outputs.
     *
     * @param outputs the outputs of a test
     * @return lines of text, each ended by a line break
     */
    public static String of(CollectedOutputs outputs) {
        String executed = outputs.executed().isEmpty()
                ? "No model was executed in the JVM of the test or by the profiler.\n"
                : outputs.executed().stream().map(OutputText::line).collect(Collectors.joining());
        String comparisons = outputs.series().stream()
                .flatMap(series -> series.shown().stream())
                .map(OutputRecord::comparison)
                .filter(comparison -> !comparison.isEmpty())
                .map("\n"::concat)
                .collect(Collectors.joining());
        return executed
                + (outputs.isEmpty() ? "" : "\n" + table(outputs) + "\n" + values(outputs) + hashes(outputs))
                + comparisons;
    }

    private static String line(ExecutedModel model) {
        String failed = model.lastFailure().isEmpty()
                ? ""
                : ", %s without outputs (%s)"
                        .formatted(CountText.of(model.executions() - model.completed()), model.lastFailure());
        return "%s: %s%s\n".formatted(model.place(), CountText.of(model.executions(), "execution"), failed);
    }

    /** Returns a table of what was found, one row for each output on each core. */
    static String table(CollectedOutputs outputs) {
        TextTable table = new TextTable("output", "core", "execution", ">examined", "dtype", "shape", "found");
        outputs.series().forEach(series -> {
            OutputOrigin origin = series.shown().map(OutputRecord::origin).orElse(series.origin());
            table.row(
                    origin.output().isEmpty() ? "all" : origin.quoted(),
                    origin.core(),
                    execution(outputs, origin),
                    CountText.of(series.examined()),
                    series.shown().map(OutputRecord::dtype).orElse(""),
                    series.shown()
                            .map(OutputRecord::shape)
                            .map(TensorView::shapeText)
                            .orElse(""),
                    series.shown().map(OutputText::found).orElse("not examined: " + series.whyNotRead()));
        });
        return table.within(TextTable.MESSAGE).toString();
    }

    private static String execution(CollectedOutputs outputs, OutputOrigin origin) {
        return outputs.executed().stream()
                .filter(each ->
                        each.model().equals(origin.model()) && each.core().equals(origin.core()))
                .findFirst()
                .map(each -> "%s of %s".formatted(CountText.of(origin.execution()), CountText.of(each.executions())))
                .orElse(Long.toString(origin.execution()));
    }

    private static String found(OutputRecord output) {
        String written =
                output.whyNotFilled().isEmpty() ? SOUND : "unknown whether it was written: " + output.whyNotFilled();
        return output.found().isEmpty() ? written : output.found();
    }

    private static String values(CollectedOutputs outputs) {
        TextTable table = new TextTable(
                "output", "core", ">values", ">least", ">most", ">zeros", ">NaN", ">infinite", ">unwritten");
        shown(outputs).forEach(output -> {
            ValueSummary values = output.values();
            table.row(
                    output.origin().quoted(),
                    output.origin().core(),
                    CountText.of(output.size()),
                    number(output, values.least()),
                    number(output, values.most()),
                    CountText.of(values.zeros()),
                    CountText.of(values.nan()),
                    CountText.of(values.infinite()),
                    output.whyNotFilled().isEmpty() ? CountText.of(output.unwritten()) : "unknown");
        });
        return table.within(TextTable.MESSAGE).toString();
    }

    private static List<OutputRecord> shown(CollectedOutputs outputs) {
        return outputs.series().stream()
                .flatMap(series -> series.shown().stream())
                .toList();
    }

    private static String hashes(CollectedOutputs outputs) {
        return shown(outputs).stream()
                .map(output -> "SHA-256 of %s: %s%s\n"
                        .formatted(
                                output.origin().text(),
                                output.hash(),
                                output.golden().isEmpty() ? "" : "; of its golden file: " + output.golden()))
                .collect(Collectors.joining("", "\n", ""));
    }

    private static String number(OutputRecord output, OptionalDouble value) {
        boolean isFloating = DType.of(output.dtype()).filter(DType::isFloating).isPresent();
        return value.isEmpty()
                ? ""
                : isFloating
                        ? String.format(Locale.ROOT, "%.4g", value.getAsDouble())
                        : Long.toString((long) value.getAsDouble());
    }
}
