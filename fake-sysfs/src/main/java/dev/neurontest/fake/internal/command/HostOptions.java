package dev.neurontest.fake.internal.command;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeView;
import dev.neurontest.fake.internal.help.VisibleText;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of a subcommand that select a host and its view. */
final class HostOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @ArgGroup(multiplicity = "1")
    private Which which = new Which();

    /** The required choice between an instance type and an archive. */
    static final class Which {

        @Option(
                names = "--instance",
                paramLabel = "TYPE",
                completionCandidates = InstanceTypes.class,
                description = "see 'list'")
        private @Nullable String instance;

        @Option(
                names = "--from",
                paramLabel = "FILE",
                description =
                        "an archive that 'neuron-test record' has written: the host has its instance type, driver and files")
        private @Nullable Path archive;
    }

    @Option(
            names = "--play",
            description =
                    "with --from: replay the changes that 'neuron-test record --for' has recorded, as soon as the files exist;"
                            + " without this option, the command 'timeline' replays them")
    private boolean play;

    @Option(
            names = "--layout",
            paramLabel = "LAYOUT",
            completionCandidates = Layouts.class,
            description =
                    "see 'list'; by default the newest that supports the instance type, for an archive the most similar")
    private @Nullable String layout;

    @Option(
            names = "--view",
            paramLabel = "VIEW",
            completionCandidates = Views.class,
            description = "directory (ordinary files, the default) or fuse (a mount that behaves like sysfs; if it is"
                    + " not possible, standard error gives the reason and ordinary files are used instead)")
    private FakeView view = FakeView.DIRECTORY;

    @Option(names = "--require-view", description = "fail if this view is not possible")
    private boolean viewRequired;

    /** Values for the completion of a shell; created by picocli. */
    static final class InstanceTypes implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return FakeNeuronHost.instanceTypes().iterator();
        }
    }

    static final class Layouts implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return Stream.concat(FakeNeuronHost.layouts().stream(), FakeNeuronHost.inventedLayouts().stream())
                    .iterator();
        }
    }

    static final class Views implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return Stream.of(FakeView.values())
                    .map(view -> view.name().toLowerCase(Locale.ROOT))
                    .iterator();
        }
    }

    /**
     * Starts the host and creates its files. It is closed at the end of the JVM.
     *
     * @param more further settings of the subcommand
     * @throws ParameterException when there is no such host
     */
    FakeNeuronHost start(UnaryOperator<FakeNeuronHost.Builder> more) {
        if (play && which.archive == null) {
            throw new ParameterException(spec.commandLine(), "--play needs --from: only an archive can be played");
        }
        FakeNeuronHost.Builder builder = FakeNeuronHost.builder();
        if (which.instance != null) {
            builder.instance(which.instance);
        }
        if (which.archive != null) {
            builder.recording(which.archive);
        }
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
        host.replayRemarks().forEach(this::complain);
        if (play) {
            host.timeline().play();
        }
        if (host.rescanning()) {
            complain("too few inotify watches: writes to the files are detected a little later;"
                    + " raise fs.inotify.max_user_watches");
        }
        host.viewFallback().ifPresent(reason -> complain("no FUSE view, ordinary files are used instead: " + reason));
        return host;
    }

    private void closeAtExit(FakeNeuronHost host) {
        try {
            host.close();
        } catch (UncheckedIOException e) {
            complain(String.valueOf(e.getMessage()));
        }
    }

    private void complain(String message) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(VisibleText.of(message));
        err.flush();
    }
}
