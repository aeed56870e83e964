package dev.neurontest.internal.host;

import dev.neurontest.internal.thread.Uninterrupted;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A batch of files of a {@link FileTree} that are read repeatedly. Their locations are resolved once, and many files are read by
 * several threads. The caller's thread does not read, because a thread cannot be freed from a file that does not answer. Streams
 * of {@link Files} open as fast as channels. Unlike channels, they can be read by an interrupted thread, and a test thread is
 * interrupted after its timeout.
 */
final class FileBatch implements HostTree.Batch {

    /** Minimum number of files for several threads. Fewer files are read before another thread has woken up. */
    private static final int WORTH_SHARING = 64;

    /** Size of the buffer: one byte more than the largest driver file (one page). A full buffer means a longer file. */
    private static final int BUFFER = 4097;

    /** Maximum number of reader threads. More threads only wait for each other in the kernel's directory tree. */
    private static final int READERS = Math.min(Runtime.getRuntime().availableProcessors(), 8);

    /** Permits for the additional threads of all batches. Each batch has one thread of its own without a permit. */
    private static final Semaphore HELPERS = new Semaphore(READERS - 1);

    /** The reader threads. An idle thread ends after a while; a thread that waits for a silent file stays. */
    private static final ThreadPoolExecutor THREADS =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                Thread thread = new Thread(work, "neuron-test-reader");
                thread.setDaemon(true);
                return thread;
            });

    /** Minimum wait before a file is treated as silent. On a busy machine, the read of an ordinary file may take this long. */
    private static final Duration FLOOR = Duration.ofSeconds(1);

    private static final int NOTHING = -1;
    private static final int GIVEN_UP = -2;

    private final FileTree tree;
    private final List<String> paths;
    private final OpenOption[] options;

    private final ResolvedDirectories directories;

    /** Path of each file; null before its first reading, and while its directory does not exist. */
    private final @Nullable Path[] files;

    FileBatch(FileTree tree, List<String> paths, OpenOption... options) {
        this(tree, paths, tree.directories(), new Path[paths.size()], options.clone());
        for (String path : this.paths) {
            FileTree.requireInside(path);
        }
    }

    private FileBatch(
            FileTree tree,
            List<String> paths,
            ResolvedDirectories directories,
            @Nullable Path[] files,
            OpenOption... options) {
        this.tree = tree;
        this.paths = List.copyOf(paths);
        this.directories = directories;
        this.files = files;
        this.options = options;
    }

    private void resolve(int index) {
        if (files[index] == null) {
            String path = paths.get(index);
            int name = path.lastIndexOf('/') + 1;
            try {
                files[index] =
                        directories.at(path.substring(0, Math.max(0, name - 1))).resolve(path.substring(name));
            } catch (IOException missing) {
                // The file is looked up again when it is read, which fails for the same reason.
            }
        }
    }

    @Override
    public HostTree.Batch part(int[] positions) {
        List<String> some = new ArrayList<>();
        @Nullable Path[] places = new Path[positions.length];
        for (int position : positions) {
            places[some.size()] = files[position];
            some.add(paths.get(position));
        }
        return new FileBatch(tree, some, directories, places, options);
    }

    /** Returns the time to wait for one file: the remaining time of all files, at least the floor, and at most the limit. */
    static Duration patience(Duration limit, Duration remaining) {
        Duration atLeast = FLOOR.compareTo(remaining) > 0 ? FLOOR : remaining;
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
            new Reading(sink, tree.silent().limit()).read();
        }
    }

    /** Reads the first file. */
    byte[] readFirst(Duration limit) throws IOException {
        Answer answer = new Answer();
        new Reading(answer, limit).read();
        if (answer.failure != null) {
            throw answer.failure;
        }
        return answer.content;
    }

    /** The answer of one file. */
    private static final class Answer implements HostTree.Sink {

        private byte[] content = {};
        private @Nullable IOException failure;

        @Override
        public void content(int index, byte[] buffer, int length) {
            content = Arrays.copyOf(buffer, length);
        }

        @Override
        public void failed(int index, IOException cause) {
            failure = cause;
        }
    }

    /**
     * One reading of all files by the free threads. The caller only watches. It gives up a file that does not answer, abandons
     * the waiting thread, and starts another one.
     */
    private final class Reading {

        private final HostTree.Sink sink;
        private final Duration limit;
        private final int helpers = acquireHelpers();
        private final AtomicInteger next = new AtomicInteger();
        private final CountDownLatch ended = new CountDownLatch(1 + helpers);
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private final List<Reader> readers = new ArrayList<>();

        /** Remaining time for silent files, over all files. Each later file gets less of it, but never less than the floor. */
        private Duration remaining;

        Reading(HostTree.Sink sink, Duration limit) {
            this.sink = sink;
            this.limit = limit;
            this.remaining = limit.multipliedBy(2);
        }

        private int acquireHelpers() {
            int acquired = 0;
            while (files.length >= WORTH_SHARING && acquired < READERS - 1 && HELPERS.tryAcquire()) {
                acquired++;
            }
            return acquired;
        }

        void read() {
            for (int reader = 0; reader <= helpers; reader++) {
                start(new Reader(reader > 0));
            }
            awaitEnd();
            Throwable thrown = failure.get();
            if (thrown instanceof Error error) {
                throw error;
            } else if (thrown instanceof RuntimeException exception) {
                throw exception;
            }
        }

        private void start(Reader reader) {
            readers.add(reader);
            THREADS.execute(reader);
        }

        private void awaitEnd() {
            while (!Uninterrupted.get(() -> ended.await(FileTree.CHECK_INTERVAL.toNanos(), TimeUnit.NANOSECONDS))) {
                List.copyOf(readers).forEach(this::checkProgress);
            }
        }

        private void checkProgress(Reader reader) {
            int index = reader.reading.get();
            if (index != reader.watched) {
                reader.watched = index;
                reader.waited = Duration.ZERO;
                return;
            }
            if (index < 0) {
                return;
            }
            // Time is counted in checks and not by the clock, because a suspended JVM does not wait.
            reader.waited = reader.waited.plus(FileTree.CHECK_INTERVAL);
            String location = tree.location(paths.get(index));
            Path file = files[index];
            if (file != null && tree.silent().neverAnswers(file)) {
                giveUp(reader, index, SilentFiles.noFile(location));
                return;
            }
            Duration patience = patience(limit, remaining);
            if (reader.waited.compareTo(patience) >= 0
                    && giveUp(reader, index, tree.silent().noAnswer(location, patience))) {
                remaining = remaining.minus(patience);
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
            deliver(() -> sink.failed(index, reason));
            start(new Reader(false));
            return true;
        }

        private void deliver(Runnable answer) {
            try {
                answer.run();
            } catch (RuntimeException | Error thrown) {
                failure.compareAndSet(null, thrown);
            }
        }

        /** A task that reads files one by one until no file is left, or until it is given up with a silent file. */
        private final class Reader implements Runnable {

            /**
             * Index of the file in progress, or {@link #NOTHING}, or {@link #GIVEN_UP}. After the latter the file's answer is
             * discarded.
             */
            private final AtomicInteger reading = new AtomicInteger(NOTHING);

            private final boolean helper;
            private volatile boolean answered;

            // Only used by the watching caller.
            private int watched = NOTHING;
            private Duration waited = Duration.ZERO;

            Reader(boolean helper) {
                this.helper = helper;
            }

            @Override
            public void run() {
                byte[] buffer = new byte[BUFFER];
                boolean awaited = true;
                for (int index = next.getAndIncrement(); index < files.length; index = next.getAndIncrement()) {
                    resolve(index);
                    reading.set(index);
                    Runnable answer = answer(index, buffer);
                    awaited = reading.compareAndSet(index, NOTHING);
                    if (!awaited) {
                        break;
                    }
                    deliver(answer);
                }
                answered = true;
                if (helper) {
                    HELPERS.release();
                }
                if (awaited) {
                    ended.countDown();
                }
            }

            private Runnable answer(int index, byte[] buffer) {
                try {
                    String path = paths.get(index);
                    tree.silent().check(path, tree);
                    Path file = files[index];
                    if (file != null) {
                        try (InputStream in = new AttributeStream(file, options)) {
                            int length = Math.max(0, in.read(buffer));
                            if (length < buffer.length) {
                                return () -> sink.content(index, buffer, length);
                            }
                        } catch (IOException refused) {
                            if (!Files.isSymbolicLink(file)) {
                                throw refused;
                            }
                        }
                    }
                    // This reads files of any length. It follows a link if the target is inside the tree.
                    byte[] content = tree.readHere(path);
                    return () -> sink.content(index, content, content.length);
                } catch (IOException refused) {
                    return () -> sink.failed(index, refused);
                } catch (RuntimeException | Error thrown) {
                    return () -> {
                        throw thrown;
                    };
                }
            }
        }
    }
}
