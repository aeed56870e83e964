package dev.neurontest.report;

import static dev.neurontest.recording.Markup.escape;

import java.util.List;

/** A table of the page. On a narrow screen each row becomes a card whose cells say their headings, or columns that matter less are left out. */
final class PageTable {

    private final String kind;
    private final String caption;
    private final List<String> headings;
    private final StringBuilder rows = new StringBuilder();

    /**
     * A table whose rows become cards.
     *
     * @param headings one that begins with {@code >} aligns its column to the right
     */
    static PageTable cards(String caption, String... headings) {
        return new PageTable("cards", caption, headings);
    }

    /**
     * A table whose rows stay rows.
     *
     * @param headings one that begins with {@code ?} is left out on a narrow screen
     */
    static PageTable rows(String caption, String... headings) {
        return new PageTable("rows", caption, headings);
    }

    private PageTable(String kind, String caption, String... headings) {
        this.kind = kind;
        this.caption = caption;
        this.headings = List.of(headings);
    }

    /** Adds a row of what is not markup yet. */
    PageTable row(String... texts) {
        return markup("", List.of(texts).stream().map(each -> escape(each)).toArray(String[]::new));
    }

    /**
     * Adds a row of markup.
     *
     * @param emphasis {@code bad}, or nothing
     */
    PageTable markup(String emphasis, String... cells) {
        rows.append(emphasis.isEmpty() ? "<tr>" : "<tr class=\"" + emphasis + "\">");
        for (int column = 0; column < cells.length; column++) {
            String heading = headings.get(column);
            String label = kind.equals("cards") ? " data-label=\"" + escape(name(heading)) + "\"" : "";
            rows.append("<td%s%s>%s</td>"
                    .formatted(
                            label, style(heading), cells[column].isEmpty() ? "" : "<div>" + cells[column] + "</div>"));
        }
        rows.append("</tr>\n");
        return this;
    }

    private static String name(String heading) {
        return heading.startsWith(">") || heading.startsWith("?") ? heading.substring(1) : heading;
    }

    private static String style(String heading) {
        return heading.startsWith(">") ? " class=\"number\"" : heading.startsWith("?") ? " class=\"spare\"" : "";
    }

    /** The table; nothing without rows. */
    String html() {
        if (rows.isEmpty()) {
            return "";
        }
        StringBuilder head = new StringBuilder();
        for (String heading : headings) {
            head.append("<th scope=\"col\"%s>%s</th>".formatted(style(heading), escape(name(heading))));
        }
        return "<table class=\"%s\">\n%s<thead><tr>%s</tr></thead>\n<tbody>\n%s</tbody></table>\n"
                .formatted(kind, caption.isEmpty() ? "" : "<caption>" + escape(caption) + "</caption>\n", head, rows);
    }
}
