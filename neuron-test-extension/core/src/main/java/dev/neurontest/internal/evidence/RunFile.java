package dev.neurontest.internal.evidence;

import dev.neurontest.internal.file.OpenFileLimit;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Measurement;
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
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The journal of this JVM: {@code run-<pid>-<uuid>.jsonl}, one JSON object a line, only ever appended to. When
 * {@link #append(RunEvent)} returns, the line is with the operating system and survives the death of the JVM, so that
 * what is about to happen can be written before it happens. The file is made by the first event.
 *
 * <p>Safe for use by several threads, also by interrupted ones. Nothing here fails a test: a file that cannot be
 * written is said once, and the summary still knows everything.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RunFile implements AutoCloseable {

    /** The version of the shape of the lines. */
    static final int VERSION = 2;

    private static final int LONGEST_NAME = 80;

    private final Path path;
    private final Consumer<String> person;
    private final Clock clock;
    private final Opener opener;
    private final RunSummary summary = new RunSummary();
    private final LineWriter lines = new LineWriter();

    private volatile Consumer<TestId> ends = test -> {};
    private @Nullable RunEvent run;
    private @Nullable OutputStream out;
    private @Nullable String problem;
    private boolean begun;
    private boolean torn;

    /**
     * Makes nothing yet.
     *
     * @param folder where the file goes; made when it is needed
     * @param person told what cannot wait for the summary, such as that the file cannot be written
     */
    public RunFile(Path folder, Consumer<String> person) {
        this(folder, person, Clock.systemUTC(), RunFile::open);
    }

    RunFile(Path folder, Consumer<String> person, Clock clock, Opener opener) {
        // No secret: a random number that is one costs the first test of a JVM 6 ms.
        ThreadLocalRandom random = ThreadLocalRandom.current();
        this.path = folder.resolve("run-%s-%s.jsonl"
                .formatted(ProcessHandle.current().pid(), new UUID(random.nextLong(), random.nextLong())));
        this.person = person;
        this.clock = clock;
        this.opener = opener;
    }

    /**
     * Names the run, in the second line of the file.
     *
     * @param named of which this JVM is a part
     * @return this
     */
    public synchronized RunFile partOf(RunEvent.PartOfRun named) {
        run = named;
        return this;
    }

    /**
     * Registers a listener for the ends of tests.
     *
     * @param listener called with each test or class whose end was written
     */
    public void onEnd(Consumer<TestId> listener) {
        ends = listener;
    }

    /**
     * Writes what happened, or is about to happen.
     *
     * @param event anything but {@link RunEvent.Unknown}
     */
    public void append(RunEvent event) {
        String members = LineWriter.members(event);
        synchronized (this) {
            if (!begun) {
                begun = true;
                open();
                RunEvent started = started();
                write(started, LineWriter.members(started));
                if (run != null) {
                    write(run, LineWriter.members(run));
                }
            }
            write(event, members);
            summary.add(event);
        }
        if (event instanceof RunEvent.TestFinished finished) {
            ends.accept(finished.test());
        }
    }

    /**
     * Writes a recording.
     *
     * @param test whose
     * @param recording what was seen
     */
    public void append(TestId test, Measurement recording) {
        append(new RunEvent.Recorded(
                test, recording.kind(), new JsonObject(recording.isEmpty() ? "{}" : recording.toJson())));
    }

    /**
     * Writes all that a judgement found.
     *
     * @param test whose
     * @param judgement violations, what is undecided, and notices
     */
    public void append(TestId test, Judgement judgement) {
        judgement.violations().forEach(violation -> append(new RunEvent.Violated(test, violation)));
        judgement.undecided().forEach(undecided -> append(new RunEvent.LeftUndecided(test, undecided)));
        judgement.notices().forEach(notice -> append(new RunEvent.Noticed(test, notice)));
    }

    /**
     * Tells a person at once how it goes, without writing it down.
     *
     * @param line such as what a test waits for; its secrets are masked, and it stays one line
     */
    public void say(String line) {
        person.accept("Neuron Test: " + VisibleText.line(Redaction.mask(line)));
    }

    /**
     * Where the file is.
     *
     * @return empty when there was no event yet, or the file could not be made
     */
    public synchronized Optional<Path> path() {
        return out == null ? Optional.empty() : Optional.of(path);
    }

    /**
     * Returns the name, which no other run file has.
     *
     * @return such as {@code run-4711-6d7a….jsonl}
     */
    public String name() {
        return path.getFileName().toString();
    }

    /** How the run file names another file: relative to its own folder where that is possible. */
    String relative(Path file) {
        Path folder = path.toAbsolutePath().normalize().getParent();
        Path absolute = file.toAbsolutePath().normalize();
        Path named = Objects.equals(folder.getRoot(), absolute.getRoot()) ? folder.relativize(absolute) : absolute;
        return named.toString().replace(File.separatorChar, '/');
    }

    /**
     * A folder for what belongs to one test: logs of child processes, dumps of the runtime.
     *
     * @param test whose
     * @return beside the run file, made when it is first asked for
     * @throws UncheckedIOException when it cannot be made
     */
    public Path folder(TestId test) {
        Path folder = folder(path, test);
        try {
            OutputFolder.make(folder);
        } catch (IOException refused) {
            throw new UncheckedIOException(
                    "The folder %s of %s cannot be made (%s). %s"
                            .formatted(
                                    folder,
                                    test.name(),
                                    refused,
                                    OpenFileLimit.advice(
                                            refused, "Make room, or choose another with neuron.test.output.")),
                    refused);
        }
        return folder;
    }

    /**
     * Names the folder for what belongs to one test of a JVM.
     *
     * @param runFile of the JVM
     * @param test whose
     * @return beside the run file; there where something was put into it
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
     * What another JVM was doing, as far as its run file lies beside this one.
     *
     * @param pid the other JVM
     * @param holder the name of one of its tests, or of a class that holds cores for its tests
     * @return the last phase that this test, or one of this class, began without coming to its end; empty when nothing is known
     */
    public Optional<RunEvent.PhaseStarted> inFlight(long pid, String holder) {
        return new OtherRuns(path).inFlight(pid, holder);
    }

    /**
     * Ends the run: writes its last line and closes the file.
     *
     * @return what to print: the summary, or nothing when no test asked for Neuron
     */
    public String finish() {
        String text = summary.isEmpty() ? "" : Redaction.mask(summary.toText(location()));
        if (hasBegun()) {
            append(summary.toEvent());
        }
        close();
        return text;
    }

    /** Closes the file; later events are only counted in the summary. The folder of all tests goes where it is empty. */
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

    /** Prints of a test leave nothing in its folder. */
    private static void deleteEmpty(Path folder) {
        try {
            if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                Files.delete(folder);
            }
        } catch (IOException stays) {
            // Tests have left something in it.
        }
    }

    /** A shard without tests has a run file, too. */
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
            person.accept(("The run file %s cannot be written: %s. Tests go on, but reports made from it will lack"
                            + " events. %s")
                    .formatted(
                            path,
                            cause,
                            OpenFileLimit.advice(
                                    cause, "Make room, or choose another folder with neuron.test.output.")));
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
        // such a stream writes each array with one append, and unlike a channel is not closed by an interrupt;
        // CREATE_NEW takes no file and no link that is there
        return Files.newOutputStream(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
    }

    /** Opens the file; tests open one on a disk that is full. */
    interface Opener {
        OutputStream open(Path path) throws IOException;
    }
}
