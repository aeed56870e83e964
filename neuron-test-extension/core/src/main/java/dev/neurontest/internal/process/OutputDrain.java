package dev.neurontest.internal.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads one stream of a child on a thread of its own, so that the child never has to wait for who reads it. Masked lines are
 * kept in memory and written to a file as they come; both are bounded, and the end of a long stream reaches the file when the
 * stream ends.
 */
final class OutputDrain {

    private static final int BLOCK = 64 << 10;

    private final String name;
    private final CompletableFuture<InputStream> stream = new CompletableFuture<>();
    private final KeptOutput kept;
    private final Consumer<String> listener;
    private final LineRedaction redaction = new LineRedaction(LineRedaction.LINES_OF_A_SECRET);
    private final LineAssembler assembler;
    private final ByteArrayOutputStream unwritten = new ByteArrayOutputStream();
    private final List<String> notices = new ArrayList<>();
    private final Thread thread;
    private @Nullable OutputStream file;
    private boolean listening = true;
    private boolean finished;

    /** To be made before the child is started: it must be quicker than a child that ends at once. */
    OutputDrain(String name, @Nullable Path folder, long limit, int longestLine, Consumer<String> listener) {
        this.name = name;
        this.assembler = new LineAssembler(longestLine, this::line);
        this.kept = new KeptOutput(limit);
        this.listener = listener;
        this.thread = new Thread(this::drain, "output of a child: " + name);
        thread.setDaemon(true);
        if (folder != null) {
            open(folder);
        }
        thread.start();
    }

    /** Begins to read; the first stream counts. */
    void read(InputStream output) {
        stream.complete(output);
    }

    private void open(Path folder) {
        try {
            file = OutputFolder.newFile(folder, name + ".log");
        } catch (IOException e) {
            notices.add("%s is kept in memory only, %s cannot be made: %s"
                    .formatted(name, folder.resolve(name + ".log"), e));
        }
    }

    /**
     * When the child ends, the JDK reads what is left of its streams into memory, without a bound while a grandchild goes on
     * writing. It does so under the stream's monitor, which is held here until the last writer is gone.
     */
    private void drain() {
        byte[] block = new byte[BLOCK];
        InputStream output = stream.join();
        synchronized (output) {
            try {
                for (int length = output.read(block); length >= 0; length = output.read(block)) {
                    accept(block, length);
                }
            } catch (IOException closed) {
                // The child is gone and with it what it had not yet written.
            }
        }
    }

    private synchronized void accept(byte[] block, int length) {
        if (!finished) {
            assembler.read(block, length);
            write();
        }
    }

    private void line(String line) {
        tell(line);
        byte[] masked = redaction.mask(line).getBytes(StandardCharsets.UTF_8);
        if (kept.append(masked)) {
            unwritten.writeBytes(masked);
        }
    }

    /** Whatever happens to who listens, such as a pattern that recurses too deep, the child must not wait. */
    private void tell(String line) {
        if (listening) {
            try {
                listener.accept(line);
            } catch (RuntimeException | StackOverflowError e) {
                listening = false;
                notices.add("Lines of %s are no longer looked at after one that caused %s".formatted(name, e));
            }
        }
    }

    private void write() {
        if (file != null && unwritten.size() > 0) {
            try {
                unwritten.writeTo(file);
            } catch (IOException e) {
                notices.add("The file of %s ends early: %s".formatted(name, e));
                close();
            }
        }
        unwritten.reset();
    }

    private void close() {
        OutputStream open = file;
        file = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                notices.add("The file of %s may be incomplete: %s".formatted(name, e));
            }
        }
    }

    /**
     * Waits for the end of the stream, which comes when the last process that has it is gone, and completes the file.
     *
     * @return whether the end was seen
     */
    boolean finish(Duration atMost) throws InterruptedException {
        thread.join(Math.max(1, atMost.toMillis()));
        complete();
        return !thread.isAlive();
    }

    /** Completes the file. What comes later is thrown away. */
    synchronized void complete() {
        if (!finished) {
            finished = true;
            assembler.end();
            unwritten.writeBytes(kept.afterHead());
            write();
            close();
        }
    }

    synchronized String text() {
        return kept.text();
    }

    synchronized List<String> notices() {
        return List.copyOf(notices);
    }
}
