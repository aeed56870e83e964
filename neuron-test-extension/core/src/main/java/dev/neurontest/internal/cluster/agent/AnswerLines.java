package dev.neurontest.internal.cluster.agent;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The lines of a stream, each of a limited length. */
final class AnswerLines {

    private final InputStream in;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

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
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next == '\n') {
                return line.toByteArray();
            }
            line.write(next);
            if (line.size() > Message.LONGEST) {
                throw new IOException("a line is longer than %s MiB".formatted(Message.LONGEST >> 20));
            }
        }
        return null;
    }

    /** Returns whether the stream ended within a line. */
    boolean isCut() {
        return line.size() > 0;
    }
}
