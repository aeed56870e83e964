package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.patience.Patience;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Tests of the evidence of tests. */
class EvidenceTest {

    @TempDir
    private Path output;

    private NeuronTestKit kit() {
        return new NeuronTestKit(output);
    }

    private List<String> attachments() {
        try (Stream<Path> files = Files.walk(output.resolve("junit"))) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("neuron-"))
                    .sorted()
                    .toList();
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @NeuronTest
    static class PassesFixture {
        @Test
        void test(NeuronCore core, FakeNeuronHost fake) {
            execute(fake, "NRT_SUCCESS");
        }
    }

    @NeuronTest
    static class FailsFixture {
        @Test
        void test(NeuronCore core, FakeNeuronHost fake) {
            execute(fake, "NRT_TIMEOUT");
        }
    }

    @NeuronTest
    static class AbortsFixture {
        @Test
        void test(NeuronCore core) {
            Assumptions.abort("not today");
        }
    }

    @NeuronTest
    static class ManyPassFixture {
        @RepeatedTest(200)
        void passes(NeuronCore core) {}
    }

    private static void execute(FakeNeuronHost fake, String status) {
        try (FakeProcess process = fake.openProcess(fake.device(0).core(0))) {
            process.execute(fake.device(0).core(0), NrtStatus.of(status), 1);
        }
    }

    @Nested
    class Attachments {

        @Test
        void areWrittenOnlyForFailures() {
            kit().run(PassesFixture.class);
            assertThat(attachments()).isEmpty();

            kit().run(FailsFixture.class);
            assertThat(attachments())
                    .containsExactly("neuron-counters.json", "neuron-counters.txt", "neuron-judgement.txt");
        }

        @Test
        void areWrittenAlwaysOrNeverAsConfigured() {
            kit().with("neuron.test.evidence", "never").run(FailsFixture.class);
            assertThat(attachments()).isEmpty();

            kit().with("neuron.test.evidence", "always").run(PassesFixture.class);
            assertThat(attachments()).containsExactly("neuron-counters.json", "neuron-counters.txt");
        }
    }

    @Nested
    class ReportEntries {

        @Test
        void nameThePlatform() {
            kit().run(PassesFixture.class)
                    .testEvents()
                    .reportingEntryPublished()
                    .assertThatEvents()
                    .anySatisfy(
                            event -> assertThat(event.getPayload().orElseThrow().toString())
                                    .contains("neuron.platform")
                                    .contains("fake"));
        }
    }

    @Nested
    class RunFile {

        @Test
        void recordsEventsOfTestInOrder() {
            NeuronTestKit kit = kit();

            kit.run(FailsFixture.class);

            List<String> events = new ArrayList<>();
            for (RunEvent event : kit.events()) {
                events.add(
                        event instanceof RunEvent.PhaseStarted started
                                ? started.phase().toString()
                                : event.getClass().getSimpleName());
            }
            assertThat(events.indexOf("HostErrors")).isBetween(4, events.indexOf("JUDGE") - 1);
            events.remove("HostErrors");
            assertThat(events)
                    .containsExactly(
                            "RunStarted",
                            "PartOfRun",
                            "Configured",
                            "PlatformChosen",
                            "Requested",
                            "Leased",
                            "SETUP",
                            "BODY",
                            "TEARDOWN",
                            "SETTLE",
                            "JUDGE",
                            "Recorded",
                            "Violated",
                            "EVIDENCE",
                            "Attached",
                            "Attached",
                            "Attached",
                            "Released",
                            "TestFinished");
            assertThat(Phase.values()).hasSize(7);
        }

        /** Verifies that 10,000 passing tests take 8 to 9 MB. Times have more digits on a busy machine. */
        @Test
        void hasFewBytesForATestThatPasses() throws IOException {
            // when
            kit().run(ManyPassFixture.class);

            // then
            long bytes = 0;
            try (Stream<Path> files = Files.walk(output)) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".jsonl")).toList()) {
                    bytes += Files.size(file);
                }
            }
            assertThat(bytes / 200).isBetween(100L, 900L);
        }

        @Test
        void recordsOutcomesOfTests() {
            NeuronTestKit kit = kit();

            kit.run(PassesFixture.class, FailsFixture.class, AbortsFixture.class);

            assertThat(kit.events(RunEvent.TestFinished.class))
                    .extracting(RunEvent.TestFinished::outcome)
                    .containsExactly(Outcome.PASSED, Outcome.FAILED, Outcome.ABORTED);
        }

        @NeuronTest
        static class DynamicFixture {
            @TestFactory
            Stream<DynamicTest> tests(NeuronCore core) {
                return Stream.of(DynamicTest.dynamicTest("good", () -> {}), DynamicTest.dynamicTest("bad", () -> {
                    throw new IllegalStateException("bad");
                }));
            }
        }

        @Test
        void recordsFailureOfDynamicTest() {
            NeuronTestKit kit = kit();

            kit.launch(DynamicFixture.class);

            assertThat(kit.events(RunEvent.TestFinished.class))
                    .singleElement()
                    .satisfies(finished -> assertThat(finished.outcome()).isEqualTo(Outcome.FAILED));
            assertThat(kit.events(RunEvent.Attached.class))
                    .extracting(RunEvent.Attached::name)
                    .contains("neuron-counters.txt");
        }

        @NeuronTest
        static class ConstructorFixture {
            ConstructorFixture(NeuronCore core, FakeNeuronHost fake) {
                execute(fake, "NRT_TIMEOUT");
                throw new IllegalStateException("not to be had");
            }

            @Test
            void one() {}

            @Test
            void other() {}
        }

        @Test
        void recordsViolationsOfFailingConstructor() {
            NeuronTestKit kit = kit().with("junit.jupiter.extensions.store.close.autocloseable.enabled", "false")
                    .with("neuron.test.lease.timeout", Patience.LIMIT.toSeconds() + " s");

            assertThat(NeuronTestKit.failures(kit.run(ConstructorFixture.class)))
                    .allSatisfy(failure -> assertThat(failure).hasMessageContaining("not to be had"));

            assertThat(kit.events(RunEvent.Violated.class)).hasSize(2);
            assertThat(kit.events(RunEvent.Released.class)).hasSize(2);
        }

        @Test
        void isNotWrittenWithoutNeuronTests() {
            kit().run(PlainFixture.class);

            assertThat(output.resolve("run")).doesNotExist();
        }
    }

    static class PlainFixture {
        @Test
        void test() {}
    }

    @Nested
    @ResourceLock(Resources.SYSTEM_OUT)
    class Summary {

        private String printed(Class<?> testClass) {
            PrintStream before = System.out;
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            try (LauncherSession session = LauncherFactory.openSession()) {
                session.getLauncher()
                        .execute(LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(testClass))
                                .configurationParameter("neuron.test.platform", "fake:trn1.2xlarge")
                                .configurationParameter(
                                        "neuron.test.output",
                                        output.resolve("run").toString())
                                .configurationParameter(
                                        "junit.platform.reporting.output.dir",
                                        output.resolve("junit").toString())
                                .build());
            } finally {
                System.setOut(before);
            }
            return printed.toString(StandardCharsets.UTF_8);
        }

        @Test
        void isPrintedAtTheEndOfTheJvm() {
            assertThat(printed(FailsFixture.class))
                    .contains("1 failed")
                    .contains("trn1.2xlarge (fake)")
                    .contains("run-" + ProcessHandle.current().pid());
        }

        @Test
        void isNotPrintedWithoutNeuronTests() {
            assertThat(printed(PlainFixture.class)).isEmpty();
        }
    }
}
