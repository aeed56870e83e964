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

/** Tests without a body, or with one that is not counted: what they cost is what is around them. */
public final class Cases {

    static final int TESTS = 1_000;

    /** What a fork of a build may have. */
    static final int FEW_TESTS = 300;

    /** What a single class may have, made from a table of cases. */
    static final int MANY_TESTS = 10_000;

    /** It takes about a second for each. */
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

    /** On the core of each a process of the served host executes once, and ends. */
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

    /** What of the time of the last test its body took, or 0. */
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

    /** Without a container, for which it needs no Docker. */
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
