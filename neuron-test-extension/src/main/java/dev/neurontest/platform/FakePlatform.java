package dev.neurontest.platform;

import dev.neurontest.configuration.PlatformChoice;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeReader;
import dev.neurontest.fake.FakeView;
import dev.neurontest.host.FileTree;
import dev.neurontest.host.HostTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A fake host of this JVM and the way it is read. Only loaded when a fake is chosen: the fake is an optional dependency.
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

    private static HostTree inProcess(FakeNeuronHost host) {
        return new FakeHostTree("fake:" + host.instanceType() + "@" + host.layout(), host.tree());
    }
}
