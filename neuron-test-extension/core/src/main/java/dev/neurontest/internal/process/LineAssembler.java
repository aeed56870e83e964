package dev.neurontest.internal.process;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Assembler of lines from blocks. A carriage return also ends a line, because progress bars use only that. A line that is too
 * long is cut, with the size of the omitted part.
 */
final class LineAssembler {

    static final int LONGEST = 64 << 10;

    private final int longest;
    private final Consumer<String> lines;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private long cut;

    /**
     * @param lines the receiver of each line with its line end
     */
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

    /** Passes on the last line without a line end. */
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
