package dev.neurontest.fake.internal.command;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.internal.control.CommandLines;
import dev.neurontest.fake.internal.control.CommandSession;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command that provides a host to independent programs, until it is stopped. */
@Command(
        name = "serve",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:'quit' or the end of the input ended it",
            "2:there is no such host, or its files cannot be created",
            "other:128 and the number of the signal that ended it"
        },
        description = {
            "Creates the root of a host in a directory, prints 'ready DIR' when all files exist, then accepts commands on"
                    + " standard input, one per line ('help' lists them).",
            "Ends on 'quit', on TERM and at the end of the input, and leaves nothing behind."
        },
        mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private HostOptions options = new HostOptions();

    @Option(names = "--root", required = true, paramLabel = "DIR", description = "absent or empty")
    private Path root = Path.of("");

    @Option(
            names = "--container",
            paramLabel = "N",
            split = ",",
            description = "dev contains only these devices, numbered from 0 as in a container: with 2,3"
                    + " dev/neuron0 is the node of neuron2")
    private @Nullable List<Integer> container;

    @Option(names = "--keep", description = "continue when the input ends")
    private boolean keep;

    @Override
    public Integer call() throws IOException, InterruptedException {
        FakeNeuronHost host = options.start(builder -> container(builder.root(root)));
        PrintWriter out = spec.commandLine().getOut();
        out.println("ready " + root);
        out.flush();
        boolean quit = converse(host, out);
        if (keep && !quit) {
            new CountDownLatch(1).await();
        }
        return 0;
    }

    private FakeNeuronHost.Builder container(FakeNeuronHost.Builder builder) {
        return container == null
                ? builder
                : builder.container(
                        container.stream().mapToInt(Integer::intValue).toArray());
    }

    /**
     * Runs the commands of the input until it ends, and prints their answers.
     *
     * @return true when {@code quit} ended it
     */
    private static boolean converse(FakeNeuronHost host, PrintWriter out) throws IOException {
        CommandLines commands = new CommandLines(System.in);
        // Left open on purpose: with --keep the processes of a closed input continue to run, and the host ends them
        // itself.
        CommandSession session = host.openSession();
        String command;
        while (!session.hasQuit() && (command = commands.next()) != null) {
            out.println(session.answer(command));
            out.flush();
        }
        return session.hasQuit();
    }
}
