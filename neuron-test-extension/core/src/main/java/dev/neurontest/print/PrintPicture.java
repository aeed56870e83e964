package dev.neurontest.print;

import dev.neurontest.page.PageTemplate;
import dev.neurontest.tensor.HeatMap;
import dev.neurontest.tensor.TensorComparison;
import dev.neurontest.tensor.TensorView;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Prints as one page that needs nothing else: no script, no network. First what assertions found wanting, with maps of what was
 * expected, what was there, and how far they are apart; then a small map of each tensor.
 */
final class PrintPicture {

    private static final PageTemplate PAGE = PageTemplate.of(PrintPicture.class, "prints");

    private static final int SMALL = 32;
    private static final int LARGE = 48;
    private static final int MOST_CARDS = 128;
    private static final int MOST_COMPARED = 12;
    private static final int MOST_ODD = 8;
    private static final int MOST_PREFIXES = 8;
    private static final long MOST_BYTES = 64L << 20;

    private final DevicePrints prints;
    private final PrintAttachments drawn;

    private PrintPicture(DevicePrints prints) {
        this.prints = prints;
        this.drawn = PrintAttachments.of(prints, MOST_CARDS, MOST_BYTES);
    }

    static String html(DevicePrints prints) {
        return PAGE.fill(new PrintPicture(prints.frozen()));
    }

    String title() {
        return "Device prints";
    }

    String headline() {
        return PrintText.headline(prints);
    }

    String completeness() {
        return prints.completeness().toString();
    }

    String prefixes() {
        return prints.prefixes().entrySet().stream()
                        .limit(MOST_PREFIXES)
                        .map(each -> "%s \u00d7 %d".formatted(PrintNames.quoted(each.getKey()), each.getValue()))
                        .collect(Collectors.joining(" \u00b7 "))
                + (prints.prefixes().size() > MOST_PREFIXES ? " \u00b7 \u2026" : "");
    }

    List<String> doubts() {
        return prints.doubts().stream().map(PrintText::line).toList();
    }

    List<String> noticed() {
        return PrintText.noticed(prints);
    }

    List<Compared> compared() {
        return prints.compared().stream()
                .limit(MOST_COMPARED)
                .map(each -> new Compared(
                        PrintNames.label(each.print()),
                        prints.place(each.print()) + " \u00b7 "
                                + ComparisonText.described(each.comparison().actual()),
                        each.comparison()))
                .toList();
    }

    int moreCompared() {
        return Math.max(0, prints.compared().size() - MOST_COMPARED);
    }

    List<Card> cards() {
        return drawn.chosen().stream().map(this::card).toList();
    }

    int notDrawn() {
        return drawn.left();
    }

    private Card card(DevicePrint print) {
        return new Card(
                PrintNames.label(print),
                "%s \u00b7 %s".formatted(prints.place(print), ComparisonText.described(print.tensor())),
                print.tensor(),
                prints.summary(print));
    }

    List<String> odd() {
        return prints.oddEvents().stream()
                .limit(MOST_ODD)
                .map(event -> "event %d on core %d: %s".formatted(event.order(), event.coreIndex(), event.reason()))
                .toList();
    }

    private static HeatMap map(TensorView tensor, int cells) {
        return HeatMap.of(tensor.shape(), cells, tensor::number);
    }

    /** What an assertion found wanting. */
    record Compared(String label, String where, TensorComparison comparison) {

        String headline() {
            return ComparisonText.headline(comparison);
        }

        Optional<Maps> maps() {
            return comparison.isComparable() && comparison.actual().bytes().size() <= MOST_BYTES
                    ? Optional.of(new Maps(
                            map(comparison.expected(), LARGE),
                            map(comparison.actual(), LARGE),
                            comparison.differences(LARGE)))
                    : Optional.empty();
        }

        List<List<String>> rows() {
            return comparison.first().stream()
                    .map(ComparisonText::cells)
                    .map(Arrays::asList)
                    .toList();
        }

        long more() {
            return Math.max(0, comparison.mismatches() - comparison.first().size());
        }
    }

    /** A picture with words below. */
    record Figure(String title, HeatPicture picture, String caption) {}

    /** What was expected, what was there, and how far they are apart. */
    record Maps(HeatMap expected, HeatMap actual, HeatMap difference) {

        List<Figure> figures() {
            double end = HeatPicture.end(expected);
            return List.of(
                    new Figure(
                            "expected",
                            HeatPicture.ofMeans(expected, end),
                            "strongest at \u00b1" + ComparisonText.difference(end)),
                    new Figure("actual", HeatPicture.ofMeans(actual, end), "on the same scale"),
                    new Figure(
                            "difference",
                            HeatPicture.ofGreatest(difference),
                            "the greatest of each cell, strongest at "
                                    + ComparisonText.difference(HeatPicture.end(difference))));
        }

        String cell() {
            return actual.blockWidth() == 1 && actual.blockHeight() == 1
                    ? "A cell is one value."
                    : "A cell is the mean of %d rows \u00d7 %d columns."
                            .formatted(actual.blockHeight(), actual.blockWidth());
        }
    }

    /** A print, small. */
    record Card(String title, String where, TensorView tensor, ValueSummary summary) {

        boolean isDecodable() {
            return tensor.isDecodable();
        }

        Optional<HeatPicture> picture() {
            return isDecodable() ? Optional.of(HeatPicture.ofMeans(map(tensor, SMALL))) : Optional.empty();
        }

        String trouble() {
            return tensor.trouble();
        }

        String range() {
            return "%s \u2026 %s"
                    .formatted(ValueSummary.shown(tensor, summary.least()), ValueSummary.shown(tensor, summary.most()));
        }
    }
}
