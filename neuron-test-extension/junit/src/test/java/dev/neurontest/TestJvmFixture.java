package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.jvm.JvmCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** A JVM that runs the tests of classes, as a user's build does, with the variables of an allocation. */
final class TestJvmFixture implements AutoCloseable {

    private final Process process;
    private final Path log;

    private TestJvmFixture(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts the JVM.
     *
     * @param folder the folder for its output, its run file and its temporary files
     * @param variables variables besides those of this JVM
     * @param options options of the JVM
     */
    static TestJvmFixture start(Path folder, Map<String, String> variables, List<String> options, Class<?>... tests)
            throws IOException {
        Path log = Files.createDirectories(folder).resolve("jvm.log");
        List<String> all = new ArrayList<>(List.of("-Dneuron.test.output=" + folder.resolve("run")));
        all.addAll(options);
        ProcessBuilder builder = new ProcessBuilder(JvmCommand.program(
                        all, Program.class, Stream.of(tests).map(Class::getName).toArray(String[]::new)))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        // Agents inherit this variable from their launcher.
        builder.environment()
                .put("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + Files.createDirectories(temporary(folder)));
        builder.environment().putAll(variables);
        return new TestJvmFixture(builder.start(), log);
    }

    /** Returns the folder for temporary files of the JVM and of its agents. */
    static Path temporary(Path folder) {
        return folder.resolve("tmp");
    }

    /** Waits for its end and returns its output: the end of each test by its class, the number of tests by their end, and the message of each failure. */
    String output(Duration atMost) throws Exception {
        assertThat(process.waitFor(atMost.toSeconds(), TimeUnit.SECONDS))
                .as(() -> "the end of the JVM: " + printed())
                .isTrue();
        return printed();
    }

    /** Returns its output so far. */
    String printed() {
        try {
            return Files.readString(log);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** The program of the JVM. */
    static final class Program {

        private Program() {}

        public static void main(String[] tests) {
            SummaryGeneratingListener listener = new SummaryGeneratingListener();
            TestExecutionListener ends = new TestExecutionListener() {
                @Override
                public void executionFinished(TestIdentifier test, TestExecutionResult end) {
                    if (test.isTest() && test.getSource().get() instanceof MethodSource method) {
                        System.out.printf("%s: %s%n", method.getJavaClass().getSimpleName(), end.getStatus());
                    }
                }
            };
            try (LauncherSession session = LauncherFactory.openSession()) {
                session.getLauncher()
                        .execute(
                                LauncherDiscoveryRequestBuilder.request()
                                        .selectors(Stream.of(tests)
                                                .map(DiscoverySelectors::selectClass)
                                                .toArray(ClassSelector[]::new))
                                        .build(),
                                listener,
                                ends);
            }
            TestExecutionSummary summary = listener.getSummary();
            System.out.printf(
                    "%s passed, %s failed, %s aborted, %s skipped%n",
                    summary.getTestsSucceededCount(),
                    summary.getTestsFailedCount(),
                    summary.getTestsAbortedCount(),
                    summary.getTestsSkippedCount());
            summary.getFailures().forEach(failure -> System.out.println(failure.getException()));
        }
    }
}
