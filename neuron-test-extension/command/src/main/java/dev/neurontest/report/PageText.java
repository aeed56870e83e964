package dev.neurontest.report;

import static dev.neurontest.recording.Markup.escape;

import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How the page writes moments, outcomes, names and quantities. */
final class PageText {

    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("d MMM yyyy", Locale.ENGLISH).withZone(ZoneOffset.UTC);

    private static final int MOST_LINES = 100;

    private static final Pattern LONG_NUMBER = Pattern.compile("\\d{10,}");

    private PageText() {}

    static String day(Instant at) {
        return DAY.format(at);
    }

    static String clock(Instant at) {
        return "<time datetime=\"%s\">%s</time>".formatted(at, CLOCK.format(at));
    }

    static String name(TestOutcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    static String badge(TestOutcome outcome) {
        return badge(name(outcome), name(outcome));
    }

    static String badge(String kind, String text) {
        return "<span class=\"badge %s\">%s</span>".formatted(kind, escape(text));
    }

    /** A name that someone chose: it is kept from changing the direction of what stands beside it. */
    static String isolated(String name) {
        return "<bdi>" + escape(name) + "</bdi>";
    }

    /** A name or number that may go on in the next line between its parts. */
    static String breakable(String text) {
        String places = LONG_NUMBER.matcher(text).matches() ? "(?<=\\d)(?=(\\d{3})+$)" : "(?<=[/_])";
        return escape(text).replaceAll(places, "<wbr/>");
    }

    static String quantity(double value, Metric metric) {
        return value >= 0 && !Double.isInfinite(value) && metric.unit() != Unit.TEXT
                ? new Quantity(value, metric.unit()).toString()
                : Double.toString(value);
    }

    /** Lines below a title, which may be empty; nothing without lines. */
    static String list(String title, List<String> lines) {
        if (lines.isEmpty()) {
            return "";
        }
        String items = lines.stream()
                .limit(MOST_LINES)
                .map(line -> "<li>" + escape(line) + "</li>\n")
                .collect(Collectors.joining());
        if (lines.size() > MOST_LINES) {
            items += "<li>and " + (lines.size() - MOST_LINES) + " more</li>\n";
        }
        return (title.isEmpty() ? "" : "<h4>" + escape(title) + "</h4>\n") + "<ul>\n" + items + "</ul>\n";
    }

    /** What is shown when asked for; nothing without content. */
    static String folded(String summary, String content) {
        return content.isEmpty()
                ? ""
                : "<details><summary>%s</summary>\n%s</details>\n".formatted(escape(summary), content);
    }
}
