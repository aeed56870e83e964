package dev.neurontest.internal.tensor;

import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.TextTable;
import dev.neurontest.tensor.TensorView;
import java.util.Locale;
import org.apiguardian.api.API;

/** Text of a comparison of two tensors: the number of differing values, the first differences and the worst. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TensorComparisonText {

    private TensorComparisonText() {}

    /**
     * Formats the comparison of a tensor.
     *
     * @param name name of the tensor, such as {@code print 17 "acc"}
     * @param comparison result of the comparison
     * @return lines of text, each ended by a line break
     */
    public static String of(String name, TensorComparison comparison) {
        return "%s, %s: %s\n%s"
                .formatted(name, described(comparison.actual()), headline(comparison), explained(comparison));
    }

    /** Returns dtype and shape of a tensor. */
    public static String described(TensorView tensor) {
        return tensor.dtypeName() + " " + tensor.shapeText();
    }

    /** Returns the number of differing values in one line, or the reason why the tensors cannot be compared. */
    public static String headline(TensorComparison comparison) {
        if (!comparison.isComparable()) {
            return comparison.whyNot();
        }
        if (comparison.isPartial() && comparison.mismatches() == 0) {
            return "undecided, because %s: %s"
                    .formatted(
                            comparison.compared() == 0
                                    ? "no value could be compared"
                                    : "only %s could be compared, and all are what was expected %s"
                                            .formatted(
                                                    CountText.of(comparison.compared(), "value"),
                                                    comparison.tolerance()),
                            abbreviated(comparison));
        }
        return "%s of %s%s %s what was expected %s"
                .formatted(
                        CountText.of(comparison.mismatches()),
                        CountText.of(comparison.compared(), "value"),
                        comparison.isPartial() ? " that could be compared" : "",
                        comparison.mismatches() == 1 ? "is not" : "are not",
                        comparison.tolerance());
    }

    private static String abbreviated(TensorComparison comparison) {
        return comparison.actual().isAbbreviated()
                ? "the actual tensor " + comparison.actual().notDecodable()
                : "the expected tensor " + comparison.expected().notDecodable();
    }

    private static String explained(TensorComparison comparison) {
        StringBuilder text = new StringBuilder();
        if (!comparison.first().isEmpty()) {
            TextTable table = new TextTable("index", ">expected", ">actual", ">difference", ">ULP");
            comparison.first().forEach(mismatch -> table.row(cells(mismatch)));
            text.append('\n').append(table.within(TextTable.MESSAGE));
            long more = comparison.mismatches() - comparison.first().size();
            if (more > 0) {
                text.append("and ").append(CountText.of(more)).append(" more\n");
            }
        }
        comparison
                .worst()
                .filter(worst -> comparison.mismatches() > 1)
                .ifPresent(worst -> text.append("\nWorst: %s, expected %s, was %s%s\n"
                        .formatted(worst.index(), worst.expected(), worst.actual(), distance(worst))));
        if (comparison.first().stream().anyMatch(Mismatch::hasTwoNaN)) {
            text.append(
                    "NaN is equal to nothing, even where it is expected. Tolerance.withNanEqualToNan() accepts it.\n");
        }
        if (comparison.isComparable()) {
            text.append("Expected: %s\n".formatted(described(comparison.expected())));
        }
        return text.toString();
    }

    private static String distance(Mismatch mismatch) {
        return mismatch.ulps().isPresent()
                ? ", %s ULP apart".formatted(CountText.of(mismatch.ulps().getAsLong()))
                : "";
    }

    /** Returns index, expected and actual value, difference, and distance in ULP as cells of a table. */
    public static String[] cells(Mismatch mismatch) {
        return new String[] {
            mismatch.index().toString(),
            mismatch.expected(),
            mismatch.actual(),
            difference(mismatch.difference()),
            mismatch.ulps().isPresent() ? CountText.of(mismatch.ulps().getAsLong()) : ""
        };
    }

    /** Formats a difference with four digits. */
    public static String difference(double difference) {
        return Double.isNaN(difference)
                ? "nan"
                : Double.isInfinite(difference) ? "inf" : String.format(Locale.ROOT, "%.4g", difference);
    }
}
