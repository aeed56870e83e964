package dev.neurontest.conformance;

import dev.neurontest.conformance.Facts.Instance;
import dev.neurontest.conformance.Facts.Layout;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeView;
import dev.neurontest.internal.archive.HostPicture;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.host.HostTree;
import dev.neurontest.internal.platform.InProcessFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** One view of a fake that no other test uses. */
abstract class FakeHost extends HostUnderTest {

    private static final Duration RESET = Duration.ofSeconds(1);

    private final View view;
    private final String type;
    private final String layout;
    private final MovedClock clock = new MovedClock();
    private @Nullable FakeNeuronHost fake;
    private @Nullable HostTree tree;

    FakeHost(View view, String type, String layout) {
        super(view);
        this.view = view;
        this.type = type;
        this.layout = layout;
    }

    @Override
    void open() throws IOException {
        FakeNeuronHost started = start(FakeNeuronHost.builder()
                .instance(type)
                .layout(layout)
                .clock(clock)
                .resetDuration(RESET));
        fake = started;
        tree = view(started);
    }

    abstract FakeNeuronHost start(FakeNeuronHost.Builder builder) throws IOException;

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

    @Override
    public String toString() {
        return type + "@" + layout + " " + view;
    }

    static <T> T opened(@Nullable T thing) {
        if (thing == null) {
            throw new IllegalStateException("not open");
        }
        return thing;
    }

    /** A view by method calls. */
    private abstract static class OfMethods extends FakeHost {

        OfMethods(View view, String type, String layout) {
            super(view, type, layout);
        }

        @Override
        HostTree view(FakeNeuronHost host) {
            return InProcessFixture.tree(host);
        }

        @Override
        Access access() {
            return new MethodCalls(fake().tree());
        }
    }

    /** The fake in process. */
    static final class InProcess extends OfMethods {

        InProcess(String type, String layout) {
            super(View.IN_PROCESS, type, layout);
        }

        @Override
        FakeNeuronHost start(FakeNeuronHost.Builder builder) {
            return builder.start();
        }
    }

    /** The fake replayed from a recording of the extension. */
    static final class Replay extends OfMethods {

        Replay(String type, String layout) {
            super(View.REPLAY, type, layout);
        }

        @Override
        FakeNeuronHost start(FakeNeuronHost.Builder builder) throws IOException {
            Path recording = Files.createTempFile("neuron-conformance-", ".archive.txt");
            try (FakeNeuronHost recorded = builder.start()) {
                HostPicture.of(InProcessFixture.tree(recorded), HostPicture.Options.USUAL)
                        .archive()
                        .writeTo(recording);
                return FakeNeuronHost.builder()
                        .recording(recording)
                        .clock(clock())
                        .resetDuration(RESET)
                        .start();
            } finally {
                Files.delete(recording);
            }
        }
    }

    /** A view by files. */
    private abstract static class OfFiles extends FakeHost {

        private final FakeView how;

        OfFiles(View view, FakeView how, String type, String layout) {
            super(view, type, layout);
            this.how = how;
        }

        @Override
        FakeNeuronHost start(FakeNeuronHost.Builder builder) {
            return builder.view(how).start();
        }

        @Override
        HostTree view(FakeNeuronHost host) throws IOException {
            return FileTree.at(host.directory());
        }

        @Override
        Access access() {
            return new SystemCalls(fake().directory());
        }
    }

    /** A view by ordinary files. */
    static final class Directory extends OfFiles {

        Directory(String type, String layout) {
            super(View.DIRECTORY, FakeView.DIRECTORY, type, layout);
            if (!Readers.isRoot()) {
                has(Ability.REFUSED_WRITES);
            }
        }
    }

    /** A view by a mount. */
    static final class Fuse extends OfFiles {

        Fuse(String type, String layout) {
            super(View.FUSE, FakeView.FUSE, type, layout);
        }

        @Override
        HostTree view(FakeNeuronHost host) throws IOException {
            HostTree tree = super.view(host);
            Assumptions.assumeTrue(
                    host.view() == FakeView.FUSE, () -> host.viewFallback().orElse("no reason is given"));
            return tree;
        }
    }
}
