package dev.neurontest.internal.command.run;

import dev.neurontest.internal.process.Redaction;
import dev.neurontest.internal.terminal.AnsiSequences;
import dev.neurontest.internal.terminal.TerminalStyle;
import dev.neurontest.internal.text.VisibleText;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.logging.Filter;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.platform.commons.JUnitException;
import org.junit.platform.commons.PreconditionViolationException;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherFactory;

/** The main class of the JVM in which the user's tests run, with the user's JUnit. */
final class TestJvm {

    /**
     * Logger of discovery problems. JUnit logs a problem that prevents discovery with all stack traces, and then throws the same exception.
     */
    private static final Logger DISCOVERY = Logger.getLogger("org.junit.platform.launcher.core.DiscoveryIssueNotifier");

    /** Pattern of words that do not select tests. */
    private static final Pattern OWN = Pattern.compile("(config|reports-dir|details|colours|state|shard)=");

    private static final Pattern FRAME = Pattern.compile("\\s+(at .+\\(.*\\)|\\.\\.\\. \\d+ more)");

    private static final long EVERY_MILLIS = 250;

    private final TestSelection selection;
    private final TerminalStyle style;
    private final PrintStream out;
    private final PrintStream err;
    private boolean otherShards;

    TestJvm(TestSelection selection, PrintStream out, PrintStream err) {
        this.selection = selection;
        this.style = selection.values("colours").stream()
                .findFirst()
                .map(key -> new TerminalStyle(TerminalStyle.WIDEST, Optional.of(new AnsiSequences(key))))
                .orElse(TerminalStyle.PLAIN);
        this.out = out;
        this.err = err;
    }

    /**
     * Runs tests and ends the JVM, even if tests have left threads running.
     *
     * @param words words in the form of {@link TestSelection}
     */
    public static void main(String[] words) {
        try {
            TestSelection selection = new TestSelection(List.of(words));
            RunState state = new RunState(Path.of(selection.values("state").get(0)));
            state.writeProgress("");
            int end = new TestJvm(selection, System.out, System.err).run(state);
            state.writeEnd(end);
            System.exit(end);
        } catch (Throwable unexpected) {
            unexpected.printStackTrace();
        } finally {
            // Explicit, because for example JUnit's timeout watcher is not a daemon thread.
            System.exit(ExitStatus.COULD_NOT_RUN);
        }
    }

    int run(RunState state) {
        long began = System.nanoTime();
        boolean all = selection.words().contains(TestSelection.DETAILS + DetailsOption.ALL);
        TestResults results = new TestResults(result -> {
            if (all || result.status() == TestResults.Status.FAILED) {
                out.println(ResultsText.line(result, style));
            }
        });
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(TestJvm::daemon);
        clock.scheduleWithFixedDelay(
                () -> writeProgress(results, state), EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
        Optional<Throwable> givenUp = Optional.empty();
        Filter before = DISCOVERY.getFilter();
        DISCOVERY.setFilter(entry -> entry.getLevel() != Level.SEVERE);
        try (LauncherSession session = LauncherFactory.openSession()) {
            Launcher launcher = session.getLauncher();
            launcher.execute(launcher.discover(selection.request()), results);
            otherShards = results.all().isEmpty()
                    && !selection.values("shard").isEmpty()
                    && launcher.discover(selection.ofAllShards().request()).containsTests();
        } catch (CommandException mistaken) {
            err.println(mistaken.getMessage());
            return ExitStatus.COULD_NOT_RUN;
        } catch (JUnitException | LinkageError unusable) {
            printReason(unusable);
            return ExitStatus.COULD_NOT_RUN;
        } catch (Throwable unrecoverable) {
            givenUp = Optional.of(unrecoverable);
        } finally {
            DISCOVERY.setFilter(before);
            clock.shutdownNow();
        }
        ResultsText text = new ResultsText(results, style);
        if (!all) {
            out.print(text.reasons());
        }
        out.print(text.failures());
        out.print(text.summary(Duration.ofNanos(System.nanoTime() - began)));
        int end = givenUp.map(this::gaveUp).orElseGet(() -> end(results));
        Optional<String> problem = givenUp.map(
                        error -> "JUnit gave up after %s. Tests that it had not run are missing.".formatted(error))
                .or(() -> Optional.of("No test ran, or not all selected tests ran. The console shows why.")
                        .filter(why -> end == ExitStatus.COULD_NOT_RUN));
        return written(results, problem) ? end : ExitStatus.COULD_NOT_RUN;
    }

    private int gaveUp(Throwable error) {
        err.println("JUnit gave up after this error. Tests that it had not run are missing above.");
        error.printStackTrace(err);
        return ExitStatus.FAILED;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "neuron-test-progress");
        thread.setDaemon(true);
        return thread;
    }

    private static void writeProgress(TestResults results, RunState state) {
        try {
            state.writeProgress(VisibleText.line(Redaction.mask(results.progress())));
        } catch (IOException full) {
            // The command then shows no progress. The tests still run.
        }
    }

    /**
     * Prints the reason why JUnit cannot run the tests. A wrong name is reported in JUnit's words without a stack trace. An unexpected
     * failure has its stack trace.
     */
    private void printReason(Throwable unusable) {
        String message = String.valueOf(unusable.getMessage());
        err.println("JUnit cannot run these tests: "
                + message.lines()
                        .filter(line -> !FRAME.matcher(line).matches())
                        .map(String::stripTrailing)
                        .collect(Collectors.joining("\n")));
        if (!(unusable instanceof PreconditionViolationException)
                && message.lines().noneMatch(line -> FRAME.matcher(line).matches())) {
            unusable.printStackTrace(err);
        }
    }

    private boolean written(TestResults results, Optional<String> problem) {
        try {
            for (String folder : selection.values("reports-dir")) {
                JUnitXml.write(results.all(), problem, Path.of(folder));
            }
            return true;
        } catch (IOException failed) {
            err.println("The report cannot be written: " + failed);
            return false;
        }
    }

    private int end(TestResults results) {
        if (selection.selectsInvocations() && !results.withoutInvocations().isEmpty()) {
            err.println("There is no such invocation of %s. Remove [number] to run all invocations."
                    .formatted(String.join(", ", results.withoutInvocations())));
            return ExitStatus.COULD_NOT_RUN;
        }
        if (otherShards) {
            out.println("No test is in shard %s. The other shards have the tests."
                    .formatted(String.join("", selection.values("shard"))));
            return ExitStatus.PASSED;
        }
        if (results.all().isEmpty()) {
            err.println("No tests were found. Searched: "
                    + String.join(
                            ", ",
                            selection.words().stream()
                                    .filter(word -> !OWN.matcher(word).lookingAt())
                                    .toList())
                    + ". " + whyNone());
            return ExitStatus.COULD_NOT_RUN;
        }
        return results.with(TestResults.Status.FAILED).isEmpty() ? ExitStatus.PASSED : ExitStatus.FAILED;
    }

    private String whyNone() {
        return selection.values("method").isEmpty()
                ? "Without --include-classname only classes with names that match " + TestSelection.TEST_CLASSES
                        + " are found by --scan-class-path and --select-package."
                : "A method is a test if it has an annotation such as @Test.";
    }
}
