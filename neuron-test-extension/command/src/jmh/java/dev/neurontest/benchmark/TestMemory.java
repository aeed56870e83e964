package dev.neurontest.benchmark;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * The memory of a JVM with ten thousand tests, in ten classes and in one class; JUnit itself keeps data of each test until its class
 * ends.
 */
final class TestMemory {

    private static final int TESTS = 10_000;
    private static final int LOOKED_AT_EVERY = 2_000;

    private TestMemory() {}

    static void measure(Path output, Results results) throws IOException {
        List<String> moments = new ArrayList<>();
        for (int tests = LOOKED_AT_EVERY; tests <= TESTS; tests += LOOKED_AT_EVERY) {
            moments.add("%,d tests".formatted(tests));
        }
        results.heapTable(moments);
        results.heap("10 × 1,000 tests that do nothing", used(new TestRuns(Cases.Empty.class, "failure", output)));
        results.heap(
                "10 × 1,000 tests with a NeuronCore each", used(new TestRuns(Cases.OneCore.class, "failure", output)));
        results.heap("the same, evidence always", used(new TestRuns(Cases.OneCore.class, "always", output)));
        results.heap("1 × 10,000 tests that do nothing", used(new TestRuns(Cases.ManyEmpty.class, "failure", output)));
        results.heap(
                "1 × 10,000 tests with a NeuronCore each",
                used(new TestRuns(Cases.ManyOneCore.class, "failure", output)));
        results.heap(
                "1 × 10,000 tests with one NeuronCore for all",
                used(new TestRuns(Cases.ManyInOneLease.class, "failure", output)));
    }

    /** Returns the used heap in MiB after each block of tests of the second run; the first run warms up. */
    private static List<Double> used(TestRuns runs) {
        try (runs) {
            run(runs);
            return run(runs).mebibytes;
        }
    }

    private static Used run(TestRuns runs) {
        Used used = new Used();
        while (used.tests < TESTS) {
            runs.run(used);
        }
        return used;
    }

    private static final class Used implements TestExecutionListener {

        private final List<Double> mebibytes = new ArrayList<>();
        private int tests;

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest() && ++tests % LOOKED_AT_EVERY == 0) {
                System.gc();
                System.gc();
                mebibytes.add(
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / (double) (1 << 20));
            }
        }
    }
}
