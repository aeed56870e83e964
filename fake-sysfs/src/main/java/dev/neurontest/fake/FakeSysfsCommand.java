package dev.neurontest.fake;

import dev.neurontest.fake.control.CommandLines;
import dev.neurontest.fake.control.CommandSession;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command of the runnable jar: serves a fake host to programs of any language. */
@Command(
        name = "fake-sysfs",
        description = "A Neuron host without hardware.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FakeSysfsCommand {

    @Spec
    private @Nullable CommandSpec spec;

    /** Picocli and {@link #main(String[])} make it. */
    public FakeSysfsCommand() {}

    /**
     * Runs the command and ends the JVM with its exit code.
     *
     * @param arguments the words after the jar
     */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new FakeSysfsCommand()).execute(arguments));
    }

    @Command(name = "list", description = "Prints the instance types and layouts.", mixinStandardHelpOptions = true)
    void list() {
        PrintWriter out = out();
        out.println("instance types:");
        FakeNeuronHost.instanceTypes().forEach(type -> out.println("  " + type));
        out.println("layouts, oldest first:");
        FakeNeuronHost.layouts().forEach(layout -> out.println("  " + layout));
        out.flush();
    }

    @Command(
            name = "serve",
            description = {
                "Makes a host root in a directory, prints 'ready DIR' when everything is there, then takes commands on"
                        + " standard input, one a line ('help' lists them).",
                "Ends on 'quit', on TERM and at the end of the input, and leaves nothing behind."
            },
            mixinStandardHelpOptions = true)
    int serve(
            @Option(names = "--instance", required = true, paramLabel = "TYPE", description = "see 'list'")
                    String instance,
            @Option(names = "--layout", paramLabel = "LAYOUT", description = "see 'list'; the newest by default")
                    @Nullable
                    String layout,
            @Option(names = "--root", required = true, paramLabel = "DIR", description = "absent or empty") Path root,
            @Option(names = "--keep", description = "stay when the input ends") boolean keep)
            throws IOException, InterruptedException {
        FakeNeuronHost.Builder builder =
                FakeNeuronHost.builder().instance(instance).root(root);
        if (layout != null) {
            builder.layout(layout);
        }
        FakeNeuronHost host;
        try {
            host = builder.start();
            Runtime.getRuntime().addShutdownHook(new Thread(host::close, "neuron-fake-termination"));
            host.directory();
        } catch (IllegalArgumentException | UncheckedIOException refused) {
            throw new ParameterException(spec().commandLine(), refused.getMessage());
        }
        if (host.rescanning()) {
            PrintWriter err = spec().commandLine().getErr();
            err.println("too few inotify watches: writes to the files are noticed a little later,"
                    + " raise fs.inotify.max_user_watches");
            err.flush();
        }
        PrintWriter out = out();
        out.println("ready " + root);
        out.flush();
        boolean quit = converse(host, out);
        if (keep && !quit) {
            new CountDownLatch(1).await();
        }
        return 0;
    }

    /** Answers the input until it ends; true when {@code quit} ended it. */
    private static boolean converse(FakeNeuronHost host, PrintWriter out) throws IOException {
        CommandLines commands = new CommandLines(System.in);
        // Left open on purpose: with --keep the processes of a closed input live on, and the host ends them itself.
        CommandSession session = new CommandSession(host);
        String command;
        while (!session.hasQuit() && (command = commands.next()) != null) {
            out.println(session.answer(command));
            out.flush();
        }
        return session.hasQuit();
    }

    private PrintWriter out() {
        return spec().commandLine().getOut();
    }

    private CommandSpec spec() {
        if (spec == null) {
            throw new IllegalStateException("picocli has not set the command up");
        }
        return spec;
    }
}
