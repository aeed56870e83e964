package dev.neurontest;

import static dev.neurontest.NeuronTestKit.failures;
import static dev.neurontest.NeuronTestKit.onlyFailure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.profile.Profiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests of scripts that the body of a test gives the fake host. */
class BodyScriptsTest {

    private static final String UNUSED =
            "Also seen: the script \"profiler throttle 0.4\" of the test's body had no effect, and it ended with the test.";

    private static final String NEFF = "target/body-scripts/model.neff";

    @TempDir
    private Path output;

    private NeuronTestKit kit() {
        return new NeuronTestKit(output).on("fake:trn1.2xlarge@driver-2.30");
    }

    @NeuronTest
    static class FailingBodyFixture {
        @Test
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("throttle", 0.4);
            throw new AssertionError("not throttled");
        }
    }

    @Test
    void failureOfBodyNamesUnusedScript() {
        assertThat(onlyFailure(kit().run(FailingBodyFixture.class)).getSuppressed())
                .anySatisfy(note -> assertThat(note).hasMessage(UNUSED));
    }

    @NeuronTest
    static class ViolatedFixture {
        @Test
        @ExpectCounter(value = "inference_count", delta = 1)
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("throttle", 0.4);
            fake.runtime().neff("resnet50").status(NrtStatus.of("NRT_TIMEOUT"));
        }
    }

    @Test
    void violationNamesEachUnusedScript() {
        assertThat(onlyFailure(kit().run(ViolatedFixture.class)))
                .hasMessageContainingAll(UNUSED, "the script \"neff resnet50 status=NRT_TIMEOUT\" of the test's body");
    }

    @NeuronTest
    static class PassingFixture {
        @Test
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("throttle", 0.4);
        }
    }

    @Test
    void passedTestReportsUnusedScriptOnlyInItsEvidence() throws IOException {
        NeuronTestKit kit = kit().with("neuron.test.evidence", "always");

        assertThat(failures(kit.run(PassingFixture.class))).isEmpty();

        assertThat(kit.notices()).noneMatch(notice -> notice.contains("script"));
        assertThat(kit.attachment("neuron-judgement.txt")).contains(UNUSED);
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class TwoTestsFixture {
        @BeforeAll
        static void ofClass(FakeNeuronHost fake) {
            fake.profiler().script("slowdown", 2);
        }

        @BeforeEach
        void ofEach(FakeNeuronHost fake) {
            if (fake.profiler().scripts().size() == 1) {
                fake.runtime().neff("each").status(NrtStatus.of("NRT_TIMEOUT"));
            }
        }

        @Test
        @Order(1)
        void scripts(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("throttle", 0.4);
            fake.runtime().neff("body").status(NrtStatus.of("NRT_TIMEOUT")).times(1);
        }

        @Test
        @Order(2)
        void followsThem(NeuronCore core, FakeNeuronHost fake) {
            assertThat(fake.profiler().scripts()).containsExactly("slowdown 2");
            assertThat(fake.runtime().scripts()).allMatch(script -> script.startsWith("neff each "));
        }
    }

    @Test
    void scriptOfBodyEndsWithTestAndOthersStay() {
        assertThat(failures(kit().run(TwoTestsFixture.class))).isEmpty();
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class UsedScriptFixture {
        @Test
        @Order(1)
        void usesScript(NeuronCore core, FakeNeuronHost fake, Profiler profiler) {
            fake.profiler().script("throttle", 0.4);
            throw new AssertionError(
                    "captured by " + profiler.capture(Path.of(NEFF)).run().tool());
        }

        @Test
        @Order(2)
        void followsIt(NeuronCore core, FakeNeuronHost fake) {
            assertThat(fake.profiler().scripts()).isEmpty();
        }
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the tools are shell scripts")
    void usedScriptOfBodyAlsoEndsWithTest() throws IOException {
        Files.createDirectories(Path.of(NEFF).getParent());
        FakeNeff.builder().write(Path.of(NEFF));

        Throwable failure = onlyFailure(kit().run(UsedScriptFixture.class));

        assertThat(failure).hasMessageStartingWith("captured by ");
        assertThat(failure.getSuppressed()).noneSatisfy(note -> assertThat(note).hasMessageContaining("script"));
    }

    @NeuronTest
    static class SeparateThreadFixture {
        @Test
        @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
        @ExpectCounter(value = "inference_count", delta = 1)
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("throttle", 0.4);
        }
    }

    @Test
    void bodyInSeparateThreadIsIncluded() {
        assertThat(onlyFailure(kit().run(SeparateThreadFixture.class))).hasMessageContaining(UNUSED);
    }

    @NeuronTest
    static class ParallelFixture {
        @Test
        @ExpectCounter(value = "inference_count", delta = 1)
        void test(NeuronCore core, FakeNeuronHost fake) throws InterruptedException {
            Thread other = new Thread(() -> fake.profiler().script("throttle", 0.4));
            other.start();
            other.join();
        }
    }

    @Test
    void scriptOfOtherThreadBelongsToAnotherTest() {
        assertThat(onlyFailure(kit().run(ParallelFixture.class))).hasMessageNotContaining("script");
    }
}
