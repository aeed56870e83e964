package dev.neurontest.conformance;

import dev.neurontest.conformance.Facts.Instance;
import dev.neurontest.conformance.Facts.Layout;
import dev.neurontest.fake.FakeFile;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.host.FileTree;
import dev.neurontest.host.HostTree;
import dev.neurontest.platform.InProcessFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One view of a fake that nobody else has. */
abstract class FakeHost extends HostUnderTest {

    private final String type;
    private final String layout;
    private final MovedClock clock = new MovedClock();
    private @Nullable FakeNeuronHost fake;
    private @Nullable HostTree tree;

    FakeHost(String type, String layout) {
        this.type = type;
        this.layout = layout;
    }

    @Override
    void open() throws IOException {
        FakeNeuronHost started = start(FakeNeuronHost.builder()
                .instance(type)
                .layout(layout)
                .clock(clock)
                .resetDuration(Duration.ofSeconds(1)));
        fake = started;
        tree = view(started);
    }

    abstract FakeNeuronHost start(FakeNeuronHost.Builder builder);

    abstract HostTree view(FakeNeuronHost host) throws IOException;

    @Override
    FakeNeuronHost fake() {
        return opened(fake);
    }

    @Override
    HostTree tree() {
        return opened(tree);
    }

    @Override
    Instance type() {
        return Facts.instance(type).orElseThrow();
    }

    @Override
    Layout layout() {
        return Facts.layout(layout);
    }

    @Override
    MovedClock clock() {
        return clock;
    }

    @Override
    void published() {
        fake().awaitPublished();
    }

    @Override
    public void close() {
        if (fake != null) {
            fake.close();
        }
    }

    static <T> T opened(@Nullable T thing) {
        if (thing == null) {
            throw new IllegalStateException("not open");
        }
        return thing;
    }

    /** By method call. */
    static final class InProcess extends FakeHost {

        InProcess(String type, String layout) {
            super(type, layout);
        }

        @Override
        FakeNeuronHost start(FakeNeuronHost.Builder builder) {
            return builder.start();
        }

        @Override
        HostTree view(FakeNeuronHost host) {
            return InProcessFixture.tree(host);
        }

        @Override
        long size(String path) throws IOException {
            return fake().tree().stat(path).size();
        }

        @Override
        KeptOpen keepOpen(String path) {
            FakeFile file = fake().tree().open(path);
            return () -> new String(file.read(), StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            return super.type + "@" + super.layout + " in process";
        }
    }

    /** By files. */
    static final class Directory extends FakeHost {

        Directory(String type, String layout) {
            super(type, layout);
            lacks(Ability.READ_YOUR_WRITE);
            lacks(Ability.SIZE_OF_A_PAGE);
            lacks(Ability.ERRORS);
            lacks(Ability.DELAYS);
            lacks(Ability.COUNTED_READS);
            lacks(Ability.KEPT_OPEN);
            lacks(Ability.CLOCK);
            if (Readers.isRoot()) {
                lacks(Ability.REFUSED_WRITES);
            }
        }

        @Override
        FakeNeuronHost start(FakeNeuronHost.Builder builder) {
            return builder.start();
        }

        @Override
        HostTree view(FakeNeuronHost host) throws IOException {
            return FileTree.at(host.directory());
        }

        @Override
        long size(String path) throws IOException {
            return Files.size(fake().directory().resolve(path));
        }

        @Override
        KeptOpen keepOpen(String path) throws IOException {
            return new Descriptor(fake().directory().resolve(path));
        }

        @Override
        public String toString() {
            return super.type + "@" + super.layout + " as a directory";
        }
    }

    /** A file of the operating system, read from its beginning each time. */
    static final class Descriptor implements KeptOpen {

        private final FileChannel channel;

        Descriptor(Path file) throws IOException {
            this.channel = FileChannel.open(file);
        }

        @Override
        public String read() throws IOException {
            ByteBuffer content = ByteBuffer.allocate(4096);
            channel.read(content, 0);
            return new String(content.array(), 0, content.position(), StandardCharsets.UTF_8);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
