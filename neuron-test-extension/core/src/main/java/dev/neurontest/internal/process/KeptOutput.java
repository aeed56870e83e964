package dev.neurontest.internal.process;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The kept output of a stream: its beginning and its end, each half of the limit. */
final class KeptOutput {

    private final int half;
    private final ByteArrayOutputStream head = new ByteArrayOutputStream();
    /** A ring buffer, created when the beginning is full. */
    private byte[] tail = new byte[0];

    private boolean headIsFull;
    private long behindHead;

    KeptOutput(long limit) {
        this.half = (int) Math.min(Math.max(1, limit / 2), Integer.MAX_VALUE / 4);
    }

    /**
     * Appends a line. If the end is full, its oldest bytes are dropped.
     *
     * @return true if the line belongs to the beginning
     */
    boolean append(byte[] line) {
        headIsFull |= head.size() + line.length > half;
        if (!headIsFull) {
            head.writeBytes(line);
            return true;
        }
        if (tail.length == 0) {
            tail = new byte[half];
        }
        int skipped = Math.max(0, line.length - half);
        int at = (int) ((behindHead + skipped) % half);
        int first = Math.min(line.length - skipped, half - at);
        System.arraycopy(line, skipped, tail, at, first);
        System.arraycopy(line, skipped + first, tail, 0, line.length - skipped - first);
        behindHead += line.length;
        return false;
    }

    /** Returns the output after the beginning. If bytes were dropped, it begins with their number and continues with complete lines. */
    byte[] afterHead() {
        if (behindHead <= half) {
            return Arrays.copyOf(tail, (int) behindHead);
        }
        byte[] kept = new byte[half];
        int oldest = (int) (behindHead % half);
        System.arraycopy(tail, oldest, kept, 0, half - oldest);
        System.arraycopy(tail, 0, kept, half - oldest, oldest);
        int start = startOfLine(kept);
        ByteArrayOutputStream text = new ByteArrayOutputStream(half);
        text.writeBytes("\n[... %s bytes left out ...]\n"
                .formatted(behindHead - half + start)
                .getBytes(StandardCharsets.UTF_8));
        text.write(kept, start, half - start);
        return text.toByteArray();
    }

    private static int startOfLine(byte[] kept) {
        for (int at = 0; at < kept.length - 1; at++) {
            if (kept[at] == '\n') {
                return at + 1;
            }
        }
        int start = 0;
        while (start < kept.length && (kept[start] & 0xC0) == 0x80) {
            start++;
        }
        return start;
    }

    String text() {
        return head.toString(StandardCharsets.UTF_8) + new String(afterHead(), StandardCharsets.UTF_8);
    }
}
