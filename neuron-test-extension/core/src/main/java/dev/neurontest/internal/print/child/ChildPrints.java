package dev.neurontest.internal.print.child;

import dev.neurontest.internal.configuration.WorkloadPrints;
import dev.neurontest.internal.print.DelegatedFeed;
import dev.neurontest.internal.print.GivenFeed;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.internal.print.stream.ForwardedPrints;
import dev.neurontest.internal.print.stream.PrintLog;
import dev.neurontest.internal.print.stream.StreamOptions;
import dev.neurontest.internal.runtime.stream.DebugStream;
import dev.neurontest.print.PrintDoubt;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * The prints of programs that a test starts. Only a process that owns a core can read the stream of this core. The reader in the process
 * is either a framework that writes files, or a consumer that is added to a Python program automatically. Both together are impossible
 * because a stream has only one client.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ChildPrints implements DelegatedFeed, AutoCloseable {

    /** Name of the variable for the output folder of the consumers of frameworks. The runtime itself does not read it. */
    public static final String OUTPUT_DIR = "NEURON_RT_DEBUG_OUTPUT_DIR";

    private static final String PYTHON_PATH = "PYTHONPATH";
    /** Name of the variable for the address of the reader of forwarded prints. */
    public static final String SOCKET = "NEURON_TEST_PRINTS_SOCKET";

    private static final String FOLDER = "/dev/neurontest/internal/print/neuron_test_prints/";
    private static final String CONSUMER = "sitecustomize.py";
    private static final String CAPACITY = Long.toString(DebugStream.CAPACITY);

    private final Supplier<Map<String, String>> variables;
    private final PrintFeed feed;
    private final Runnable end;

    private ChildPrints(Supplier<Map<String, String>> variables, PrintFeed feed, Runnable end) {
        this.variables = variables;
        this.feed = feed;
        this.end = end;
    }

    /**
     * Prepares the collection of prints of the programs of one test.
     *
     * @param way method of collecting the prints
     * @param folder folder of the test for all files
     * @param options limits of waiting
     * @param log log of the test for forwarded prints
     */
    public static ChildPrints open(WorkloadPrints way, Supplier<Path> folder, StreamOptions options, PrintLog log) {
        try {
            return switch (way) {
                case FILES -> files(folder);
                case PYTHON -> python(folder, options, log);
            };
        } catch (IOException | RuntimeException e) {
            return without(List.of(new PrintDoubt(
                    PrintDoubt.Kind.UNAVAILABLE,
                    "The prints of programs cannot be collected: %s. Free disk space, or choose another folder."
                            .formatted(e))));
        }
    }

    private static ChildPrints without(List<PrintDoubt> doubts) {
        return new ChildPrints(Map::of, new GivenFeed(List.of(), List.of(), doubts), () -> {});
    }

    private static ChildPrints files(Supplier<Path> folder) throws IOException {
        Path made = fresh(folder.get());
        WrittenPrints written = new WrittenPrints(made);
        return new ChildPrints(
                () -> Map.of(OUTPUT_DIR, written.newFolder().toString(), DebugStream.CAPACITY_VARIABLE, CAPACITY),
                written,
                written::close);
    }

    private static ChildPrints python(Supplier<Path> folder, StreamOptions options, PrintLog log) throws IOException {
        Path made = fresh(folder.get());
        try (InputStream consumer = ChildPrints.class.getResourceAsStream(FOLDER + CONSUMER)) {
            if (consumer == null) {
                throw new IOException("the consumer for Python, %s, is not in this library".formatted(CONSUMER));
            }
            Files.copy(consumer, made.resolve(CONSUMER));
        }
        ForwardedPrints forwarded = ForwardedPrints.listen(made, options, log);
        return new ChildPrints(
                () -> Map.of(
                        PYTHON_PATH,
                        made.toString(),
                        SOCKET,
                        forwarded.address().toString(),
                        DebugStream.CAPACITY_VARIABLE,
                        CAPACITY),
                forwarded,
                forwarded::close);
    }

    /** Creates a folder that other users cannot write to, independent of the umask. Otherwise they could add code to the program. */
    private static Path fresh(Path parent) throws IOException {
        return Files.createDirectory(
                Files.createDirectories(parent)
                        .toAbsolutePath()
                        .resolve("prints-" + UUID.randomUUID().toString().substring(0, 8)),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    }

    /**
     * Returns the environment variables for a program. Each program gets its own folder, because the consumers of two programs use the
     * same numbers for their prints.
     *
     * @param inherited variables that the program would otherwise inherit
     * @return variables by name that replace the inherited ones
     * @throws UncheckedIOException when its folder cannot be created
     */
    public Map<String, String> environment(Map<String, String> inherited) {
        Map<String, String> environment = new HashMap<>(variables.get());
        String inheritedPath = inherited.getOrDefault(PYTHON_PATH, "");
        if (!inheritedPath.isEmpty()) {
            environment.computeIfPresent(PYTHON_PATH, (name, path) -> path + File.pathSeparator + inheritedPath);
        }
        if (!inherited.getOrDefault(DebugStream.CAPACITY_VARIABLE, "").isBlank()) {
            environment.remove(DebugStream.CAPACITY_VARIABLE);
        }
        return environment;
    }

    /**
     * Returns the feed of the programs. Settling this feed waits until running programs have forwarded all their prints, or reads the
     * files written so far.
     */
    @Override
    public PrintFeed source() {
        return feed;
    }

    /** Settles the feed and stops the collection. The programs should have ended. This method can be called repeatedly. */
    @Override
    public void close() {
        end.run();
    }
}
