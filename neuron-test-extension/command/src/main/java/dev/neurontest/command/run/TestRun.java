package dev.neurontest.command.run;

import dev.neurontest.evidence.TestTool;
import dev.neurontest.process.ChildEnd;
import dev.neurontest.process.ChildProcess;
import dev.neurontest.process.ExitCode;
import dev.neurontest.terminal.Progress;
import dev.neurontest.terminal.Sequences;
import dev.neurontest.terminal.Terminal;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/**
 * One JVM that runs the user's tests.
 *
 * @param tests the user's class path, which comes before that of this program
 * @param selection which tests
 * @param jvmOptions for the JVM
 * @param rerunOptions of {@code neuron-test run} with which one of the tests would run again, but for those that select it
 * @param timeout how long it may take; empty for as long as it likes
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record TestRun(
        ClassPath tests,
        TestSelection selection,
        List<String> jvmOptions,
        List<String> rerunOptions,
        Optional<Duration> timeout) {

    private static final String SETTINGS = "neuron.test.";

    /** The JVM's own word that it did not even find the main class, or did not understand an option. */
    private static final int JVM_DID_NOT_START = 1;

    /** What is kept beside what is printed as it comes. */
    private static final long KEPT = 64 << 10;

    /**
     * Keeps its own copy.
     *
     * @param tests the user's class path
     * @param selection which tests
     * @param jvmOptions for the JVM
     * @param rerunOptions with which one of the tests would run again
     * @param timeout how long it may take
     */
    public TestRun {
        jvmOptions = List.copyOf(jvmOptions);
        rerunOptions = List.copyOf(rerunOptions);
    }

    /**
     * Writes an error in the place of the results of an earlier run, before anything can keep the tests from running.
     *
     * @param reports the folder of reports
     * @throws IOException when it cannot be written
     */
    public static void removeResults(Path reports) throws IOException {
        JUnitXml.writeUnfinished(reports);
    }

    /**
     * Runs the tests, and prints what their JVM prints as it comes. Below it stands how far they are, if the JVM was told to tell.
     *
     * @param out for what it prints
     * @param err for what it says of errors
     * @param terminal where the former goes
     * @param sequences those that reach the terminal, and begin messages of the JVM
     * @return the exit status of the command
     * @throws IOException when no JVM can be started
     */
    public int start(PrintWriter out, PrintWriter err, Terminal terminal, Sequences sequences) throws IOException {
        AtomicReference<String> told = new AtomicReference<>("");
        ChildEnd end;
        JavaProgram java = JavaProgram.of(System.getenv().getOrDefault("JAVA_HOME", ""));
        try (BundledLauncher launcher = BundledLauncher.of(tests);
                Progress progress = Progress.start(terminal, sequences, out, err, told::get);
                ChildProcess child = ChildProcess.command(command(java, launcher.jar()))
                        .hasAnEndOfItsOwn()
                        .outputLimit(KEPT)
                        .listener(
                                line -> take(line, sequences.message(), told::set, text -> progress.print(out, text)),
                                line -> progress.print(err, line))
                        .start()) {
            end = child.await(timeout.orElse(null));
        }
        return status(end, err);
    }

    /** A message may come while a test has printed half a line. */
    static void take(String line, String message, Consumer<String> told, Consumer<String> printed) {
        int begin = line.indexOf(message);
        if (begin != 0) {
            printed.accept(begin < 0 ? line : line.substring(0, begin));
        }
        if (begin >= 0) {
            told.accept(line.substring(begin + message.length()).strip());
        }
    }

    List<String> command(JavaProgram java, Optional<Path> launcher) {
        List<String> command = new ArrayList<>();
        command.add(java.path().toString());
        command.addAll(java.options());
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith(SETTINGS))
                .sorted()
                .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
        command.add("-D" + TestTool.OPTIONS + "=" + String.join("\n", rerunOptions));
        command.addAll(jvmOptions);
        command.add("-cp");
        List<String> classPath = new ArrayList<>(List.of(tests.toString()));
        launcher.map(Path::toString).ifPresent(classPath::add);
        classPath.add(System.getProperty("java.class.path"));
        command.add(String.join(File.pathSeparator, classPath));
        command.add(TestJvm.class.getName());
        command.addAll(selection.words());
        return command;
    }

    private int status(ChildEnd end, PrintWriter err) {
        String what = timeout.filter(limit -> end.cause() == ChildEnd.Cause.TIMED_OUT)
                .map(limit -> "was not done after %s s (--timeout) and was ended".formatted(limit.toSeconds()))
                .orElseGet(() -> "ended before its tests did, with "
                        + end.exitCode().map(ExitCode::toString).orElse("no exit code"));
        if (end.cause() == ChildEnd.Cause.EXITED) {
            switch (end.exitCode().map(ExitCode::value).orElse(-1)) {
                case TestJvm.PASSED:
                    return ExitStatus.PASSED;
                case TestJvm.FAILED:
                    return ExitStatus.FAILED;
                case TestJvm.COULD_NOT_RUN:
                    return ExitStatus.COULD_NOT_RUN;
                case JVM_DID_NOT_START:
                    err.println(
                            "The JVM of the tests did not start, or was ended by a test with exit code 1; see what it says above.");
                    err.flush();
                    return ExitStatus.COULD_NOT_RUN;
                default:
            }
        }
        err.println("The JVM of the tests %s. What ran in it is lost; the report says which test that was."
                .formatted(what));
        err.flush();
        return ExitStatus.FAILED;
    }
}
