package dev.neurontest.print;

/** Whatever comes from outside passes {@link #escape} on its way into HTML. */
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

    static String section(String title, String content) {
        return content.isEmpty() ? "" : "<section>\n<h2>%s</h2>\n%s</section>\n".formatted(escape(title), content);
    }

    static String paragraph(String kind, String text) {
        return "<p class=\"%s\">%s</p>\n".formatted(kind, escape(text));
    }
}
