package dev.neurontest.internal.print.child;

import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.TerminalText;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintOrigin;
import dev.neurontest.tensor.TensorBytes;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Parser of prints in the output of a program, for example of a simulation or of the consumers of frameworks. There is no common format. A
 * line with a data type and a shape begins a print, and numbers in brackets follow. If only prefixes and numbers are written, the prefixes
 * must be known.
 *
 * <p>Such prints are rounded. Abbreviated prints have only the values that were written. The class is thread-safe, but each stream of
 * a program needs its own instance.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PrintedText implements PrintFeed {

    /** Maximum number of lines between a heading and its numbers. For example, a line may contain the path of a file with the numbers. */
    private static final int LINES_BETWEEN = 3;

    private static final int LONGEST = 4 << 20;

    /** Maximum number of prints of one program that are kept. Further prints are only counted, because the output can be endless. */
    private static final int MOST = 100_000;

    private static final long MOST_BYTES = 64L << 20;

    /** Marker of omitted output of a program that wrote more than the limit. */
    private static final Pattern LEFT_OUT = Pattern.compile("\\[\\.\\.\\. \\d+ bytes left out \\.\\.\\.\\]");

    /** A line that begins with a word, a word in brackets, or a time, and has no other brackets. Values can be words too. */
    private static final Pattern FOREIGN = Pattern.compile(
            "(?:\\[(?!VALUE)[A-Za-z][^\\[\\]]*+\\]|\\d{4}-\\d\\d-\\d\\d|\\d\\d:\\d\\d:\\d\\d|(?!VALUE)[A-Za-z#*(<])[^\\[\\]]*+"
                    .replace("VALUE", "(?i:inf|infinity|nan|true|false)\\b"));

    /**
     * The text after a known prefix. A number without brackets is apart from the prefix, because "tile2" is another word. Values in a call,
     * such as "array([1, 2])", are no tensor, but must not be skipped.
     */
    private static final Pattern AFTER_PREFIX = Pattern.compile(
            "(?s)\\s*+[:=]?+\\s*+(?:(?<=[\\s:=])[\\w.]*+\\()?+\\[.*|(?<apart>\\s*+[:=]?+\\s*+)(?:[-+.\\d]\\S*+|(?i:inf|infinity|nan))\\s*+");

    private static final TensorBytes NOTHING = TensorBytes.of(new byte[0]);

    private final Set<String> prefixes;
    private final long pipe;
    private final Supplier<Instant> clock;
    private final List<DevicePrint> prints = new ArrayList<>();
    private final List<OddEvent> odd = new ArrayList<>();
    private final Set<String> abbreviated = new LinkedHashSet<>();
    private final List<PrintDoubt> doubts = new ArrayList<>();
    private @Nullable PrintHeading heading;
    private int linesSince;
    private final StringBuilder block = new StringBuilder();
    private int depth;
    private long bytes;
    private long remaining;

    /**
     * Creates a parser for one stream of a program.
     *
     * @param prefixes prefixes of prints without data type and shape
     * @param pipe the stream: 0 standard output, 1 standard error
     */
    public PrintedText(Set<String> prefixes, long pipe) {
        this(prefixes, pipe, Instant::now);
    }

    private PrintedText(Set<String> prefixes, long pipe, Supplier<Instant> clock) {
        this.prefixes = Set.copyOf(prefixes);
        this.pipe = pipe;
        this.clock = clock;
    }

    /**
     * Parses the complete output of a program.
     *
     * @param text lines
     * @param prefixes prefixes of prints without data type and shape
     * @param pipe the stream: 0 standard output, 1 standard error
     */
    public static PrintFeed of(String text, Set<String> prefixes, long pipe) {
        return of(new StringReader(text), prefixes, pipe, Instant.now());
    }

    /**
     * Parses the complete output of a program. If it cannot be read to its end, prints are in doubt.
     *
     * @param output lines of any length
     * @param prefixes prefixes of prints without data type and shape
     * @param pipe the stream: 0 standard output, 1 standard error
     * @param arrived time of the end of the program
     */
    public static PrintFeed of(Reader output, Set<String> prefixes, long pipe, Instant arrived) {
        PrintedText printed = new PrintedText(prefixes, pipe, () -> arrived);
        try {
            printed.read(output);
            printed.end();
        } catch (IOException e) {
            printed.end();
            printed.doubt(e);
        }
        return printed;
    }

    /** Creates a feed for unreadable output, without prints and with a doubt. */
    public static PrintFeed unreadable(IOException reason) {
        PrintedText printed = new PrintedText(Set.of(), 0);
        printed.doubt(reason);
        return printed;
    }

    private synchronized void doubt(IOException reason) {
        doubts.add(new PrintDoubt(
                PrintDoubt.Kind.UNREADABLE,
                "The output of a program cannot be read to its end: %s. Prints after that point are missing."
                        .formatted(reason)));
    }

    /** Reads lines up to the maximum length plus one, which is enough to detect that a longer line is no tensor. */
    private void read(Reader output) throws IOException {
        char[] chunk = new char[1 << 13];
        StringBuilder line = new StringBuilder();
        for (int length = output.read(chunk); length >= 0; length = output.read(chunk)) {
            int from = 0;
            for (int at = 0; at < length; at++) {
                if (chunk[at] == '\n') {
                    append(line, chunk, from, at);
                    line(line.toString());
                    line.setLength(0);
                    from = at + 1;
                }
            }
            append(line, chunk, from, length);
        }
        if (!line.isEmpty()) {
            line(line.toString());
        }
    }

    private static void append(StringBuilder line, char[] chunk, int from, int to) {
        line.append(chunk, from, Math.min(to - from, LONGEST + 1 - line.length()));
    }

    /**
     * Parses the next line. A carriage return separates lines too, because a terminal would overwrite the text before it.
     *
     * @param line line with or without its end
     */
    public synchronized void line(String line) {
        for (String part : TerminalText.withoutSequences(line).stripTrailing().split("\r")) {
            part(part.stripTrailing());
        }
    }

    private void part(String text) {
        if (LEFT_OUT.matcher(text).matches()) {
            doubts.add(new PrintDoubt(
                    PrintDoubt.Kind.LOST,
                    "The middle of a program's output was not kept (%s), and prints in it are missing. Let it write less, or collect prints in another way than as text."
                            .formatted(text)));
        }
        if (depth > 0) {
            if (isOfOtherOutput(text)) {
                return;
            }
            if (heading(text).isEmpty()) {
                append(text);
                return;
            }
            unfinished("another print begins in it");
        }
        if (heading != null) {
            if (text.stripLeading().startsWith("[") || isScalar(text)) {
                append(text);
                return;
            }
            if (PrintHeading.of(text).isEmpty() && ++linesSince <= LINES_BETWEEN) {
                return;
            }
            unfinished("no values follow it");
        }
        begin(text);
    }

    /**
     * Returns whether a line between those of a tensor is from elsewhere, such as a log. Rows begin with a blank, a bracket or a number. A
     * line with brackets may contain a row too, so it is not skipped.
     */
    private boolean isOfOtherOutput(String text) {
        return FOREIGN.matcher(text).matches() && heading(text).isEmpty();
    }

    private Optional<PrintHeading> heading(String text) {
        return PrintHeading.of(text).map(this::withKnownPrefix).or(() -> headingOfKnownPrefix(text));
    }

    /** Restores the end of an expected prefix, such as a colon, which a heading does not contain. */
    private PrintHeading withKnownPrefix(PrintHeading found) {
        return prefixes.contains(found.prefix())
                ? found
                : prefixes.stream()
                        .filter(prefix -> PrintHeading.stripped(prefix).equals(found.prefix()))
                        .findFirst()
                        .map(prefix -> new PrintHeading(prefix, found.dtype(), found.shape(), found.remainder()))
                        .orElse(found);
    }

    private boolean isScalar(String text) {
        return heading != null
                && heading.shape().isEmpty()
                && NumberBlock.of(text).trouble().isEmpty();
    }

    private void begin(String text) {
        Optional<PrintHeading> begun = heading(text);
        if (begun.isEmpty()) {
            return;
        }
        heading = begun.get();
        linesSince = 0;
        String remainder = heading.remainder();
        int values = remainder.indexOf('[');
        if (values >= 0) {
            append(remainder.substring(values));
        } else {
            String last = remainder.strip().replaceFirst("^[^\\w.+-]*", "");
            if (isScalar(last)) {
                append(last);
            }
        }
    }

    /** Parses a line that consists of a known prefix and numbers. */
    private Optional<PrintHeading> headingOfKnownPrefix(String text) {
        String line = text.stripLeading();
        return prefixes.stream()
                .filter(prefix -> !prefix.isEmpty() && line.startsWith(prefix))
                .max((a, b) -> Integer.compare(a.length(), b.length()))
                .map(prefix -> new PrintHeading(prefix, "", List.of(), line.substring(prefix.length())))
                .filter(PrintedText::hasValuesAfterPrefix);
    }

    private static boolean hasValuesAfterPrefix(PrintHeading print) {
        Matcher after = AFTER_PREFIX.matcher(print.remainder());
        String prefix = print.prefix();
        return after.matches()
                && (!"".equals(after.group("apart"))
                        || !Character.isLetterOrDigit(prefix.codePointBefore(prefix.length())));
    }

    private void append(String text) {
        if (block.length() + text.length() > LONGEST) {
            unfinished("its text is longer than %s characters".formatted(LONGEST));
            return;
        }
        block.append(text).append('\n');
        for (int at = 0; at < text.length(); at++) {
            depth += text.charAt(at) == '[' ? 1 : text.charAt(at) == ']' ? -1 : 0;
            if (depth > PrintMetadata.MOST_DIMENSIONS) {
                unfinished("it is nested more than %s deep".formatted(PrintMetadata.MOST_DIMENSIONS));
                return;
            }
        }
        if (depth <= 0) {
            finish();
        }
    }

    private void finish() {
        PrintHeading finished = heading;
        String text = block.toString();
        if (finished == null) {
            return;
        }
        PrintedTensor tensor = finished.dtype().isEmpty()
                ? PrintedTensor.of(text)
                : PrintedTensor.of(text, finished.dtype(), finished.shape());
        if (!tensor.trouble().isEmpty()) {
            unfinished(tensor.trouble());
            return;
        }
        if (tensor.abbreviation().isPresent()) {
            abbreviated.add(finished.prefix());
        }
        if (isKept(tensor.data().size())) {
            prints.add(print(finished, tensor));
        }
        reset();
    }

    private DevicePrint print(PrintHeading finished, PrintedTensor tensor) {
        return new DevicePrint(
                prints.size() + odd.size(),
                clock.get(),
                PrintOrigin.TEXT,
                -1,
                -1,
                pipe,
                finished.prefix(),
                tensor.dtype(),
                tensor.shape(),
                tensor.data(),
                NOTHING,
                tensor.abbreviation(),
                tensor.rounding(),
                Optional.empty());
    }

    private boolean isKept(long size) {
        boolean kept = prints.size() + odd.size() < MOST && bytes + size <= MOST_BYTES;
        bytes += kept ? size : 0;
        remaining += kept ? 0 : 1;
        return kept;
    }

    private void unfinished(String reason) {
        PrintHeading broken = heading;
        String prefix = broken == null ? "" : broken.prefix();
        byte[] text = block.toString().getBytes(StandardCharsets.UTF_8);
        if (isKept(text.length)) {
            odd.add(new OddEvent(
                    prints.size() + odd.size(),
                    clock.get(),
                    PrintOrigin.TEXT,
                    -1,
                    0,
                    "the text after \"%s\" cannot be read as a tensor: %s".formatted(prefix, reason),
                    Optional.of(prefix),
                    NOTHING,
                    TensorBytes.of(text)));
        }
        reset();
    }

    private void reset() {
        heading = null;
        block.setLength(0);
        depth = 0;
    }

    /** Ends the input. */
    public synchronized void end() {
        if (heading != null) {
            unfinished("the output ends in it");
        }
    }

    /** Returns immediately, because lines arrive at any time. */
    @Override
    public void settle() {}

    @Override
    public synchronized List<DevicePrint> prints() {
        return List.copyOf(prints);
    }

    @Override
    public synchronized List<OddEvent> oddEvents() {
        return List.copyOf(odd);
    }

    @Override
    public synchronized List<PrintDoubt> doubts() {
        List<PrintDoubt> all = new ArrayList<>(doubts);
        if (remaining > 0) {
            all.add(new PrintDoubt(
                    PrintDoubt.Kind.LOST,
                    "The output of a program contains %s beyond the limit of %s prints with %s bytes. Print less, or collect prints in another way than as text."
                            .formatted(CountText.of(remaining, "print"), MOST, MOST_BYTES)));
        }
        return all;
    }

    @Override
    public synchronized List<String> notices() {
        return abbreviated.isEmpty()
                ? List.of()
                : List.of(
                        "Tensors with prefix %s were abbreviated when they were written: only a part of their values is known. Print fewer elements, or collect prints in another way than as text."
                                .formatted(String.join(", ", abbreviated)));
    }
}
