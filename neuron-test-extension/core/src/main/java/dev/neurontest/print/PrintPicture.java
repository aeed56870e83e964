package dev.neurontest.print;

import static dev.neurontest.recording.Markup.escape;
import static dev.neurontest.recording.Markup.paragraph;
import static dev.neurontest.recording.Markup.section;

import dev.neurontest.tensor.HeatMap;
import dev.neurontest.tensor.TensorComparison;
import dev.neurontest.tensor.TensorView;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Prints as one page that needs nothing else: no script, no network. First what assertions found wanting, with maps of what was
 * expected, what was there, and how far they are apart; then a small map of each tensor.
 */
final class PrintPicture {

    private static final int SMALL = 32;
    private static final int LARGE = 48;
    private static final int MOST_CARDS = 128;
    private static final int MOST_COMPARED = 12;
    private static final long MOST_BYTES = 64L << 20;

    private static final String STYLE = """
            :root { color-scheme: light dark; --back: #fff; --card: #f6f8fa; --text: #1f2328; --mute: #59636e; --line: #d1d9e0;
              --fill: #0550ae; --below: #bc4c00; --nan: #d6008f; --inf: #1f2328; --bad: #cf222e; --warn: #9a6700; --warnback: #fff8c5; }
            @media (prefers-color-scheme: dark) { :root { --back: #0d1117; --card: #151b23; --text: #f0f6fc; --mute: #9198a1;
              --line: #3d444d; --fill: #79c0ff; --below: #ffa657; --nan: #ff4fc3; --inf: #f0f6fc; --bad: #f85149; --warn: #d29922;
              --warnback: #2b230d; } }
            * { box-sizing: border-box; }
            body { margin: 0 auto; max-width: 75rem; padding: 1rem; background: var(--back); color: var(--text);
              font: 15px/1.45 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
            h1 { font-size: 1.35rem; margin: 0; overflow-wrap: anywhere; }
            h2 { font-size: 1rem; margin: 0 0 .6rem; overflow-wrap: anywhere; }
            p { margin: .3rem 0; overflow-wrap: anywhere; }
            .mute { color: var(--mute); } .bad { color: var(--bad); }
            section, .doubt { margin: 1rem 0 0; padding: .9rem 1rem; border: 1px solid var(--line); border-radius: 8px; }
            .doubt { border-color: var(--warn); background: var(--warnback); } .doubt h2 { margin-top: .4rem; }
            .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: .7rem; }
            .card, .maps figure { background: var(--card); border-radius: 8px; padding: .6rem; min-width: 0; }
            .card b { display: block; font-size: .9rem; overflow-wrap: anywhere; }
            .card p { font-size: .8rem; margin: .1rem 0; }
            .maps { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: .7rem; margin: .7rem 0; }
            .maps figure { margin: 0; } figcaption { font-size: .85rem; margin: .4rem 0 0; overflow-wrap: anywhere; }
            .map { display: block; width: 100%; background: var(--back); border: 1px solid var(--line); shape-rendering: crispEdges; }
            .nan { fill: var(--nan); stroke: var(--nan); } .inf { fill: var(--inf); stroke: var(--inf); }
            .none { fill: none; } .card.marked { outline: 2px solid var(--nan); }
            .cross { fill: none; stroke: var(--back); stroke-width: 1px; shape-rendering: auto; vector-effect: non-scaling-stroke; }
            .nan, .inf { stroke-width: 3px; vector-effect: non-scaling-stroke; }
            .key { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 .7em; vertical-align: -.05em; }
            .key.above { background: var(--fill); } .key.under { background: var(--below); }
            .key.nan { background: var(--nan); } .key.inf { background: var(--inf); }
            .scroll { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .88rem; }
            th, td { text-align: right; padding: .15rem .7rem .15rem 0; white-space: nowrap; } th { color: var(--mute); font-weight: normal; }
            th:first-child, td:first-child { text-align: left; }
            @media (max-width: 30rem) { body { padding: .6rem; } section { padding: .7rem; } table { font-size: .8rem; }
              th, td { padding-right: .5rem; } .cards { grid-template-columns: repeat(2, 1fr); } }
            ul { margin: .2rem 0; padding-left: 1.2rem; } li { overflow-wrap: anywhere; }
            """;

    private final DevicePrints prints;

    private PrintPicture(DevicePrints prints) {
        this.prints = prints;
    }

    static String html(DevicePrints prints) {
        return new PrintPicture(prints.frozen()).page();
    }

    private String page() {
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>Device prints</title>
                <style>
                """ + STYLE + HeatPicture.style() + """
                </style>
                </head>
                <body>
                """ + head() + doubts() + noticed() + compared() + cards() + odd()
                + "</body>\n</html>\n";
    }

    private String head() {
        return "<h1>%s</h1>\n%s"
                .formatted(
                        escape(PrintText.headline(prints)),
                        paragraph("mute", prints.completeness().toString())
                                + paragraph(
                                        "mute",
                                        prints.prefixes().entrySet().stream()
                                                        .limit(8)
                                                        .map(each -> "%s \u00d7 %d"
                                                                .formatted(
                                                                        PrintNames.quoted(each.getKey()),
                                                                        each.getValue()))
                                                        .collect(Collectors.joining(" \u00b7 "))
                                                + (prints.prefixes().size() > 8 ? " \u00b7 \u2026" : "")));
    }

    private String doubts() {
        List<String> reasons = prints.doubts().stream().map(PrintText::line).toList();
        return reasons.isEmpty()
                ? ""
                : "<div class=\"doubt\" role=\"alert\">\n<h2>In doubt: prints may be missing</h2>\n%s</div>\n"
                        .formatted(list(reasons));
    }

    private String noticed() {
        return section("Noticed", list(PrintText.noticed(prints)));
    }

    private static String list(List<String> lines) {
        return lines.isEmpty()
                ? ""
                : lines.stream()
                        .map(each -> "<li>" + escape(each) + "</li>\n")
                        .collect(Collectors.joining("", "<ul>\n", "</ul>\n"));
    }

    private String compared() {
        List<ComparedPrint> all = prints.compared();
        String sections = all.stream().limit(MOST_COMPARED).map(this::compared).collect(Collectors.joining());
        return sections
                + (all.size() > MOST_COMPARED
                        ? paragraph(
                                "mute", "%d more comparisons are in the text.".formatted(all.size() - MOST_COMPARED))
                        : "");
    }

    private String compared(ComparedPrint compared) {
        TensorComparison comparison = compared.comparison();
        String content = paragraph("bad", ComparisonText.headline(comparison))
                + paragraph(
                        "mute",
                        "%s \u00b7 %s"
                                .formatted(
                                        prints.place(compared.print()), ComparisonText.described(comparison.actual())));
        if (comparison.isComparable() && comparison.actual().bytes().size() <= MOST_BYTES) {
            content += maps(comparison);
        }
        return section(PrintNames.label(compared.print()), content + table(comparison));
    }

    private static String maps(TensorComparison comparison) {
        HeatMap expected = map(comparison.expected(), LARGE);
        HeatMap actual = map(comparison.actual(), LARGE);
        HeatMap difference = comparison.differences(LARGE);
        double end = HeatPicture.end(expected);
        return "<div class=\"maps\">\n"
                + figure("expected", HeatPicture.ofMeans(expected, end), "strongest at \u00b1" + number(end))
                + figure("actual", HeatPicture.ofMeans(actual, end), "on the same scale")
                + figure(
                        "difference",
                        HeatPicture.ofGreatest(difference),
                        "the greatest of each cell, strongest at " + number(HeatPicture.end(difference)))
                + "</div>\n"
                + key(actual);
    }

    private static String figure(String title, HeatPicture picture, String caption) {
        return "<figure>%s<figcaption><b>%s</b> %s</figcaption></figure>\n"
                .formatted(picture.svg(title), title, escape(caption));
    }

    private static String key(HeatMap map) {
        return "<p class=\"mute\">%s<span class=\"key above\"></span>above 0<span class=\"key under\"></span>below 0"
                        .formatted(escape(cell(map)))
                + "<span class=\"key nan\"></span>NaN<span class=\"key inf\"></span>infinite</p>\n";
    }

    private static String cell(HeatMap map) {
        return map.blockWidth() == 1 && map.blockHeight() == 1
                ? "A cell is one value."
                : "A cell is the mean of %d rows \u00d7 %d columns.".formatted(map.blockHeight(), map.blockWidth());
    }

    private static String table(TensorComparison comparison) {
        if (comparison.first().isEmpty()) {
            return "";
        }
        String rows = comparison.first().stream()
                .map(ComparisonText::cells)
                .map(cells -> "<tr>%s</tr>\n"
                        .formatted(Arrays.stream(cells)
                                .map(cell -> "<td>" + escape(cell) + "</td>")
                                .collect(Collectors.joining())))
                .collect(Collectors.joining());
        long more = comparison.mismatches() - comparison.first().size();
        return "<div class=\"scroll\"><table>\n<tr><th>index</th><th>expected</th><th>actual</th><th>difference</th><th>ULP</th></tr>\n%s</table></div>\n%s"
                .formatted(rows, more > 0 ? paragraph("mute", "and %d more".formatted(more)) : "");
    }

    private String cards() {
        PrintAttachments drawn = PrintAttachments.of(prints, MOST_CARDS, MOST_BYTES);
        String cards = drawn.chosen().stream().map(this::card).collect(Collectors.joining());
        if (cards.isEmpty()) {
            return "";
        }
        return section(
                "Prints, as they arrived",
                paragraph("mute", "Each map has a scale of its own; a cell is the mean of its values.")
                        + "<div class=\"cards\">\n" + cards + "</div>\n"
                        + (drawn.left() > 0
                                ? paragraph(
                                        "mute",
                                        "%d more are not drawn, since there are too many or they are too large."
                                                .formatted(drawn.left()))
                                : ""));
    }

    private String card(DevicePrint print) {
        TensorView tensor = print.tensor();
        String label = PrintNames.label(print);
        String picture = tensor.isDecodable()
                ? HeatPicture.ofMeans(map(tensor, SMALL)).svg(label)
                : paragraph("mute", "not decoded: " + tensor.trouble());
        return "<div class=\"card%s\">%s<b>%s</b>%s%s</div>\n"
                .formatted(
                        prints.summary(print).nan() > 0 ? " marked" : "",
                        picture,
                        escape(label),
                        paragraph(
                                "mute",
                                "%s \u00b7 %s".formatted(prints.place(print), ComparisonText.described(tensor))),
                        tensor.isDecodable() ? values(print, tensor) : "");
    }

    private String values(DevicePrint print, TensorView tensor) {
        ValueSummary summary = prints.summary(print);
        String range = paragraph(
                "mute",
                "%s \u2026 %s"
                        .formatted(
                                ValueSummary.shown(tensor, summary.least()),
                                ValueSummary.shown(tensor, summary.most())));
        return range
                + (summary.nan() > 0 ? paragraph("bad", summary.nan() + " NaN") : "")
                + (summary.infinite() > 0 ? paragraph("bad", summary.infinite() + " infinite") : "");
    }

    private String odd() {
        List<OddEvent> odd = prints.oddEvents();
        return section(
                "No prints, kept as they came",
                list(odd.stream()
                        .limit(8)
                        .map(event ->
                                "event %d on core %d: %s".formatted(event.order(), event.coreIndex(), event.reason()))
                        .toList()));
    }

    private static HeatMap map(TensorView tensor, int cells) {
        return HeatMap.of(tensor.shape(), cells, tensor::number);
    }

    private static String number(double value) {
        return ComparisonText.difference(value);
    }
}
