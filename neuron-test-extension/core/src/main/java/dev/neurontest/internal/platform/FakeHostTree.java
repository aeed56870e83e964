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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The in-process view of a fake host, read by method calls. */
final class FakeHostTree implements HostTree {

    /** Threads for reading files with a delay; a reader can abandon such a thread. They are created at the first such reading. */
    private static final class Readers {

        static final ExecutorService THREADS = Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(work, "neuron-test-reader");
            thread.setDaemon(true);
            return thread;
        });
    }

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
        Future<byte[]> reading = Readers.THREADS.submit(() -> tree.read(path));
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
        return target(path) != null;
    }

    @Override
    public OptionalInt mode(String path) {
        FakeEntry target = target(path);
        return target == null ? OptionalInt.empty() : OptionalInt.of(target.mode());
    }

    @Override
    public Optional<DeviceNumber> deviceNumber(String path) {
        FakeEntry target = target(path);
        return target == null || target.device() == null ? Optional.empty() : DeviceNumber.parse(target.device());
    }

    /**
     * Returns the entry that a path leads to; null when it does not exist. A link in the middle of a path is followed, also when only a
     * dot follows it.
     */
    private @Nullable FakeEntry target(String path) {
        return entry(path + "/.");
    }

    private @Nullable FakeEntry entry(String path) {
        try {
            return tree.stat(path);
        } catch (IOException absent) {
            return null;
        }
    }

    @Override
    public Optional<String> linkTarget(String path) {
        FakeEntry entry = entry(path);
        return entry == null ? Optional.empty() : Optional.ofNullable(entry.linkTarget());
    }

    @Override
    public Optional<String> identity(String path) {
        FakeEntry target = target(path);
        return target == null ? Optional.empty() : Optional.of("generation " + target.generation());
    }

    @Override
    public Optional<EntryKind> kind(String path) {
        FakeEntry entry = entry(path);
        return entry == null
                ? Optional.empty()
                : Optional.of(EntryKind.valueOf(entry.type().name()));
    }

    @Override
    public Batch prepare(List<String> paths) {
        List<FakeFile> files = new ArrayList<>();
        for (String path : paths) {
            files.add(tree.open(path));
        }
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
                List<String> some = new ArrayList<>();
                for (int position : positions) {
                    some.add(paths.get(position));
                }
                return prepare(some);
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
