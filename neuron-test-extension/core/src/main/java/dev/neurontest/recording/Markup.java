package dev.neurontest.recording;

import java.util.Locale;
import org.apiguardian.api.API;

/** Pieces of HTML and SVG. Whatever comes from outside passes {@link #escape}. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Markup {

    private Markup() {}

    /**
     * Makes text of whatever comes from outside.
     *
     * @param text any
     * @return the same for HTML, with what is no text replaced
     */
    public static String escape(String text) {
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

    /**
     * A coordinate, whatever the language of the machine.
     *
     * @param value any
     * @return with two digits
     */
    public static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /**
     * A position along a bar; what lies outside is shown at its end.
     *
     * @param part from 0 to 1
     * @return a percentage
     */
    public static String position(double part) {
        return number(100 * Math.max(0, Math.min(1, part))) + "%";
    }

    /**
     * A label, a bar and a value, one below the other on a narrow screen. Label and value are escaped here.
     *
     * @param label at its left
     * @param bar markup
     * @param value at its right
     * @return markup
     */
    public static String row(String label, String bar, String value) {
        return "<div class=\"row\"><span class=\"label\">%s</span>%s<span class=\"value\">%s</span></div>\n"
                .formatted(escape(label), bar, escape(value));
    }

    /**
     * A bar that is filled in part.
     *
     * @param part from 0 to 1
     * @param kind class of the filled part
     * @return markup
     */
    public static String bar(double part, String kind) {
        return svg("<rect class=\"%s\" width=\"%s\" height=\"100%%\"/>".formatted(kind, position(part)));
    }

    /**
     * A bar with shapes on it.
     *
     * @param shapes markup
     * @return markup
     */
    public static String svg(String shapes) {
        return "<svg class=\"bar\" aria-hidden=\"true\"><rect class=\"track\" width=\"100%\" height=\"100%\"/>" + shapes
                + "</svg>";
    }

    /**
     * A line across a bar.
     *
     * @param part where, from 0 to 1
     * @return markup
     */
    public static String line(double part) {
        return "<line class=\"tick\" x1=\"%s\" x2=\"%s\" y1=\"0\" y2=\"100%%\"/>"
                .formatted(position(part), position(part));
    }

    /**
     * A part of a page.
     *
     * @param title is escaped here
     * @param content markup; without any there is no section
     * @return markup
     */
    public static String section(String title, String content) {
        return content.isEmpty() ? "" : "<section>\n<h2>%s</h2>\n%s</section>\n".formatted(escape(title), content);
    }

    /**
     * A paragraph.
     *
     * @param kind its class
     * @param text is escaped here
     * @return markup
     */
    public static String paragraph(String kind, String text) {
        return "<p class=\"%s\">%s</p>\n".formatted(kind, escape(text));
    }
}
