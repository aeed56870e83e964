package dev.neurontest.print;

import dev.neurontest.tensor.TensorBytes;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Finds prints among the lines that a program writes, as a simulation does and consumers of frameworks do beside their files. There
 * is no format that they agree on: a line with a dtype and a shape begins a print, and numbers in brackets follow. Where only prefixes
 * and numbers are written, the prefixes must be known.
 *
 * <p>Such prints are rounded. Where they were abbreviated, they have a dtype and a shape and no values. For several threads, though
 * two streams of a program need one of these each.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PrintedText implements PrintFeed {

    /** Between a heading and its numbers there may be a line that says where they were saved. */
    private static final int LINES_BETWEEN = 3;

    private static final int LONGEST = 16 << 20;

    private static final TensorBytes NOTHING = TensorBytes.of(new byte[0]);

    private final Set<String> prefixes;
    private final long pipe;
    private final List<DevicePrint> prints = new ArrayList<>();
    private final List<OddEvent> odd = new ArrayList<>();
    private final Set<String> abbreviated = new LinkedHashSet<>();
    private @Nullable PrintHeading heading;
    private int linesSince;
    private final StringBuilder block = new StringBuilder();
    private int depth;

    /**
     * For one stream of a program.
     *
     * @param prefixes of prints that come without dtype and shape
     * @param pipe which stream it is: 0 standard output, 1 standard error
     */
    public PrintedText(Set<String> prefixes, long pipe) {
        this.prefixes = Set.copyOf(prefixes);
        this.pipe = pipe;
    }

    /**
     * Reads all that a program has written.
     *
     * @param text lines
     * @param prefixes of prints that come without dtype and shape
     * @param pipe which stream it is: 0 standard output, 1 standard error
     * @return its prints
     */
    public static PrintFeed of(String text, Set<String> prefixes, long pipe) {
        PrintedText printed = new PrintedText(prefixes, pipe);
        text.lines().forEach(printed::line);
        printed.end();
        return printed;
    }

    /**
     * Reads the next line.
     *
     * @param line with or without its end
     */
    public synchronized void line(String line) {
        String text = line.stripTrailing();
        if (depth > 0) {
            append(text);
            return;
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

    private boolean isScalar(String text) {
        return heading != null
                && heading.shape().isEmpty()
                && NumberBlock.of(text).trouble().isEmpty();
    }

    private void begin(String text) {
        Optional<PrintHeading> found = PrintHeading.of(text).or(() -> known(text));
        if (found.isEmpty()) {
            return;
        }
        heading = found.get();
        linesSince = 0;
        String rest = heading.rest();
        int values = rest.indexOf('[');
        if (values >= 0) {
            append(rest.substring(values));
        } else {
            String last = rest.strip().replaceFirst("^[^\\w.+-]*", "");
            if (isScalar(last)) {
                append(last);
            }
        }
    }

    /** A line that is a known prefix and numbers. */
    private Optional<PrintHeading> known(String text) {
        String line = text.stripLeading();
        return prefixes.stream()
                .filter(prefix -> !prefix.isEmpty() && line.startsWith(prefix))
                .max((a, b) -> Integer.compare(a.length(), b.length()))
                .map(prefix -> new PrintHeading(prefix, "", List.of(), line.substring(prefix.length())))
                .filter(print -> print.rest().matches("(?s)\\s*[:=]?\\s*(?:\\[.*|[-+.\\d]\\S*|nan|inf)\\s*"));
    }

    private void append(String text) {
        if (block.length() + text.length() > LONGEST) {
            unfinished("its text is longer than %d characters".formatted(LONGEST));
            return;
        }
        block.append(text).append('\n');
        for (int at = 0; at < text.length(); at++) {
            depth += text.charAt(at) == '[' ? 1 : text.charAt(at) == ']' ? -1 : 0;
        }
        if (depth <= 0) {
            finish();
        }
    }

    private void finish() {
        PrintHeading done = heading;
        String text = block.toString();
        if (done == null) {
            return;
        }
        PrintedTensor tensor =
                done.dtype().isEmpty() ? PrintedTensor.of(text) : PrintedTensor.of(text, done.dtype(), done.shape());
        if (!tensor.trouble().isEmpty()) {
            unfinished(tensor.trouble());
            return;
        }
        if (tensor.isAbbreviated()) {
            abbreviated.add(done.prefix());
        }
        prints.add(new DevicePrint(
                prints.size() + odd.size(),
                Instant.now(),
                PrintOrigin.TEXT,
                -1,
                -1,
                pipe,
                done.prefix(),
                tensor.dtype(),
                tensor.shape(),
                tensor.data(),
                NOTHING));
        reset();
    }

    private void unfinished(String reason) {
        PrintHeading broken = heading;
        String prefix = broken == null ? "" : broken.prefix();
        odd.add(new OddEvent(
                prints.size() + odd.size(),
                Instant.now(),
                PrintOrigin.TEXT,
                -1,
                0,
                "the text after \"%s\" cannot be read as a tensor: %s".formatted(prefix, reason),
                NOTHING,
                TensorBytes.of(block.toString().getBytes(StandardCharsets.UTF_8))));
        reset();
    }

    private void reset() {
        heading = null;
        block.setLength(0);
        depth = 0;
    }

    /** There are no more lines. */
    public synchronized void end() {
        if (heading != null) {
            unfinished("the output ends in it");
        }
    }

    /** Lines come whenever the program writes them. */
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
        return List.of();
    }

    @Override
    public synchronized List<String> notices() {
        return abbreviated.isEmpty()
                ? List.of()
                : List.of(
                        "Tensors with prefix %s were abbreviated when they were written, and have no values here. Print fewer elements, or collect prints by another way than text."
                                .formatted(String.join(", ", abbreviated)));
    }
}
