package dev.neurontest.internal.command.run;

import dev.neurontest.internal.evidence.TestTool;
import dev.neurontest.internal.folder.TemporaryFolder;
import dev.neurontest.internal.process.ChildProcess;
import dev.neurontest.internal.terminal.AnsiSequences;
import dev.neurontest.internal.terminal.Progress;
import dev.neurontest.internal.terminal.Terminal;
import dev.neurontest.workload.ChildEnd;
import dev.neurontest.workload.ExitCode;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that runs the user's tests.
 *
 * @param tests the user's class path, which comes before that of this program
 * @param selection the selection of the tests
 * @param jvmOptions options for the JVM
 * @param rerunOptions options of {@code neuron-test run} that repeat one of the tests, without those that select it
 * @param timeout the time limit; empty for none
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record TestRun(
        ClassPath tests,
        TestSelection selection,
        List<String> jvmOptions,
        List<String> rerunOptions,
        Optional<Duration> timeout) {

    private static final String SETTINGS = "neuron.test.";

    private static final String LAUNCHER_6 = "junit-platform-launcher-6.jar";

    /** Maximum size in bytes of the output that is kept in memory. The complete output is printed at once. */
    private static final long KEPT = 64 << 10;

    /** Creates a run with copies of the lists. */
    public TestRun {
        jvmOptions = List.copyOf(jvmOptions);
        rerunOptions = List.copyOf(rerunOptions);
    }

    /**
     * Replaces the results of an earlier run by an error. This is done before the tests start, in case they cannot run.
     *
     * @param reports the folder of reports
     * @throws IOException when it cannot be written
     */
    public static void removeResults(Path reports) throws IOException {
        String problem = "The JVM of the tests did not write its results: it was killed, did not start, or still runs.";
        JUnitXml.write(List.of(), Optional.of(problem), reports);
    }

    /**
     * Runs the tests. Prints the output of their JVM at once, with the progress below it.
     *
     * @param out receives the standard output
     * @param err receives the standard error
     * @param terminal the terminal of the standard output
     * @param sequences the escape sequences that are allowed on the terminal
     * @return the exit status of the command
     * @throws IOException when no JVM can be started
     */
    public int start(PrintWriter out, PrintWriter err, Terminal terminal, AnsiSequences sequences) throws IOException {
        try (TemporaryFolder folder = TemporaryFolder.make()) {
            RunState state = new RunState(folder.path());
            List<String> command = command(state);
            ChildEnd end;
            try (Progress progress = Progress.start(terminal, sequences, out, err, state::progress);
                    ChildProcess child = ChildProcess.command(command)
                            .handlesTermination()
                            .outputLimit(KEPT)
                            .listener(line -> progress.print(out, line), line -> progress.print(err, line))
                            .start()) {
                end = child.await(timeout.orElse(null));
            }
            return status(end, state, err);
        }
    }

    private List<String> command(RunState state) throws IOException {
        // libnrt is called through JNA. Without this option, the JVM would print a warning.
        List<String> command = new ArrayList<>(List.of(java(), "--enable-native-access=ALL-UNNAMED"));
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith(SETTINGS))
                .sorted()
                .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
        command.add("-D" + TestTool.OPTIONS + "=" + String.join("\n", rerunOptions));
        command.addAll(jvmOptions);
        List<String> classPath = new ArrayList<>(List.of(tests.toString()));
        if (tests.needsLauncher()) {
            classPath.add(launcher(state.folder()).toString());
        }
        classPath.add(System.getProperty("java.class.path"));
        command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath), TestJvm.class.getName()));
        command.addAll(selection.with(TestSelection.STATE + state.folder()).words());
        return command;
    }

    /** Returns the Java program of {@code JAVA_HOME}, or the one of this JVM. */
    private static String java() {
        String own = System.getProperty("java.home");
        String home = System.getenv().getOrDefault("JAVA_HOME", "");
        Path program = Path.of(home.isBlank() ? own : home, "bin", File.separatorChar == '/' ? "java" : "java.exe");
        if (!Files.isExecutable(program)) {
            throw new CommandException("JAVA_HOME is %s, and there is no %s. Correct it, or unset it to use %s."
                    .formatted(home, program, own));
        }
        return program.toString();
    }

    private static Path launcher(Path folder) throws IOException {
        try (@Nullable InputStream resource = TestRun.class.getResourceAsStream(LAUNCHER_6)) {
            if (resource == null) {
                throw new CommandException(
                        "The class path has JUnit 6 without its launcher, and this program has a launcher only if it runs as"
                                + " neuron-test.jar. Add org.junit.platform:junit-platform-launcher of the same version.");
            }
            Path jar = folder.resolve("junit-platform-launcher.jar");
            Files.copy(resource, jar);
            return jar;
        }
    }

    private int status(ChildEnd end, RunState state, PrintWriter err) {
        int code = end.exitCode().map(ExitCode::value).orElse(-1);
        String exit = end.exitCode().map(ExitCode::toString).orElse("no exit code");
        String what;
        if (timeout.isPresent() && end.cause() == ChildEnd.Cause.TIMED_OUT) {
            what = "did not finish within %s s (--timeout) and was ended"
                    .formatted(timeout.get().toSeconds());
        } else if (state.end().equals(String.valueOf(code))) {
            return code;
        } else if (!state.end().isEmpty()) {
            err.println(
                    "The JVM of the tests ended with %s after its tests, but the tests require exit code %s: look for a shutdown hook that halts it."
                            .formatted(exit, state.end()));
            err.flush();
            return ExitStatus.FAILED;
        } else if (state.hasStarted()) {
            what = "ended before its tests did, with " + exit;
        } else {
            err.println("The JVM of the tests did not start; see its output above.");
            err.flush();
            return ExitStatus.COULD_NOT_RUN;
        }
        err.println(
                "The JVM of the tests %s. Tests that were running are lost; the report names them.".formatted(what));
        err.flush();
        return ExitStatus.FAILED;
    }
}
