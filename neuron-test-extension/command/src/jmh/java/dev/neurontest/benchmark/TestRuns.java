package dev.neurontest.benchmark;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherConstants;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A class of tests that runs repeatedly in one launcher session. */
final class TestRuns implements AutoCloseable {

    private final Class<?> tests;
    private final Path output;
    private final Map<String, String> parameters = new HashMap<>();
    private final LauncherSession session = LauncherFactory.openSession();
    private int turn;

    /**
     * Creates a session in which nothing has run.
     *
     * @param evidence the value of {@code neuron.test.evidence}
     * @param folder the folder for a new folder of this session
     */
    TestRuns(Class<?> tests, String evidence, Path folder) throws IOException {
        this(tests, "fake:" + BenchmarkFolders.SMALL, evidence, folder);
    }

    /**
     * Creates a session in which nothing has run.
     *
     * @param platform the value of {@code neuron.test.platform}
     * @param evidence the value of {@code neuron.test.evidence}
     * @param folder the folder for a new folder of this session
     */
    TestRuns(Class<?> tests, String platform, String evidence, Path folder) throws IOException {
        this.tests = tests;
        this.output = Files.createTempDirectory(folder, tests.getSimpleName());
        parameters.put("neuron.test.platform", platform);
        parameters.put("neuron.test.evidence", evidence);
        parameters.put("neuron.test.summary", "false");
        parameters.put("neuron.test.output", output.resolve("neuron").toString());
    }

    /** Runs all tests of the class and returns the milliseconds of each, from the end of the test before to its own. */
    List<Double> millis() {
        return times().millis;
    }

    /** Runs all tests of the class and returns their times. */
    Times times() {
        Times times = new Times();
        run(times);
        return times;
    }

    /** Runs all tests of the class, which must pass. */
    void run(TestExecutionListener listener) {
        Failure failure = new Failure();
        execute(listener, failure);
        if (failure.last != null) {
            throw new IllegalStateException(tests + " fails, which is no measure of anything", failure.last);
        }
    }

    /** Runs all tests of the class, which may fail. */
    void execute(TestExecutionListener... listeners) {
        // Removes no file: file systems create files slowly where many have just been removed.
        Path attachments = output.resolve("junit-" + ++turn);
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(tests))
                .configurationParameters(parameters)
                .configurationParameter(LauncherConstants.OUTPUT_DIR_PROPERTY_NAME, attachments.toString())
                .build();
        session.getLauncher().execute(request, listeners);
    }

    /** Returns the folder of all its files. */
    Path output() {
        return output;
    }

    @Override
    public void close() {
        session.close();
    }

    static final class Times implements TestExecutionListener {

        private final List<Double> millis = new ArrayList<>(Cases.TESTS);
        private long begun;
        private long last;
        private double untilFirst;

        /** Returns the milliseconds from the start of the run to the end of its first test. */
        double untilFirst() {
            return untilFirst;
        }

        /** Returns the median milliseconds of a test without its body, from the end of the test before to its own. */
        double median() {
            return Median.of(millis);
        }

        @Override
        public void executionStarted(TestIdentifier test) {
            if (test.isContainer()) {
                last = System.nanoTime();
                begun = begun == 0 ? last : begun;
            }
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest()) {
                long now = System.nanoTime() - Cases.takeNanosOfBody();
                untilFirst = millis.isEmpty() ? (now - begun) / 1e6 : untilFirst;
                millis.add((now - last) / 1e6);
                last = System.nanoTime();
            }
        }
    }

    private static final class Failure implements TestExecutionListener {

        private @Nullable Throwable last;

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            last = result.getThrowable().orElse(last);
        }
    }
}
