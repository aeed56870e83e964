package dev.neurontest.internal.cluster.agent;

import dev.neurontest.internal.process.Redaction;
import dev.neurontest.internal.text.VisibleText;
import java.util.ArrayDeque;
import java.util.Deque;

/** The last lines that a launcher, a login shell or an agent printed besides answers. */
final class LastLines {

    /** The longest part of a line that is kept. */
    static final int LONGEST = 400;

    private static final int MOST = 10;

    private final Deque<String> lines = new ArrayDeque<>();
    private long bytes;

    synchronized void add(String line) {
        bytes += line.length() + 1;
        if (line.isBlank()) {
            return;
        }
        lines.add(line.length() > LONGEST ? line.substring(0, LONGEST) + " ..." : line);
        if (lines.size() > MOST) {
            lines.remove();
        }
    }

    /** Returns the length of all lines so far. */
    synchronized long bytes() {
        return bytes;
    }

    /** Returns the lines as the end of a message. */
    synchronized String text() {
        if (lines.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder("\n  last lines of its launcher:");
        lines.forEach(line -> text.append("\n    ").append(VisibleText.line(Redaction.mask(line))));
        return text.toString();
    }
}
