package dev.neurontest.fake.command;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeView;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which host a subcommand shows, and how. */
final class HostOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--instance", required = true, paramLabel = "TYPE", description = "see 'list'")
    private String instance = "";

    @Option(names = "--layout", paramLabel = "LAYOUT", description = "see 'list'; the newest by default")
    private @Nullable String layout;

    @Option(
            names = "--view",
            paramLabel = "VIEW",
            description =
                    "directory (ordinary files, the default) or fuse (a mount that behaves as sysfs; where there can be"
                            + " none, standard error says why and ordinary files stand in)")
    private FakeView view = FakeView.DIRECTORY;

    @Option(names = "--require-view", description = "fail where there can be no such view")
    private boolean viewRequired;

    /**
     * Starts the host and makes its files; it is closed when the JVM ends.
     *
     * @param more what else the subcommand wants of it
     * @throws ParameterException when there cannot be such a host
     */
    FakeNeuronHost start(UnaryOperator<FakeNeuronHost.Builder> more) {
        FakeNeuronHost.Builder builder = FakeNeuronHost.builder().instance(instance);
        if (layout != null) {
            builder.layout(layout);
        }
        if (viewRequired) {
            builder.requireView(view);
        } else {
            builder.view(view);
        }
        FakeNeuronHost host;
        try {
            host = more.apply(builder).start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> closeAtExit(host), "neuron-fake-termination"));
            host.directory();
        } catch (IllegalArgumentException | UncheckedIOException refused) {
            throw new ParameterException(spec.commandLine(), refused.getMessage());
        }
        if (host.rescanning()) {
            complain("too few inotify watches: writes to the files are noticed a little later,"
                    + " raise fs.inotify.max_user_watches");
        }
        host.viewFallback().ifPresent(reason -> complain("no FUSE view, ordinary files stand in: " + reason));
        return host;
    }

    private void closeAtExit(FakeNeuronHost host) {
        try {
            host.close();
        } catch (UncheckedIOException e) {
            complain(String.valueOf(e.getMessage()));
        }
    }

    private void complain(String words) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(words);
        err.flush();
    }
}
