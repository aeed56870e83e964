package dev.neurontest.internal.print;

import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.MeasuredTest;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.page.PageTemplate;
import dev.neurontest.internal.tensor.HeatMap;
import dev.neurontest.internal.tensor.TensorComparison;
import dev.neurontest.internal.tensor.TensorComparisonText;
import dev.neurontest.internal.tensor.ValueSummary;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.tensor.TensorView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A self-contained page of prints, without scripts and network access. It begins with the test, its verdict and the faulty prints. Prints of failed assertions have
 * maps of the expected and actual values and of their differences. Prints with values that are not finite follow. Then there is a small
 * map of each tensor, on a common scale for its prefix or on its own scale.
 */
final class PrintPicture {

    private static final PageTemplate PAGE = PageTemplate.of(PrintPicture.class, "prints");

    private static final int SMALL = 32;
    private static final int LARGE = 48;
    private static final int MOST_CARDS = 128;
    private static final int MOST_COMPARED = 12;
    private static final int MOST_NOT_FINITE = 4;
    private static final int MOST_ROWS = 64;
    private static final int ROWS_AT_ONCE = 10;
    private static final int MOST_ODD = 8;
    private static final int MOST_CORES = 8;
    private static final int MOST_PREFIXES = 8;
    private static final long MOST_BYTES = 64L << 20;

    private final MeasuredTest test;
    private final DevicePrints prints;
    private final PrintAttachments drawn;
    private final String commonPlace;
    private final Map<Long, TensorComparison> failedComparisons = new HashMap<>();
    private final Map<Long, HeatPicture> maps = new HashMap<>();
    private final Map<String, Double> ends = new LinkedHashMap<>();

    private PrintPicture(MeasuredTest test, DevicePrints prints) {
        this.test = prints.compared().isEmpty() || test.passed() ? test : failedComparison(test, prints);
        this.prints = prints;
        this.drawn = PrintAttachments.of(prints, MOST_CARDS, MOST_BYTES);
        List<String> places =
                drawn.chosen().stream().map(this::where).distinct().toList();
        this.commonPlace = places.size() == 1 ? places.get(0) : "";
        prints.compared()
                .forEach(each -> failedComparisons.putIfAbsent(each.print().order(), each.comparison()));
        drawn.chosen().stream().filter(print -> print.tensor().isDecodable()).forEach(print -> {
            HeatPicture map = HeatPicture.ofMeans(map(print.tensor(), SMALL));
            maps.put(print.order(), map);
            if (prints.summary(print).least().isPresent()) {
                ends.merge(print.prefix(), map.end(), Math::max);
            }
        });
    }

    /** Adds the failed comparisons of the test's own assertions to its judgement. */
    private static MeasuredTest failedComparison(MeasuredTest test, DevicePrints prints) {
        List<Judgement> judgements = new ArrayList<>(List.of(test.judgement()));
        prints.compared()
                .forEach(each -> judgements.add(Judgement.of(new Violation(
                        "comparison of " + PrintNames.label(each.print()),
                        PrintNames.label(each.print()),
                        "the expected values",
                        TensorComparisonText.headline(each.comparison()),
                        ""))));
        return new MeasuredTest(test.name(), test.cores(), Judgement.of(judgements), false);
    }

    static String html(MeasuredTest test, DevicePrints prints) {
        return PAGE.fill(new PrintPicture(test, prints.frozen()));
    }

    String title() {
        return "Device prints in " + test.name();
    }

    MeasuredTest test() {
        return test;
    }

    String cores() {
        return ListText.some(test.cores(), MOST_CORES);
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
                        .map(each -> "%s \u00d7 %s".formatted(PrintNames.quoted(each.getKey()), each.getValue()))
                        .collect(Collectors.joining(" \u00b7 "))
                + (prints.prefixes().size() > MOST_PREFIXES ? " \u00b7 \u2026" : "");
    }

    List<String> doubts() {
        return prints.doubts().stream().map(PrintText::line).toList();
    }

    List<String> noticed() {
        return PrintText.noticed(prints);
    }

    /**
     * Returns the prints of failed assertions, followed by the first print of each prefix with a value that is not finite. This print
     * shows the origin of such values.
     */
    List<Wrong> wrong() {
        return Stream.concat(
                        prints.compared().stream().limit(MOST_COMPARED).map(this::differing),
                        firstNotFinite()
                                .filter(print -> !failedComparisons.containsKey(print.order()))
                                .limit(MOST_NOT_FINITE)
                                .map(this::notFinite))
                .toList();
    }

    private Stream<DevicePrint> firstNotFinite() {
        Set<String> seen = new HashSet<>();
        return prints.notFinite().stream().filter(print -> seen.add(print.prefix()));
    }

    private Wrong differing(ComparedPrint each) {
        TensorComparison comparison = each.comparison();
        boolean isDrawn = comparison.isComparable()
                && !comparison.isPartial()
                && comparison.actual().bytes().size() <= MOST_BYTES;
        return new Wrong(
                PrintNames.label(each.print()),
                TensorComparisonText.headline(comparison),
                where(each.print()),
                isDrawn ? Optional.of(Maps.of(comparison)) : Optional.empty(),
                List.of("index", "expected", "actual", "difference", "ULP"),
                comparison.first(MOST_ROWS).stream()
                        .map(TensorComparisonText::cells)
                        .map(Arrays::asList)
                        .toList(),
                comparison.mismatches());
    }

    private Wrong notFinite(DevicePrint print) {
        TensorView tensor = print.tensor().written();
        ValueSummary summary = prints.summary(print);
        long[] indices = LongStream.range(0, tensor.size())
                .filter(flat -> !Double.isFinite(tensor.number(flat)))
                .limit(MOST_ROWS)
                .toArray();
        return new Wrong(
                PrintNames.label(print),
                notFinite(summary, tensor.size()),
                where(print),
                tensor.bytes().size() <= MOST_BYTES
                        ? Optional.of(
                                Maps.of(map(tensor, LARGE), summary.least().isPresent()))
                        : Optional.empty(),
                List.of("index", "actual"),
                LongStream.of(indices)
                        .mapToObj(flat -> List.of(tensor.index(flat).toString(), tensor.text(flat)))
                        .toList(),
                summary.nan() + summary.infinite());
    }

    private static String notFinite(ValueSummary summary, long size) {
        if (summary.nan() == size && size > 1) {
            return "all " + CountText.of(size, "value") + " are NaN";
        }
        return Stream.of(countOf(summary.nan(), "NaN"), countOf(summary.infinite(), "infinite"))
                        .filter(part -> !part.isEmpty())
                        .collect(Collectors.joining(" and "))
                + " of " + CountText.of(size, "value");
    }

    private static String countOf(long number, String what) {
        return number == 0 ? "" : CountText.of(number) + " " + what;
    }

    private String where(DevicePrint print) {
        return "%s \u00b7 %s".formatted(prints.place(print), TensorComparisonText.described(print.tensor()));
    }

    int moreCompared() {
        return Math.max(0, prints.compared().size() - MOST_COMPARED);
    }

    List<Card> cards() {
        return drawn.chosen().stream().map(this::card).toList();
    }

    /** Returns the place that all prints have in common; empty otherwise. It is shown only once. */
    String commonPlace() {
        return commonPlace;
    }

    /** Returns the end of the scale of each prefix. */
    String scales() {
        return ends.entrySet().stream()
                        .limit(MOST_PREFIXES)
                        .map(each -> "%s at \u00b1%s"
                                .formatted(
                                        PrintNames.quoted(each.getKey()),
                                        TensorComparisonText.difference(each.getValue())))
                        .collect(Collectors.joining(", "))
                + (ends.size() > MOST_PREFIXES ? ", \u2026" : "");
    }

    int notDrawn() {
        return drawn.notAttached();
    }

    private Card card(DevicePrint print) {
        return new Card(
                PrintNames.label(print),
                commonPlace.isEmpty() ? where(print) : "",
                print.tensor(),
                prints.summary(print),
                Optional.ofNullable(maps.get(print.order()))
                        .map(map -> map.scaledTo(ends.getOrDefault(print.prefix(), 0.0))),
                Optional.ofNullable(failedComparisons.get(print.order())));
    }

    List<String> odd() {
        return prints.oddEvents().stream()
                .limit(MOST_ODD)
                .map(event -> "event %s on core %s: %s".formatted(event.order(), event.coreIndex(), event.reason()))
                .toList();
    }

    private static HeatMap map(TensorView tensor, int cells) {
        return HeatMap.of(tensor.shape(), cells, tensor::number);
    }

    /** A faulty print with its maps and its first faulty values. */
    record Wrong(
            String label,
            String headline,
            String where,
            Optional<Maps> maps,
            List<String> columns,
            List<List<String>> values,
            long number) {

        List<List<String>> rows() {
            return values.subList(0, Math.min(ROWS_AT_ONCE, values.size()));
        }

        /** Returns the rows that are collapsed at first. */
        List<List<String>> otherRows() {
            return values.subList(rows().size(), values.size());
        }

        String others() {
            return more(number - rows().size());
        }

        String notListed() {
            return more(number - values.size());
        }

        private static String more(long number) {
            return number == 0 ? "" : CountText.of(number);
        }
    }

    /** A picture with a title and a caption. */
    record Figure(String title, HeatPicture picture, String caption) {}

    /** Pictures next to each other, and the meaning of a cell. */
    record Maps(List<Figure> figures, String cell) {

        /** Creates maps of the expected values, the actual values and the differences. */
        static Maps of(TensorComparison comparison) {
            HeatMap expected = map(comparison.expected(), LARGE);
            HeatMap actual = map(comparison.actual(), LARGE);
            HeatMap difference = comparison.differences(LARGE);
            // Expected zeros have no scale of their own: any other value would be as white as they are.
            double end = HeatPicture.end(expected) == 0 ? HeatPicture.end(actual) : HeatPicture.end(expected);
            return new Maps(
                    List.of(
                            new Figure(
                                    "expected",
                                    HeatPicture.ofMeans(expected, end),
                                    "strongest at \u00b1" + TensorComparisonText.difference(end)),
                            new Figure("actual", HeatPicture.ofMeans(actual, end), "on the same scale"),
                            new Figure(
                                    "difference",
                                    HeatPicture.ofGreatest(difference),
                                    "the greatest of each cell, strongest at "
                                            + TensorComparisonText.difference(HeatPicture.end(difference)))),
                    cell(actual));
        }

        static Maps of(HeatMap actual, boolean hasFinite) {
            HeatPicture picture = HeatPicture.ofMeans(actual);
            String caption = hasFinite
                    ? "strongest at \u00b1" + TensorComparisonText.difference(picture.end())
                    : "no finite value";
            return new Maps(List.of(new Figure("actual", picture, caption)), cell(actual));
        }

        private static String cell(HeatMap map) {
            return map.blockWidth() == 1 && map.blockHeight() == 1
                    ? "A cell is one value."
                    : "A cell is the mean of %s rows \u00d7 %s columns.".formatted(map.blockHeight(), map.blockWidth());
        }
    }

    /** A small view of a print. */
    record Card(
            String title,
            String where,
            TensorView tensor,
            ValueSummary summary,
            Optional<HeatPicture> picture,
            Optional<TensorComparison> failedComparison) {

        boolean isDecodable() {
            return tensor.isDecodable();
        }

        boolean isMarked() {
            return failedComparison.isPresent() || !summary.isFinite();
        }

        String trouble() {
            return tensor.trouble();
        }

        /** Returns a short description of a failed comparison. */
        Optional<String> difference() {
            return failedComparison.map(comparison -> comparison.isComparable()
                    ? "%s of %s differ"
                            .formatted(CountText.of(comparison.mismatches()), CountText.of(tensor.size(), "value"))
                    : "not comparable");
        }

        String nan() {
            return countOf(summary.nan(), "NaN");
        }

        String infinite() {
            return countOf(summary.infinite(), "infinite");
        }

        String range() {
            if (summary.least().isEmpty()) {
                return tensor.size() == 0 ? "no values" : "no finite value";
            }
            String least = ValueSummary.shown(tensor, summary.least().getAsDouble());
            String most = ValueSummary.shown(tensor, summary.most().getAsDouble());
            return least.equals(most) ? least : "%s \u2026 %s".formatted(least, most);
        }
    }
}
