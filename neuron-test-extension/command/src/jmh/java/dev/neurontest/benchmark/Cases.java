package dev.neurontest.benchmark;

import dev.neurontest.NeuronTest;
import dev.neurontest.ServedHost;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;
import org.junitpioneer.jupiter.SetSystemProperty;
import org.moditect.jfrunit.JfrEventTest;
import org.moditect.jfrunit.JfrEvents;
import org.testcontainers.junit.jupiter.Testcontainers;

/** Tests with bodies that are empty or not counted: their time is that of JUnit and its extensions. */
public final class Cases {

    static final int TESTS = 1_000;

    /** The number of tests in a usual fork of a build. */
    static final int FEW_TESTS = 300;

    /** The number of tests in a large class with one test for each row of a table. */
    static final int MANY_TESTS = 10_000;

    /** The number of tests with JfrUnit. Each of them takes about a second. */
    static final int JFR_TESTS = 5;

    private Cases() {}

    public static class Empty {

        @RepeatedTest(TESTS)
        void test() {}
    }

    @NeuronTest
    public static class OneCore {

        @RepeatedTest(TESTS)
        void test(NeuronCore core) {}
    }

    public static class FewEmpty {

        @RepeatedTest(FEW_TESTS)
        void test() {}
    }

    @NeuronTest
    public static class FewOneCore {

        @RepeatedTest(FEW_TESTS)
        void test(NeuronCore core) {}
    }

    @NeuronTest
    public static class FewFailing {

        @RepeatedTest(FEW_TESTS)
        void test(NeuronCore core) {
            throw new AssertionError("expected: 1, was: 2");
        }
    }

    /** Tests with one process each that executes once on the core of the test and ends. */
    @NeuronTest
    public static class FewWithCounts {

        private static long nanos;

        @RepeatedTest(FEW_TESTS)
        void test(NeuronCore core, NeuronHost host) throws IOException {
            long begun = System.nanoTime();
            ServedHost.of(host).infer(List.of(core));
            nanos = System.nanoTime() - begun;
        }
    }

    /** Returns the time of the body of the last test in nanoseconds, or 0, and sets it to 0. */
    static long takeNanosOfBody() {
        long taken = FewWithCounts.nanos;
        FewWithCounts.nanos = 0;
        return taken;
    }

    public static class FewTemporaryFolders {

        @RepeatedTest(FEW_TESTS)
        void test(@TempDir Path folder) {}
    }

    public static class FewSystemProperties {

        @RepeatedTest(FEW_TESTS)
        @SetSystemProperty(key = "neuron.benchmark", value = "set")
        void test() {}
    }

    /** Tests with Testcontainers but without a container, which need no Docker. */
    @Testcontainers
    public static class FewOfTestcontainers {

        @RepeatedTest(FEW_TESTS)
        void test() {}
    }

    public static class ManyEmpty {

        @RepeatedTest(MANY_TESTS)
        void test() {}
    }

    @NeuronTest
    public static class ManyOneCore {

        @RepeatedTest(MANY_TESTS)
        void test(NeuronCore core) {}
    }

    @NeuronTest
    public static class ManyInOneLease {

        @BeforeAll
        static void lease(NeuronCore core) {}

        @RepeatedTest(MANY_TESTS)
        void test() {}
    }

    public static class TemporaryFolder {

        @RepeatedTest(TESTS)
        void test(@TempDir Path folder) {}
    }

    @JfrEventTest
    public static class FlightRecorder {

        public JfrEvents events = new JfrEvents();

        @RepeatedTest(JFR_TESTS)
        void test() {}
    }
}
