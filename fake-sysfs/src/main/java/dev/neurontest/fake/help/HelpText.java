package dev.neurontest.fake.help;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/** What can be written, and beside it what it does, in two columns of at most {@value #WIDTH} characters together. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HelpText {

    private static final int WIDTH = 100;
    private static final int WIDEST_LEFT = 40;
    private static final String INDENT = "  ";

    private final List<Line> lines = new ArrayList<>();

    private record Line(String written, String does) {}

    /** Has no line yet. */
    public HelpText() {}

    /**
     * Adds something.
     *
     * @param written what can be written; one that is too long has lines of its own
     * @param does what it does, in a sentence; may be empty
     * @return this
     */
    public HelpText add(String written, String does) {
        lines.add(new Line(written, does));
        return this;
    }

    /**
     * The answer to a command, which says first how many lines follow.
     *
     * @return such as {@code 30 lines follow}, and these
     */
    public String answer() {
        String text = toString();
        return "%s lines follow\n%s".formatted(text.lines().count(), text.stripTrailing());
    }

    /**
     * The columns.
     *
     * @return lines, the last one ended too
     */
    @Override
    public String toString() {
        int left = lines.stream()
                .mapToInt(line -> line.written().length())
                .filter(length -> length <= WIDEST_LEFT)
                .max()
                .orElse(0);
        String column = " ".repeat(left + 2 * INDENT.length());
        StringBuilder text = new StringBuilder();
        for (Line line : lines) {
            List<String> does = wrapped(line.does(), WIDTH - column.length());
            if (line.written().length() <= left) {
                text.append((INDENT + line.written() + column).substring(0, column.length()));
            } else {
                text.append(INDENT)
                        .append(String.join(
                                "\n" + INDENT.repeat(3),
                                wrapped(line.written(), WIDTH - INDENT.repeat(3).length())))
                        .append('\n')
                        .append(column);
            }
            text.append(String.join("\n" + column, does));
            // A column without a neighbour ends where its words end.
            text.setLength(text.toString().stripTrailing().length());
            text.append('\n');
        }
        return text.toString();
    }

    private static List<String> wrapped(String words, int width) {
        List<String> wrapped = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : words.split(" ")) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                wrapped.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        wrapped.add(line.toString());
        return wrapped;
    }
}
