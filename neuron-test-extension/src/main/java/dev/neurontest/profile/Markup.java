package dev.neurontest.profile;

import java.util.Locale;

/** Pieces of HTML and SVG. Whatever comes from outside passes {@link #escape}. */
final class Markup {

    private Markup() {}

    static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            switch (point) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.appendCodePoint(isText(point) ? point : 0xFFFD);
            }
        });
        return escaped.toString();
    }

    private static boolean isText(int point) {
        return point == '\n'
                || point == '\t'
                || !Character.isISOControl(point) && Character.getType(point) != Character.SURROGATE;
    }

    /** A coordinate, whatever the language of the machine. */
    static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /** A position along a bar; what lies outside is shown at its end. */
    static String position(double part) {
        return number(100 * Math.max(0, Math.min(1, part))) + "%";
    }

    /** A label, a bar and a value, one below the other on a narrow screen. Label and value are escaped here. */
    static String row(String label, String bar, String value) {
        return "<div class=\"row\"><span class=\"label\">%s</span>%s<span class=\"value\">%s</span></div>\n"
                .formatted(escape(label), bar, escape(value));
    }

    static String bar(double part, String kind) {
        return svg("<rect class=\"%s\" width=\"%s\" height=\"100%%\"/>".formatted(kind, position(part)));
    }

    static String svg(String shapes) {
        return "<svg class=\"bar\" aria-hidden=\"true\"><rect class=\"track\" width=\"100%\" height=\"100%\"/>" + shapes
                + "</svg>";
    }

    static String line(double part) {
        return "<line class=\"tick\" x1=\"%s\" x2=\"%s\" y1=\"0\" y2=\"100%%\"/>"
                .formatted(position(part), position(part));
    }

    static String section(String title, String content) {
        return content.isEmpty() ? "" : "<section>\n<h2>%s</h2>\n%s</section>\n".formatted(escape(title), content);
    }

    static String paragraph(String kind, String text) {
        return "<p class=\"%s\">%s</p>\n".formatted(kind, escape(text));
    }
}
