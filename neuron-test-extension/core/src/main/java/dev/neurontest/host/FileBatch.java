package dev.neurontest.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Files of a {@link FileTree} that are read again and again: where they are is found out once, and many are read by several
 * threads, none of them the caller's. Streams of {@link Files} open as fast as channels, and unlike those they can be read by an interrupted thread, which a
 * test is after its timeout.
 */
final class FileBatch implements HostTree.Batch {

    /** Fewer files are read before another thread has woken up. */
    private static final int WORTH_SHARING = 64;

    private static final int CHUNK = 16;

    /** One byte more than the page that a driver file can fill, so that a full buffer means a longer file. */
    private static final int BUFFER = 4097;

    /** More threads than this only wait for each other in the kernel's directory tree. */
    private static final int READERS = Math.min(Runtime.getRuntime().availableProcessors(), 8);

    /** All batches together have so many threads beside the one that each has for itself. */
    private static final Semaphore HELPERS = new Semaphore(READERS - 1);

    /** What a thread may stand at an ordinary file on a busy machine, so it is never less that makes a file a silent one. */
    private static final Duration FLOOR = Duration.ofSeconds(1);

    private static final int NOTHING = -1;
    private static final int GIVEN_UP = -2;

    private final FileTree tree;
    private final List<String> paths;
    private final OpenOption[] options;

    /** Null where the directory was not there when the batch was made. */
    private final @Nullable Path[] files;

    FileBatch(FileTree tree, List<String> paths, OpenOption... options) {
        this.tree = tree;
        this.paths = List.copyOf(paths);
        this.options = options.clone();
        this.files = new Path[this.paths.size()];
        Map<String, @Nullable Path> directories = new HashMap<>();
        for (int index = 0; index < files.length; index++) {
            String path = this.paths.get(index);
            int name = path.lastIndexOf('/') + 1;
            Path directory = directories.computeIfAbsent(path.substring(0, name), this::directory);
            files[index] = directory == null ? null : directory.resolve(path.substring(name));
        }
    }

    private @Nullable Path directory(String path) {
        try {
            return tree.inside(path);
        } catch (IOException missing) {
            return null;
        }
    }

    /** How long one file is waited for, of which there is a limit, and something left for all. */
    static Duration patience(Duration limit, Duration left) {
        Duration atLeast = FLOOR.compareTo(left) > 0 ? FLOOR : left;
        return limit.compareTo(atLeast) < 0 ? limit : atLeast;
    }

    @Override
    public int size() {
        return files.length;
    }

    @Override
    public String path(int index) {
        return paths.get(index);
    }

    @Override
    public void read(HostTree.Sink sink) {
        if (files.length > 0) {
            new Reading(sink).read();
        }
    }

    /**
     * One reading, whose chunks go to the threads that are free. The caller only watches: it gives up a file that does not answer,
     * leaves the thread behind that waits for it, and lets another one go on.
     */
    private final class Reading {

        private final HostTree.Sink sink;
        private final int chunks = (files.length + CHUNK - 1) / CHUNK;
        private final AtomicInteger next = new AtomicInteger();
        private final CountDownLatch unread = new CountDownLatch(chunks);
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private final List<Reader> readers = new ArrayList<>();

        /** How long silent files are waited for in full, all together; every further one gets less, but never less than the floor. */
        private Duration left = tree.silent().limit().multipliedBy(2);

        Reading(HostTree.Sink sink) {
            this.sink = sink;
        }

        void read() {
            start(new Reader(0, 0, false));
            for (int more = 1; files.length >= WORTH_SHARING && more < READERS && HELPERS.tryAcquire(); more++) {
                start(new Reader(0, 0, true));
            }
            awaitUnread();
            Throwable thrown = failure.get();
            if (thrown instanceof Error error) {
                throw error;
            } else if (thrown instanceof RuntimeException exception) {
                throw exception;
            }
        }

        private void start(Reader reader) {
            readers.add(reader);
            ReaderThreads.start(reader);
        }

        private void awaitUnread() {
            boolean interrupted = false;
            while (true) {
                try {
                    if (unread.await(FileTree.LOOK.toNanos(), TimeUnit.NANOSECONDS)) {
                        break;
                    }
                    List.copyOf(readers).forEach(this::look);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        private void look(Reader reader) {
            int index = reader.reading.get();
            if (index != reader.seen) {
                reader.seen = index;
                reader.waited = Duration.ZERO;
                return;
            }
            if (index < 0) {
                return;
            }
            // Looks are counted, not the clock: a JVM that was stopped for a while did not wait.
            reader.waited = reader.waited.plus(FileTree.LOOK);
            String location = tree.location(paths.get(index));
            Path file = files[index];
            if (file != null && tree.silent().neverAnswers(file)) {
                giveUp(reader, index, SilentFiles.noFile(location));
                return;
            }
            Duration patience = patience(tree.silent().limit(), left);
            if (reader.waited.compareTo(patience) >= 0
                    && giveUp(reader, index, tree.silent().noAnswer(location, patience))) {
                left = left.minus(patience);
            }
        }

        private boolean giveUp(Reader reader, int index, NoAnswerException reason) {
            BooleanSupplier answered = () -> reader.answered;
            tree.silent().add(paths.get(index), answered);
            if (!reader.reading.compareAndSet(index, GIVEN_UP)) {
                tree.silent().remove(paths.get(index), answered);
                return false;
            }
            readers.remove(reader);
            try {
                sink.failed(index, reason);
            } catch (RuntimeException | Error thrown) {
                failure.compareAndSet(null, thrown);
            }
            start(new Reader(index + 1, Math.min(files.length, (index / CHUNK + 1) * CHUNK), false));
            return true;
        }

        /** Reads chunks until there are no more, beginning with what another reader left of one. */
        private final class Reader implements Runnable {

            /** The file that it waits for, or {@link #NOTHING}, or {@link #GIVEN_UP}: then the file's answer is not wanted any more. */
            private final AtomicInteger reading = new AtomicInteger(NOTHING);

            private final int from;
            private final int to;
            private final boolean helper;
            private volatile boolean answered;

            // only the watching caller uses these
            private int seen = NOTHING;
            private Duration waited = Duration.ZERO;

            /** A {@code to} of 0 is no rest of a chunk. */
            Reader(int from, int to, boolean helper) {
                this.from = from;
                this.to = to;
                this.helper = helper;
            }

            @Override
            public void run() {
                byte[] buffer = new byte[BUFFER];
                try {
                    boolean goesOn = to == 0 || chunk(from, to, buffer);
                    while (goesOn) {
                        int chunk = next.getAndIncrement();
                        if (chunk >= chunks) {
                            break;
                        }
                        goesOn = chunk(chunk * CHUNK, Math.min(files.length, (chunk + 1) * CHUNK), buffer);
                    }
                } finally {
                    answered = true;
                    if (helper) {
                        HELPERS.release();
                    }
                }
            }

            /** False when it was given up meanwhile, and another reader does the rest. */
            private boolean chunk(int first, int end, byte[] buffer) {
                try {
                    for (int index = first; index < end; index++) {
                        reading.set(index);
                        if (!one(index, buffer)) {
                            return false;
                        }
                    }
                } catch (RuntimeException | Error thrown) {
                    failure.compareAndSet(null, thrown);
                    if (reading.getAndSet(NOTHING) == GIVEN_UP) {
                        return false;
                    }
                }
                unread.countDown();
                return true;
            }

            private boolean one(int index, byte[] buffer) {
                byte[] content = buffer;
                int length = 0;
                IOException failed = null;
                try {
                    String path = paths.get(index);
                    tree.silent().check(path, tree);
                    Path file = files[index];
                    if (file == null) {
                        content = tree.readHere(path);
                        length = content.length;
                    } else {
                        try (InputStream in = new AttributeStream(file, options)) {
                            length = Math.max(0, in.read(buffer));
                            if (length == buffer.length) {
                                content = longContent(index, buffer, in);
                                length = content.length;
                            }
                        } catch (IOException refused) {
                            if (!Files.isSymbolicLink(file)) {
                                throw refused;
                            }
                            // A link is opened where it leads, if that is inside the tree.
                            content = tree.readHere(path);
                            length = content.length;
                        }
                    }
                } catch (IOException refused) {
                    failed = refused;
                }
                if (!reading.compareAndSet(index, NOTHING)) {
                    return false;
                }
                if (failed == null) {
                    sink.content(index, content, length);
                } else {
                    sink.failed(index, failed);
                }
                return true;
            }
        }
    }

    private byte[] longContent(int index, byte[] start, InputStream rest) throws IOException {
        byte[] more = rest.readNBytes(FileTree.LONGEST + 1 - start.length);
        if (start.length + more.length > FileTree.LONGEST) {
            throw FileTree.tooLong(tree.location(paths.get(index)));
        }
        byte[] content = Arrays.copyOf(start, start.length + more.length);
        System.arraycopy(more, 0, content, start.length, more.length);
        return content;
    }
}
