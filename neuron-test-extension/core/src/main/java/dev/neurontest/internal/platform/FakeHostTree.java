package dev.neurontest.internal.platform;

import dev.neurontest.fake.Errno;
import dev.neurontest.fake.FakeErrnoException;
import dev.neurontest.fake.FakeTree;
import dev.neurontest.fake.internal.files.FakeEntry;
import dev.neurontest.fake.internal.files.FakeFile;
import dev.neurontest.internal.host.DeviceNumber;
import dev.neurontest.internal.host.EntryKind;
import dev.neurontest.internal.host.HostTree;
import dev.neurontest.internal.host.NoAnswerException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.NotDirectoryException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The in-process view of a fake host, read by method calls. */
final class FakeHostTree implements HostTree {

    /** Threads for reading files with a delay; a reader can abandon such a thread. */
    private static final ExecutorService READERS = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "neuron-test-reader");
        thread.setDaemon(true);
        return thread;
    });

    private final String name;
    private final FakeTree tree;

    FakeHostTree(String name, FakeTree tree) {
        this.name = name;
        this.tree = tree;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String location(String path) {
        return name + ":/" + path;
    }

    @Override
    public byte[] read(String path) throws IOException {
        return tree.read(path);
    }

    @Override
    public byte[] read(String path, Duration atMost) throws IOException {
        Future<byte[]> reading = READERS.submit(() -> tree.read(path));
        try {
            return reading.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException silent) {
            reading.cancel(true);
            throw new NoAnswerException(location(path), "no response");
        } catch (InterruptedException interrupted) {
            reading.cancel(true);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while reading " + path);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IOException refused) {
                throw refused;
            }
            throw new IllegalStateException(failed.getCause());
        }
    }

    @Override
    public void write(String path, byte[] content) throws IOException {
        tree.write(path, content);
    }

    @Override
    public List<String> list(String directory) throws IOException {
        try {
            return tree.list(directory);
        } catch (FakeErrnoException refused) {
            throw refused.errno() == Errno.ENOTDIR ? new NotDirectoryException(directory) : refused;
        }
    }

    @Override
    public boolean exists(String path) {
        return known(() -> target(path)).isPresent();
    }

    @Override
    public OptionalInt mode(String path) {
        return known(() -> target(path)).stream().mapToInt(FakeEntry::mode).findFirst();
    }

    @Override
    public Optional<DeviceNumber> deviceNumber(String path) {
        return known(() -> target(path).device()).flatMap(DeviceNumber::parse);
    }

    /** Returns the entry that a path leads to. A link in the middle of a path is followed, also when only a dot follows it. */
    private FakeEntry target(String path) throws IOException {
        return tree.stat(path + "/.");
    }

    @Override
    public Optional<String> linkTarget(String path) {
        return known(() -> tree.stat(path).linkTarget());
    }

    @Override
    public Optional<String> identity(String path) {
        return known(() -> "generation " + target(path).generation());
    }

    @Override
    public Optional<EntryKind> kind(String path) {
        return known(() -> EntryKind.valueOf(tree.stat(path).type().name()));
    }

    private interface Look<T extends @Nullable Object> {
        T take() throws IOException;
    }

    /** Returns the result of a query; empty when the entry does not exist. */
    private static <T> Optional<T> known(Look<@Nullable T> query) {
        try {
            return Optional.ofNullable(query.take());
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    @Override
    public Batch prepare(List<String> paths) {
        List<FakeFile> files = paths.stream().map(tree::open).toList();
        return new Batch() {
            @Override
            public int size() {
                return files.size();
            }

            @Override
            public String path(int index) {
                return paths.get(index);
            }

            @Override
            public Batch part(int[] positions) {
                return prepare(IntStream.of(positions).mapToObj(paths::get).toList());
            }

            @Override
            public void read(Sink sink) {
                for (int index = 0; index < files.size(); index++) {
                    try {
                        byte[] content = files.get(index).read();
                        sink.content(index, content, content.length);
                    } catch (IOException refused) {
                        sink.failed(index, refused);
                    }
                }
            }
        };
    }
}
