package dev.neurontest.counter;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.files.FakeEntry;
import dev.neurontest.fake.files.FakeFile;
import dev.neurontest.fake.files.FakeTree;
import dev.neurontest.host.EntryKind;
import dev.neurontest.host.HostTree;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NotDirectoryException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A fake host seen in process, for the tests of this room. */
public final class FakeHostFixture implements HostTree {

    private final FakeNeuronHost host;
    private final FakeTree tree;

    public FakeHostFixture(FakeNeuronHost host) {
        this.host = host;
        this.tree = host.tree();
    }

    @Override
    public String name() {
        return "fake:" + host.instanceType() + "@" + host.layout();
    }

    @Override
    public String location(String path) {
        return "fake:/" + path;
    }

    @Override
    public byte[] read(String path) throws IOException {
        return tree.read(path);
    }

    @Override
    public void write(String path, byte[] content) throws IOException {
        tree.write(path, content);
    }

    @Override
    public List<String> list(String directory) throws IOException {
        if (tree.stat(directory).type() == FakeEntry.Type.FILE) {
            throw new NotDirectoryException(directory);
        }
        return tree.list(directory);
    }

    @Override
    public boolean exists(String path) {
        try {
            tree.stat(path);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public OptionalInt mode(String path) {
        try {
            return OptionalInt.of(tree.stat(path).mode());
        } catch (IOException e) {
            return OptionalInt.empty();
        }
    }

    @Override
    public Optional<String> linkTarget(String path) {
        try {
            return Optional.ofNullable(tree.stat(path).linkTarget());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<EntryKind> kind(String path) {
        try {
            return Optional.of(EntryKind.valueOf(tree.stat(path).type().name()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public boolean awaitChange(String path, byte[] seen, Duration atMost) throws IOException {
        try {
            return tree.awaitChange(path, new String(seen, StandardCharsets.ISO_8859_1), atMost);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(path);
        }
    }

    @Override
    public Batch prepare(List<String> paths) {
        List<FakeFile> files = paths.stream().map(tree::open).toList();
        return new Batch() {

            @Override
            public int size() {
                return paths.size();
            }

            @Override
            public String path(int index) {
                return paths.get(index);
            }

            @Override
            public void read(Sink sink) {
                byte[] buffer = new byte[4096];
                for (int index = 0; index < files.size(); index++) {
                    try {
                        sink.content(index, buffer, files.get(index).read(buffer));
                    } catch (IOException e) {
                        sink.failed(index, e);
                    }
                }
            }
        };
    }
}
