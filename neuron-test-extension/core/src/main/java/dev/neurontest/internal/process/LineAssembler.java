package dev.neurontest.internal.process;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Makes lines of the blocks that are read. A carriage return ends a line too, since progress bars use nothing else. A line
 * that is too long is cut, with the size of what was left out.
 */
final class LineAssembler {

    static final int LONGEST = 64 << 10;

    private final int longest;
    private final Consumer<String> lines;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private long cut;

    /** @param lines gets each line with its end */
    LineAssembler(Consumer<String> lines) {
        this(LONGEST, lines);
    }

    LineAssembler(int longest, Consumer<String> lines) {
        this.longest = longest;
        this.lines = lines;
    }

    void read(byte[] block, int length) {
        int start = 0;
        for (int at = 0; at < length; at++) {
            if (block[at] == '\n' || block[at] == '\r') {
                keep(block, start, at);
                pass(block[at] == '\n' ? "\n" : "\r");
                start = at + 1;
            }
        }
        keep(block, start, length);
    }

    /** Passes on what has no end of line. */
    void end() {
        if (line.size() > 0) {
            pass("");
        }
    }

    private void keep(byte[] block, int start, int end) {
        int kept = Math.min(end - start, longest - line.size());
        line.write(block, start, kept);
        cut += end - start - kept;
    }

    private void pass(String ending) {
        String text = line.toString(StandardCharsets.UTF_8);
        String remark = cut == 0 ? "" : " [... %s bytes of this line left out ...]".formatted(cut);
        line.reset();
        cut = 0;
        lines.accept(text + remark + ending);
    }
}
