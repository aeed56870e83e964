package dev.neurontest.internal.evidence;

import dev.neurontest.internal.file.OpenFileLimit;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.judgement.NotApplicable;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.process.OutputFolder;
import dev.neurontest.internal.process.Redaction;
import dev.neurontest.internal.text.VisibleText;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The journal of this JVM: {@code run-<pid>-<uuid>.jsonl}, with a JSON object in each line, only ever appended to. When
 * {@link #append(RunEvent)} returns, the operating system has the line and it survives the death of the JVM. So an event can be
 * written before it happens. The first event creates the file.
 *
 * <p>Instances are safe for use by several threads, also by interrupted ones. No method fails a test: if the file cannot be
 * written, this is reported once, and the summary is still complete.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RunFile implements AutoCloseable {

    /** The version of the format of the lines. */
    static final int VERSION = 3;

    /** The oldest version that can be read. It has no {@link RunEvent.Configured} and no {@link RunEvent.AttemptStarted}. */
    static final int OLDEST_VERSION = 2;

    private static final int LONGEST_NAME = 80;

    private final Path path;
    private final Consumer<String> person;
    private final Clock clock;
    private final Opener opener;
    private final RunSummary summary = new RunSummary();
    private final LineWriter lines = new LineWriter();

    private volatile @Nullable Consumer<TestId> ends;
    private List<RunEvent> header = List.of();
    private @Nullable OutputStream out;
    private @Nullable String problem;
    private boolean begun;
    private boolean torn;

    /**
     * Creates a run file. The file itself is created by the first event.
     *
     * @param folder the folder of the file, created when it is needed
     * @param person the receiver of urgent messages for people, such as that the file cannot be written
     */
    public RunFile(Path folder, Consumer<String> person) {
        this(folder, person, Clock.systemUTC(), RunFile::open);
    }

    RunFile(Path folder, Consumer<String> person, Clock clock, Opener opener) {
        // Not a secure random number, because that costs the first test of a JVM 6 ms.
        ThreadLocalRandom random = ThreadLocalRandom.current();
        UUID id = new UUID(random.nextLong(), random.nextLong());
        this.path = folder.resolve("run-" + ProcessHandle.current().pid() + "-" + id + ".jsonl");
        this.person = person;
        this.clock = clock;
        this.opener = opener;
    }

    /**
     * Sets the events after the first line of the file, which precede all others.
     *
     * @param events the run of this JVM and its settings
     */
    public synchronized RunFile beginningWith(List<? extends RunEvent> events) {
        header = List.copyOf(events);
        return this;
    }

    /**
     * Registers a listener for the ends of tests.
     *
     * @param listener called with each test or class after its end was written
     */
    public void onEnd(Consumer<TestId> listener) {
        ends = listener;
    }

    /**
     * Writes an event that has happened or is about to happen.
     *
     * @param event any event except {@link RunEvent.Unknown}
     */
    public void append(RunEvent event) {
        String members = LineWriter.members(event);
        synchronized (this) {
            if (!begun) {
                begun = true;
                open();
                RunEvent started = started();
                write(started, LineWriter.members(started));
                for (RunEvent each : header) {
                    write(each, LineWriter.members(each));
                }
            }
            write(event, members);
            summary.add(event);
        }
        Consumer<TestId> listener = ends;
        if (listener != null && event instanceof RunEvent.TestFinished finished) {
            listener.accept(finished.test());
        }
    }

    /** Writes a measurement. */
    public void append(TestId test, Measurement measurement) {
        append(new RunEvent.Recorded(
                test, measurement.kind(), measurement.isEmpty() ? JsonObject.EMPTY : measurement.toObject()));
    }

    /**
     * Writes all results of a judgement.
     *
     * @param judgement violations, undecided expectations, those that do not apply, and notices
     */
    public void append(TestId test, Judgement judgement) {
        for (Violation violation : judgement.violations()) {
            append(new RunEvent.Violated(test, violation));
        }
        for (Undecided undecided : judgement.undecided()) {
            append(new RunEvent.LeftUndecided(test, undecided));
        }
        for (NotApplicable each : judgement.notApplicable()) {
            append(new RunEvent.NotApplied(test, each));
        }
        for (String notice : judgement.notices()) {
            append(new RunEvent.Noticed(test, notice));
        }
    }

    /**
     * Prints a line for people at once, without writing it to the file.
     *
     * @param line for example the reason of a wait; secrets are masked, and it stays a single line
     */
    public void printLine(String line) {
        person.accept("Neuron Test: " + VisibleText.line(Redaction.mask(line)));
    }

    /**
     * Returns the path of the file.
     *
     * @return empty before the first event, or if the file could not be created
     */
    public synchronized Optional<Path> path() {
        return out == null ? Optional.empty() : Optional.of(path);
    }

    /**
     * Returns the name of the file, which is unique.
     *
     * @return for example {@code run-4711-6d7a….jsonl}
     */
    public String name() {
        return path.getFileName().toString();
    }

    /** Returns the name of another file for the run file: relative to its own folder if possible. */
    String relative(Path file) {
        Path folder = path.toAbsolutePath().normalize().getParent();
        Path absolute = file.toAbsolutePath().normalize();
        Path named = Objects.equals(folder.getRoot(), absolute.getRoot()) ? folder.relativize(absolute) : absolute;
        return named.toString().replace(File.separatorChar, '/');
    }

    /**
     * Returns the folder for the files of a test: logs of child processes, dumps of the runtime.
     *
     * @return a folder next to the run file, created at the first call
     * @throws UncheckedIOException if it cannot be created
     */
    public Path folder(TestId test) {
        Path folder = folder(path, test);
        try {
            OutputFolder.make(folder);
        } catch (IOException refused) {
            throw new UncheckedIOException(
                    "The folder %s of %s cannot be created (%s). %s"
                            .formatted(
                                    folder,
                                    test.name(),
                                    refused,
                                    OpenFileLimit.advice(
                                            refused,
                                            "Free disk space, or choose another folder with neuron.test.output.")),
                    refused);
        }
        return folder;
    }

    /**
     * Returns the path of the folder for the files of a test of a JVM.
     *
     * @param runFile the run file of the JVM
     * @return a path next to the run file; the folder exists only if it contains files
     */
    public static Path folder(Path runFile, TestId test) {
        String name = test.name().replaceAll("[^A-Za-z0-9._-]+", "_");
        return folder(runFile)
                .resolve("%s-%08x"
                        .formatted(
                                name.substring(0, Math.min(name.length(), LONGEST_NAME)),
                                test.id().hashCode()));
    }

    private static Path folder(Path runFile) {
        return runFile.resolveSibling(runFile.getFileName().toString().replace(".jsonl", ""));
    }

    /**
     * Finds the activity of another JVM, if its run file is in the folder of this one.
     *
     * @param pid the other JVM
     * @param holder the name of a test of that JVM, or of a class that holds cores for its tests
     * @return the last phase that this test, or a test of this class, began without ending; empty if unknown
     */
    public Optional<RunEvent.PhaseStarted> inFlight(long pid, String holder) {
        return new OtherRuns(path).inFlight(pid, holder);
    }

    /**
     * Ends the run: writes the last line and closes the file.
     *
     * @return the summary to print; empty if no test used Neuron
     */
    public String finish() {
        String text = summary.isEmpty() ? "" : Redaction.mask(summary.toText(location()));
        if (hasBegun()) {
            append(summary.toEvent());
        }
        close();
        return text;
    }

    /** Closes the file. Later events are only counted in the summary. The folder of all tests is deleted if it is empty. */
    @Override
    public synchronized void close() {
        OutputStream closing = out;
        out = null;
        if (closing != null) {
            try {
                closing.close();
            } catch (IOException e) {
                report(e);
            }
            deleteEmpty(folder(path));
        }
    }

    /** Deletes the folder of all tests if it is empty. It is also created for prints of tests, which leave no files in it. */
    private static void deleteEmpty(Path folder) {
        try {
            if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                Files.delete(folder);
            }
        } catch (IOException stays) {
            // The folder contains files of tests.
        }
    }

    /** Checks whether the run has begun. A shard without tests has a run file, too. */
    private synchronized boolean hasBegun() {
        return begun;
    }

    private synchronized String location() {
        return problem == null ? path.toString() : path + ", incomplete: " + problem;
    }

    private void open() {
        try {
            out = opener.open(path);
        } catch (IOException e) {
            report(e);
        }
    }

    private void write(RunEvent event, String members) {
        byte[] line = lines.next(clock.instant(), event, members);
        if (out == null) {
            return;
        }
        try {
            if (torn) {
                out.write('\n');
            }
            torn = true;
            out.write(line);
            torn = false;
        } catch (IOException e) {
            lines.forget();
            report(e);
        }
    }

    private void report(IOException cause) {
        if (problem == null) {
            problem = cause.toString();
            person.accept(
                    ("The run file %s cannot be written: %s. Tests continue, but reports made from it will lack events. %s")
                            .formatted(
                                    path,
                                    cause,
                                    OpenFileLimit.advice(
                                            cause,
                                            "Free disk space, or choose another folder with neuron.test.output.")));
        }
    }

    private static RunEvent started() {
        Package module = RunFile.class.getPackage();
        return new RunEvent.RunStarted(
                VERSION,
                ProcessHandle.current().pid(),
                System.getProperty("java.runtime.version"),
                String.join(
                        " ",
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        System.getProperty("os.arch")),
                module.getImplementationVersion() == null ? "development" : module.getImplementationVersion(),
                String.valueOf(Path.of("").toAbsolutePath().getFileName()),
                Machine.name().orElse(""),
                TestTool.ofThisJvm().orElse(null));
    }

    private static OutputStream open(Path path) throws IOException {
        OutputFolder.make(path.toAbsolutePath().getParent());
        // This stream writes each array with a single append. Unlike a channel, it is not closed by an interrupt.
        // CREATE_NEW rejects an existing file or link.
        return Files.newOutputStream(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
    }

    /** Opener of the file. Tests use an opener that simulates a full disk. */
    interface Opener {
        OutputStream open(Path path) throws IOException;
    }
}
