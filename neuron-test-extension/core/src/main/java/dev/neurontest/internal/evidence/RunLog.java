package dev.neurontest.internal.evidence;

import dev.neurontest.internal.text.CountText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The readable content of a run file. The JVM of the file may have been killed, or a newer version may have written the file.
 *
 * @param lines all complete lines in their order; unknown events are {@link RunEvent.Unknown}
 * @param problems the torn, malformed or missing lines, a sentence each
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RunLog(List<RunLine> lines, List<String> problems) {

    /** Maximum length of a line: more than an event needs, and small compared with the heap of a report. */
    static final int LONGEST_LINE = 16 << 20;

    /** Maximum number of problems. A file of another kind might have a problem in each line. */
    static final int MOST_PROBLEMS = 100;

    /** Creates the log with copies of the lists. */
    public RunLog {
        lines = List.copyOf(lines);
        problems = List.copyOf(problems);
    }

    /**
     * Reads a run file. Only lines with a line end count.
     *
     * @param file the run file, which may still be growing
     * @throws IOException if the file cannot be read at all
     */
    public static RunLog read(Path file) throws IOException {
        List<RunLine> lines = new ArrayList<>();
        List<String> problems = read(file, (number, line) -> lines.add(line));
        return new RunLog(lines, problems);
    }

    /**
     * Reads a run file without keeping its content.
     *
     * @param file the run file, which may still be growing
     * @param lines the receiver of all complete lines in their order
     * @return the torn, malformed or missing lines, a sentence each
     * @throws IOException if the file cannot be read at all
     */
    public static List<String> read(Path file, Lines lines) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new Reading(file, lines).read(in);
        }
    }

    /** Receiver of the lines of a file. */
    @FunctionalInterface
    @API(status = API.Status.INTERNAL, since = "0.1")
    public interface Lines {

        /**
         * Receives the next line.
         *
         * @param number the number of the line in its file, from 1
         */
        void line(int number, RunLine line);
    }

    private static final class Reading {

        private final Path file;
        private final Lines lines;
        private final LineReader reader = new LineReader();
        private final List<String> problems = new ArrayList<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        /** The size of the current line so far, including bytes that are not kept. */
        private long size;

        private int number;
        private long unlisted;

        Reading(Path file, Lines lines) {
            this.file = file;
            this.lines = lines;
        }

        List<String> read(InputStream in) throws IOException {
            byte[] block = new byte[1 << 16];
            for (int length = in.read(block); length >= 0; length = in.read(block)) {
                int start = 0;
                for (int at = 0; at < length; at++) {
                    if (block[at] == '\n') {
                        keep(block, start, at);
                        ended();
                        start = at + 1;
                    }
                }
                keep(block, start, length);
            }
            if (size > 0) {
                number++;
                problem("is torn after %s bytes: the JVM ended while it was written, or the disk was full"
                        .formatted(size));
            }
            if (number == 0) {
                problems.add(file + " is empty: the JVM ended before it wrote its first line, or the disk was full");
            }
            if (unlisted > 0) {
                problems.add("%s: %s with its lines".formatted(file, CountText.of(unlisted, "more problem")));
            }
            return problems;
        }

        private void keep(byte[] block, int from, int to) {
            size += to - from;
            if (size <= LONGEST_LINE) {
                bytes.write(block, from, to - from);
            }
        }

        private void ended() {
            if (size <= LONGEST_LINE) {
                whole(bytes.toByteArray());
            } else {
                number++;
                reader.skip();
                problem("has %s bytes and was skipped: a line has at most %s".formatted(size, LONGEST_LINE));
            }
            bytes.reset();
            size = 0;
        }

        private void whole(byte[] bytes) {
            number++;
            RunLine line = reader.next(bytes);
            if (line == null) {
                problem("is not an event and was skipped");
                return;
            }
            if (reader.missing() != null) {
                problem("is event %s, expected %s: the events between were not written"
                        .formatted(line.sequence(), reader.missing()));
            }
            if (line.event() instanceof RunEvent.RunStarted started
                    && (started.version() < RunFile.OLDEST || started.version() > RunFile.VERSION)) {
                problem(
                        "is of version %s, but this reader supports %s to %s: its content may be wrong, use the version that wrote it"
                                .formatted(started.version(), RunFile.OLDEST, RunFile.VERSION));
            }
            if (reader.unnamed() != null) {
                problem("is of test %s, which no readable line before it names".formatted(reader.unnamed()));
            }
            lines.line(number, line);
        }

        private void problem(String what) {
            if (problems.size() < MOST_PROBLEMS) {
                problems.add("%s: line %s %s".formatted(file, number, what));
            } else {
                unlisted++;
            }
        }
    }
}
