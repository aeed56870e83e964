package dev.neurontest.fake;

import dev.neurontest.fake.control.CommandLines;
import dev.neurontest.fake.control.CommandSession;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command of the runnable jar: serves a fake host to programs of any language. */
@Command(
        name = "fake-sysfs",
        description = "A Neuron host without hardware.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FakeSysfsCommand {

    private static final Pattern TENSOR = Pattern.compile("(.+):([0-9]{1,15})");

    /** A type begins with a letter, which a part of a name that ends in a number does not. */
    private static final Pattern TYPED_TENSOR =
            Pattern.compile("(.+):([a-z][a-z0-9_]*):(-|[0-9]{1,15}(?:x[0-9]{1,15})*)");

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

    @Command(
            name = "neff",
            description = "Writes a file that the stand-in profilers take for a compiled model.",
            mixinStandardHelpOptions = true)
    void neff(
            @Option(
                            names = "--name",
                            description =
                                    "in the header, which scripts go by; by default that of the file without .neff")
                    @Nullable
                    String name,
            @Option(names = "--uuid", description = "a new one by default") @Nullable UUID uuid,
            @Option(names = "--lnc", description = "physical cores of a logical core, 1 or 2", defaultValue = "1")
                    int logicalCoreSize,
            @Option(names = "--profile", description = "model (default), vector or transpose") @Nullable String profile,
            @Option(names = "--time", paramLabel = "MICROSECONDS", description = "of an execution") @Nullable Long time,
            @Option(
                            names = "--input",
                            paramLabel = "NAME:BYTES|NAME:DTYPE:SHAPE",
                            description = "such as x:float32:4x4")
                    @Nullable
                    List<String> inputs,
            @Option(names = "--output", paramLabel = "NAME:BYTES|NAME:DTYPE:SHAPE") @Nullable List<String> outputs,
            @Option(names = "--workers", description = "that its collectives need", defaultValue = "1") int workers,
            @Parameters(paramLabel = "FILE", description = "is replaced") Path file)
            throws IOException {
        try {
            FakeNeff.Builder neff = FakeNeff.builder().lnc(logicalCoreSize).workers(workers);
            if (name != null) {
                neff.name(name);
            }
            if (uuid != null) {
                neff.uuid(uuid);
            }
            if (profile != null) {
                neff.profile(profile);
            }
            if (time != null) {
                neff.time(Duration.of(time, ChronoUnit.MICROS));
            }
            tensors(inputs, neff::input, neff::input);
            tensors(outputs, neff::output, neff::output);
            neff.write(file);
        } catch (IllegalArgumentException refused) {
            throw new ParameterException(spec().commandLine(), String.valueOf(refused.getMessage()));
        }
    }

    private interface TypedTensors {
        void add(String name, String dtype, long... shape);
    }

    private static void tensors(
            @Nullable List<String> texts, BiConsumer<String, Long> tensors, TypedTensors typedTensors) {
        for (String text : texts == null ? List.<String>of() : texts) {
            Matcher typed = TYPED_TENSOR.matcher(text);
            Matcher plain = TENSOR.matcher(text);
            if (typed.matches()) {
                long[] shape = typed.group(3).equals("-")
                        ? new long[0]
                        : Stream.of(typed.group(3).split("x"))
                                .mapToLong(Long::parseLong)
                                .toArray();
                typedTensors.add(typed.group(1), typed.group(2), shape);
            } else if (plain.matches()) {
                tensors.accept(plain.group(1), Long.parseLong(plain.group(2)));
            } else {
                throw new IllegalArgumentException(text + " is no NAME:BYTES and no NAME:DTYPE:SHAPE");
            }
        }
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
