package dev.neurontest.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Files of a {@link FileTree} that are read again and again: where they are is found out once, and many are read by several
 * threads. Streams of {@link Files} open as fast as channels, and unlike those they can be read by an interrupted thread, which a
 * test is after its timeout.
 */
final class FileBatch implements HostTree.Batch {

    /** Fewer files are read before another thread has woken up. */
    private static final int WORTH_SHARING = 400;

    private static final int CHUNK = 128;

    /** One byte more than the page that a driver file can fill, so that a full buffer means a longer file. */
    private static final int BUFFER = 4097;

    /** The caller reads too. More threads than this only wait for each other in the kernel's directory tree. */
    private static final int READERS = Math.min(Runtime.getRuntime().availableProcessors(), 8) - 1;

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

    /** Threads that read along if they are free, and end when there is nothing to read for a while. */
    private static final class Readers {

        private static final AtomicInteger NUMBER = new AtomicInteger();

        static final ThreadPoolExecutor POOL = new ThreadPoolExecutor(
                0,
                READERS,
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                Readers::thread,
                new ThreadPoolExecutor.DiscardPolicy());

        private static Thread thread(Runnable work) {
            Thread thread = new Thread(work, "neuron-test-reader-" + NUMBER.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        }
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
        if (files.length < WORTH_SHARING || READERS == 0) {
            read(0, files.length, new byte[BUFFER], sink);
            return;
        }
        new Shared(sink).read();
    }

    /** One reading, whose chunks go to whoever is free. */
    private final class Shared implements Runnable {

        private final HostTree.Sink sink;
        private final int chunks = (files.length + CHUNK - 1) / CHUNK;
        private final AtomicInteger next = new AtomicInteger();
        private final CountDownLatch unread = new CountDownLatch(chunks);
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        Shared(HostTree.Sink sink) {
            this.sink = sink;
        }

        void read() {
            for (int reader = 0; reader < READERS; reader++) {
                Readers.POOL.execute(this);
            }
            run();
            awaitUnread();
            Throwable thrown = failure.get();
            if (thrown instanceof Error error) {
                throw error;
            } else if (thrown instanceof RuntimeException exception) {
                throw exception;
            }
        }

        @Override
        public void run() {
            byte[] buffer = new byte[BUFFER];
            for (int chunk = next.getAndIncrement(); chunk < chunks; chunk = next.getAndIncrement()) {
                try {
                    FileBatch.this.read(chunk * CHUNK, Math.min(files.length, (chunk + 1) * CHUNK), buffer, sink);
                } catch (RuntimeException | Error thrown) {
                    failure.compareAndSet(null, thrown);
                } finally {
                    unread.countDown();
                }
            }
        }

        private void awaitUnread() {
            boolean interrupted = false;
            while (true) {
                try {
                    unread.await();
                    break;
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void read(int from, int to, byte[] buffer, HostTree.Sink sink) {
        for (int index = from; index < to; index++) {
            byte[] content = buffer;
            int length;
            try {
                Path file = files[index];
                if (file == null) {
                    content = tree.read(paths.get(index));
                    length = content.length;
                } else {
                    try (InputStream in = new AttributeStream(file, options)) {
                        length = Math.max(0, in.read(buffer));
                        if (length == buffer.length) {
                            content = longContent(index, buffer, in);
                            length = content.length;
                        }
                    }
                }
            } catch (IOException failed) {
                if (!readLink(index, sink)) {
                    sink.failed(index, failed);
                }
                continue;
            }
            sink.content(index, content, length);
        }
    }

    /** A file that is a link is opened where it leads, if that is inside the tree. */
    private boolean readLink(int index, HostTree.Sink sink) {
        Path file = files[index];
        if (file == null || !Files.isSymbolicLink(file)) {
            return false;
        }
        byte[] content;
        try {
            content = tree.read(paths.get(index));
        } catch (IOException failed) {
            sink.failed(index, failed);
            return true;
        }
        sink.content(index, content, content.length);
        return true;
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
