package dev.neurontest.report.show;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.ComparisonText;
import dev.neurontest.text.CountText;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

/** Numbers as people read them, the same in every view. */
final class Words {

    private Words() {}

    /** A constant as a word. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** A comparison in one sentence, the verdict first. */
    static String comparison(Comparison comparison) {
        if (comparison.outcome() == ComparisonOutcome.NO_BASELINE) {
            return "missing for this stack: %s, %s%s"
                    .formatted(
                            comparison.key(),
                            CountText.of(comparison.sample().runs().size(), "run"),
                            new ComparisonText(comparison)
                                    .nearest()
                                    .map(nearest -> "; nearest: " + nearest)
                                    .orElse(""));
        }
        StringBuilder text = new StringBuilder(
                comparison.outcome() == ComparisonOutcome.NOT_WORSE && comparison.improved()
                        ? "improved"
                        : word(comparison.outcome()));
        text.append(": ").append(comparison.key());
        comparison
                .ratio()
                .ifPresent(ratio -> text.append(String.format(
                        Locale.ROOT,
                        ", %.3f times the baseline (%.3f to %.3f)",
                        ratio.value(),
                        ratio.low(),
                        ratio.high())));
        text.append(", margin %s, %s"
                .formatted(
                        percent(comparison.margin().value()),
                        CountText.of(comparison.sample().runs().size(), "run")));
        if (!comparison.reason().isEmpty()) {
            text.append(", ").append(comparison.reason().replace('-', ' '));
        }
        if (!comparison.decides().isEmpty()) {
            text.append("; would decide it: ").append(comparison.decides());
        }
        return text.toString();
    }

    static String percent(double part) {
        return new DecimalFormat("0.##", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(part * 100) + " %";
    }
}
