package dev.neurontest.internal.platform;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.PhysicalCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeReader;
import dev.neurontest.fake.FakeView;
import dev.neurontest.fake.internal.script.AddedScript;
import dev.neurontest.internal.configuration.PlatformChoice;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A fake or recorded host of this JVM, and its file tree. This class is only loaded when such a host is chosen, because the fake is an
 * optional dependency.
 *
 * @param host the running fake
 * @param tree the files that the extension reads
 */
record FakePlatform(FakeNeuronHost host, HostTree tree) implements AutoCloseable {

    static Class<?> type() {
        return FakeNeuronHost.class;
    }

    static FakePlatform start(PlatformChoice.Fake choice, Optional<Path> folder) {
        FakeNeuronHost.Builder builder = FakeNeuronHost.builder()
                .instance(choice.instanceType())
                .coreNames(FakePlatform::physicalCores)
                .reader(choice.user() == PlatformChoice.User.ROOT ? FakeReader.ROOT : FakeReader.ORDINARY_USER);
        if (choice.layout().isPresent()) {
            builder.layout(choice.layout().get());
        }
        if (folder.isPresent()) {
            builder.folder(folder.get());
        }
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
     * Starts a host from a recording.
     *
     * @throws UncheckedIOException with the problem of the file in one line
     */
    static FakePlatform replay(Path file) {
        FakeNeuronHost host = FakeNeuronHost.builder().recording(file).start();
        return new FakePlatform(host, new FakeHostTree("replay:" + file, host.tree()));
    }

    private static List<String> physicalCores(Object core) {
        return core instanceof NeuronCore logical
                ? logical.physicalCores().stream().map(PhysicalCore::toString).toList()
                : List.of(core.toString());
    }

    ReplayedTimeline timeline(boolean happens) {
        return new ReplayedTimeline(host.timeline(), happens);
    }

    /** Returns the scripts that can still change something. */
    List<FakeScript> scripts() {
        List<FakeScript> scripts = new ArrayList<>();
        for (AddedScript each : host.addedScripts()) {
            scripts.add(new FakeScript(each.script(), each.author(), each.text(), each.used(), each.end()));
        }
        return List.copyOf(scripts);
    }

    /** Returns the time of the recording; empty for a host that is not a recording. */
    Optional<String> recordedAt() {
        return host.recordedAt();
    }

    /** Returns remarks about the host type that replaces an unknown recorded one. */
    List<String> remarks() {
        return host.replayRemarks();
    }

    /** Returns the reason why the files are not in a mount although that was requested. Does not create files where none are needed. */
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
