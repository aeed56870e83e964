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

/** One class of tests, run again and again in one launcher session. */
final class TestRuns implements AutoCloseable {

    private final Class<?> tests;
    private final Path output;
    private final Map<String, String> parameters = new HashMap<>();
    private final LauncherSession session = LauncherFactory.openSession();
    private int turn;

    /**
     * Nothing runs yet.
     *
     * @param evidence when the extension attaches what it saw
     * @param folder where files go, into a folder of its own
     */
    TestRuns(Class<?> tests, String evidence, Path folder) throws IOException {
        this(tests, "fake:" + BenchmarkFolders.SMALL, evidence, folder);
    }

    /**
     * Nothing runs yet.
     *
     * @param platform where
     * @param evidence when the extension attaches what it saw
     * @param folder where files go, into a folder of its own
     */
    TestRuns(Class<?> tests, String platform, String evidence, Path folder) throws IOException {
        this.tests = tests;
        this.output = Files.createTempDirectory(folder, tests.getSimpleName());
        parameters.put("neuron.test.platform", platform);
        parameters.put("neuron.test.evidence", evidence);
        parameters.put("neuron.test.summary", "false");
        parameters.put("neuron.test.output", output.resolve("neuron").toString());
    }

    /** Runs all tests of the class and gives what each one cost in milliseconds: from the end of the one before to its own. */
    List<Double> millis() {
        return times().millis;
    }

    /** Runs all tests of the class and gives their times. */
    Times times() {
        Times times = new Times();
        run(times);
        return times;
    }

    /** Runs all tests of the class. */
    void run(TestExecutionListener listener) {
        Failure failure = new Failure();
        execute(listener, failure);
        if (failure.last != null) {
            throw new IllegalStateException(tests + " fails, which is no measure of anything", failure.last);
        }
    }

    /** Runs all tests of the class, which may fail. */
    void execute(TestExecutionListener... listeners) {
        // Nothing is removed on the way: file systems make files slowly where many have just been removed.
        Path attachments = output.resolve("junit-" + ++turn);
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(tests))
                .configurationParameters(parameters)
                .configurationParameter(LauncherConstants.OUTPUT_DIR_PROPERTY_NAME, attachments.toString())
                .build();
        session.getLauncher().execute(request, listeners);
    }

    /** Where all its files are. */
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

        /** From the begin of the run to the end of its first test, with what goes before all tests. */
        double untilFirst() {
            return untilFirst;
        }

        /** From the end of the test before to its own, without what its body did. */
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
