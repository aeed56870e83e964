package dev.neurontest.internal.platform;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeReader;
import dev.neurontest.fake.FakeView;
import dev.neurontest.internal.configuration.PlatformChoice;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A fake or recorded host of this JVM and the way it is read. Only loaded when one is chosen: the fake is an optional dependency.
 *
 * @param host the running fake
 * @param tree what the extension reads
 */
record FakePlatform(FakeNeuronHost host, HostTree tree) implements AutoCloseable {

    static FakePlatform start(PlatformChoice.Fake choice, Optional<Path> folder) {
        FakeNeuronHost.Builder builder = FakeNeuronHost.builder()
                .instance(choice.instanceType())
                .reader(choice.user() == PlatformChoice.User.ROOT ? FakeReader.ROOT : FakeReader.ORDINARY_USER);
        choice.layout().ifPresent(builder::layout);
        folder.ifPresent(builder::folder);
        if (choice.view() == PlatformChoice.View.FUSE) {
            builder.view(FakeView.FUSE);
        }
        FakeNeuronHost host = builder.start();
        try {
            return new FakePlatform(host, choice.inProcess() ? inProcess(host) : FileTree.at(host.directory()));
        } catch (IOException failed) {
            host.close();
            throw new UncheckedIOException(failed);
        } catch (UncheckedIOException failed) {
            host.close();
            throw failed;
        }
    }

    /**
     * Makes a host of a recording.
     *
     * @throws UncheckedIOException saying in one line what is wrong with the file
     */
    static FakePlatform replay(Path file) {
        FakeNeuronHost host = FakeNeuronHost.builder().recording(file).start();
        return new FakePlatform(host, new FakeHostTree("replay:" + file, host.tree()));
    }

    ReplayedTimeline timeline(boolean happens) {
        return new ReplayedTimeline(host.timeline(), happens);
    }

    /** When it was recorded; empty for a host that is no recording. */
    Optional<String> recordedAt() {
        return host.recordedAt();
    }

    /** What a recorded host is taken for, where it is not known. */
    List<String> remarks() {
        return host.replayRemarks();
    }

    /** Why the files are not in a mount although that was asked for. Asks for no files where none are needed. */
    Optional<String> notMounted() {
        return tree instanceof FileTree ? host.viewFallback() : Optional.empty();
    }

    String layout() {
        return host.layout();
    }

    Path root() {
        return host.directory();
    }

    Map<String, String> environment() {
        return host.environment();
    }

    @Override
    public void close() {
        host.close();
    }

    static List<String> instanceTypes() {
        return FakeNeuronHost.instanceTypes();
    }

    private static HostTree inProcess(FakeNeuronHost host) {
        return new FakeHostTree("fake:" + host.instanceType() + "@" + host.layout(), host.tree());
    }
}
