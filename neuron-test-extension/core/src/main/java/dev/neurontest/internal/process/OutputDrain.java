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
 * Reader of an output stream of a child. It reads on its own thread, to never block the child. Masked lines are kept in memory
 * and written to a file continuously. Both are limited. The kept end of a long stream is written to the file when the stream
 * ends.
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

    /** Creates a reader. It must be created before the child starts, because a child might end at once. */
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

    /** Starts to read. Only the first stream counts. */
    void read(InputStream output) {
        stream.complete(output);
    }

    private void open(Path folder) {
        try {
            file = OutputFolder.newFile(folder, name + ".log");
        } catch (IOException e) {
            notices.add("%s is kept in memory only, %s cannot be created: %s"
                    .formatted(name, folder.resolve(name + ".log"), e));
        }
    }

    /**
     * Reads the stream to its end. When the child ends, the JDK reads the rest of its streams into memory, without a limit while
     * a grandchild continues to write. The JDK uses the stream's monitor for that. This method therefore holds the monitor until
     * the last writer has ended.
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
                // The child has ended, and its unwritten output is lost.
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
        notifyListener(line);
        byte[] masked = redaction.mask(line).getBytes(StandardCharsets.UTF_8);
        if (kept.append(masked)) {
            unwritten.writeBytes(masked);
        }
    }

    /**
     * Passes a line to the listener. If the listener fails, for example by a pattern with deep recursion, it gets no more lines.
     * The child must not block.
     */
    private void notifyListener(String line) {
        if (listening) {
            try {
                listener.accept(line);
            } catch (RuntimeException | StackOverflowError e) {
                listening = false;
                notices.add("Lines of %s are no longer processed after a line that caused %s".formatted(name, e));
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
     * Waits for the end of the stream, when its last process has ended, and completes the file.
     *
     * @return true if the end was reached
     */
    boolean finish(Duration atMost) throws InterruptedException {
        thread.join(Math.max(1, atMost.toMillis()));
        complete();
        return !thread.isAlive();
    }

    /** Finishes the file. Later output is dropped. */
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
