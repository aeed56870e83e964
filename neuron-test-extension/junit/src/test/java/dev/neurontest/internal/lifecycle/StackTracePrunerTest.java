package dev.neurontest.internal.lifecycle;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.MaxLatency;
import dev.neurontest.NeuronTest;
import dev.neurontest.NeuronTestKit;
import dev.neurontest.ProfileNeff;
import dev.neurontest.assertj.NeuronSoftAssertions;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.Counters;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the stack trace of a failure, as build tools and IDEs print it. */
class StackTracePrunerTest {

    private static final String FIXTURES = StackTracePrunerTest.class.getName() + "$";

    @TempDir
    private Path output;

    private Throwable failure(Class<?> fixture) {
        return failure(new NeuronTestKit(output), fixture);
    }

    private static Throwable failure(NeuronTestKit kit, Class<?> fixture) {
        Throwable failure = kit.launch(fixture).getFailures().stream()
                .map(each -> each.getException())
                .reduce((one, other) -> Assertions.fail("more than one failure"))
                .orElseThrow();
        return failure;
    }

    /** Returns the frames without those of the JDK that called the test. */
    private static List<String> frames(Throwable failure) {
        return Stream.of(failure.getStackTrace())
                .filter(frame -> !"java.base".equals(frame.getModuleName()))
                .map(StackTraceElement::toString)
                .map(frame -> frame.replaceAll(":\\d+\\)", ":*)"))
                .toList();
    }

    private static void timeout(FakeNeuronHost fake, NeuronCore core) {
        FakeCore physical = fake.core(core);
        try (FakeProcess process = fake.openProcess("workload", physical)) {
            process.execute(physical, NrtStatus.of("NRT_TIMEOUT"), 3);
        }
    }

    @NeuronTest
    static class FoundAfterItFixture {
        @Test
        void test(NeuronCore core, FakeNeuronHost fake) {
            timeout(fake, core);
        }
    }

    @Test
    void leavesOnlyTestMethodForCounterFailure() {
        Throwable failure = failure(FoundAfterItFixture.class);

        assertThat(frames(failure)).containsExactly(FIXTURES + "FoundAfterItFixture.test(StackTracePrunerTest.java:*)");
    }

    @Test
    void namesFirstLineOfTestForCounterFailure() throws Exception {
        Throwable failure = failure(FoundAfterItFixture.class);

        int line = failure.getStackTrace()[0].getLineNumber();
        assertThat(Files.readAllLines(
                                Path.of("src/test/java", getClass().getName().replace('.', '/') + ".java"))
                        .get(line - 1))
                .isEqualTo("            timeout(fake, core);");
    }

    @Test
    void keepsAllFramesWhenPruningIsOff() {
        NeuronTestKit kit = new NeuronTestKit(output).with("junit.platform.stacktrace.pruning.enabled", "false");

        Throwable failure = failure(kit, FoundAfterItFixture.class);

        assertThat(frames(failure))
                .anyMatch(frame -> frame.startsWith("dev.neurontest.internal.judgement.Failure.error("))
                .anyMatch(frame -> frame.startsWith("org.junit.jupiter.engine."));
    }

    @NeuronTest
    static class NoModelFixture {
        @Test
        @ProfileNeff("none.neff")
        @MaxLatency("1 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            timeout(fake, core);
        }
    }

    @Test
    void leavesOnlyTestMethodForUncapturedProfile() {
        Throwable failure = failure(NoModelFixture.class);

        assertThat(failure.getSuppressed())
                .singleElement()
                .satisfies(untried -> assertThat(frames(untried))
                        .containsExactly(FIXTURES + "NoModelFixture.test(StackTracePrunerTest.java:*)"));
    }

    @NeuronTest
    static class BothFixture {
        @Test
        void test(NeuronCore core, FakeNeuronHost fake) {
            timeout(fake, core);
            Assertions.assertThat(1).isEqualTo(2);
        }
    }

    @Test
    void leadsToBodyLineWithCounterFailureSuppressed() {
        Throwable failure = failure(BothFixture.class);

        assertThat(frames(failure)).containsExactly(FIXTURES + "BothFixture.test(StackTracePrunerTest.java:*)");
        assertThat(failure.getSuppressed())
                .singleElement()
                .satisfies(judged -> assertThat(frames(judged))
                        .containsExactly(FIXTURES + "BothFixture.test(StackTracePrunerTest.java:*)"));
    }

    @NeuronTest
    static class AssertedFixture {
        @Test
        void test(NeuronCore core, Counters counters, FakeNeuronHost fake) throws Exception {
            CounterDiff diff = counters.during(() -> timeout(fake, core));
            assertThat(diff).hasNoErrors();
        }
    }

    @Test
    void beginsWithTheLineOfAnAssertion() {
        assertThat(frames(failure(AssertedFixture.class)))
                .containsExactly(FIXTURES + "AssertedFixture.test(StackTracePrunerTest.java:*)");
    }

    @NeuronTest
    static class InsideFixture {
        @Test
        void test(NeuronCore core, Counters counters, FakeNeuronHost fake) throws Exception {
            counters.during(() -> Assertions.fail("inside"));
        }
    }

    @Test
    void keepsUserLinesAboveAndBelowLibrary() {
        assertThat(frames(failure(InsideFixture.class)))
                .containsExactly(
                        FIXTURES + "InsideFixture.lambda$test$0(StackTracePrunerTest.java:*)",
                        FIXTURES + "InsideFixture.test(StackTracePrunerTest.java:*)");
    }

    @NeuronTest
    static class AwaitsFixture {
        @Test
        void test(NeuronCore core, Counters counters) {
            counters.await("inference_count").atLeast(1).within(Duration.ofMillis(1));
        }
    }

    @Test
    void beginsWithTheLineOfAWait() {
        assertThat(frames(failure(AwaitsFixture.class)))
                .containsExactly(FIXTURES + "AwaitsFixture.test(StackTracePrunerTest.java:*)");
    }

    @NeuronTest
    static class SoftFixture {
        @Test
        void test(NeuronCore core, Counters counters, FakeNeuronHost fake) throws Exception {
            CounterDiff diff = counters.during(() -> timeout(fake, core));
            NeuronSoftAssertions softly = new NeuronSoftAssertions();
            softly.assertThat(diff).hasNoErrors();
            softly.assertAll();
        }
    }

    @Test
    void namesTheLineOfASoftAssertion() {
        Throwable failure = failure(SoftFixture.class);

        assertThat(failure).hasMessageContaining("at StackTracePrunerTest$SoftFixture.test(");
        assertThat(frames(failure)).containsExactly(FIXTURES + "SoftFixture.test(StackTracePrunerTest.java:*)");
    }

    @NeuronTest
    static class NoHostFixture {
        @Test
        void test(NeuronCore core) {}
    }

    @Test
    void isEmptyWhenTestCannotStart() {
        Throwable failure = failure(new NeuronTestKit(output).on("fake:none.such"), NoHostFixture.class);

        assertThat(frames(failure)).noneMatch(frame -> frame.startsWith("dev.neurontest."));
        for (Throwable each = failure; each != null; each = each.getCause()) {
            assertThat(frames(each)).isEmpty();
        }
    }

    @NeuronTest
    static class BugFixture {
        @Test
        void test(NeuronCore core, Counters counters) {
            counters.await(null);
        }
    }

    @Test
    void keepsTheFramesOfABug() {
        assertThat(frames(failure(BugFixture.class))).anyMatch(frame -> frame.startsWith("dev.neurontest.counter."));
    }
}
