package dev.neurontest.internal.cluster.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The lines of a stream, each of a limited length. */
final class AnswerLines {

    private final InputStream in;
    private final byte[] block = new byte[1 << 16];
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private int from;
    private int end;

    /** Creates the lines of a stream, which needs no buffer of its own. */
    AnswerLines(InputStream in) {
        this.in = in;
    }

    /**
     * Returns the next line without its line end; null at the end of the stream. A last line without a line end is incomplete and left out.
     *
     * @throws IOException if the stream is broken, or a line is longer than any message
     */
    byte @Nullable [] next() throws IOException {
        line.reset();
        while (from < end || fill()) {
            int lineEnd = from;
            while (lineEnd < end && block[lineEnd] != '\n') {
                lineEnd++;
            }
            line.write(block, from, lineEnd - from);
            from = lineEnd + 1;
            if (line.size() > Message.LONGEST) {
                throw new IOException("a line is longer than %s MiB".formatted(Message.LONGEST >> 20));
            }
            if (lineEnd < end) {
                return line.toByteArray();
            }
        }
        return null;
    }

    private boolean fill() throws IOException {
        from = 0;
        end = Math.max(0, in.read(block));
        return end > 0;
    }

    /** Returns whether the stream ended within a line. */
    boolean isCut() {
        return line.size() > 0;
    }
}
