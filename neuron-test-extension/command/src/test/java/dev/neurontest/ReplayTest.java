package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.contentOf;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.counter.Counters;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.gate.GateRules;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.platform.PlatformUnavailableException;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.merge.RunReports;
import dev.neurontest.patience.Patience;
import dev.neurontest.workload.Workloads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests that a failed test leaves a recording of its host, on which the same test fails in the same way. */
class ReplayTest {

    @TempDir
    private Path output;

    private Path first;
    private Path second;

    @BeforeEach
    void folders() throws IOException {
        first = Files.createDirectory(output.resolve("first"));
        second = Files.createDirectory(output.resolve("second"));
    }

    private NeuronTestKit recording() {
        return new NeuronTestKit(first)
                .on("fake:trn1.2xlarge@driver-2.30")
                .with("neuron.test.record", "failure")
                .with("neuron.test.record.interval", "5 ms");
    }

    private NeuronTestKit replaying(Path archive) {
        return new NeuronTestKit(second).on("replay:" + archive);
    }

    private static List<Path> attachments(Path folder, String name) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.getFileName().toString().equals(name))
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Path archive(Path folder) {
        List<Path> archives = attachments(folder, "neuron-recording.archive.txt");
        assertThat(archives).hasSize(1);
        return archives.get(0);
    }

    private static List<Violation> violations(NeuronTestKit kit) {
        return kit.events(RunEvent.Violated.class).stream()
                .map(RunEvent.Violated::violation)
                .toList();
    }

    private static String message(EngineExecutionResults results) {
        List<Throwable> failures = NeuronTestKit.failures(results);
        assertThat(failures).hasSize(1);
        return String.valueOf(failures.get(0).getMessage());
    }

    /** Executes on the fake; on hardware it does nothing. */
    private static void execute(Optional<FakeNeuronHost> fake, NeuronCore core, String status, long times) {
        fake.ifPresent(host -> {
            var physical = host.device(core.device().index())
                    .core(core.physicalCores().get(0).index());
            try (FakeProcess process = host.openProcess(physical)) {
                process.execute(physical, NrtStatus.of(status), times);
            }
        });
    }

    @NeuronTest
    static class FailsFixture {

        @Test
        void passes(NeuronCore core) {}

        @Test
        void timesOut(NeuronCore core, Optional<FakeNeuronHost> fake) {
            execute(fake, core, "NRT_TIMEOUT", 3);
        }
    }

    @Nested
    class ARecordedFailure {

        @Test
        void failsInTheSameWayOnItsRecording() {
            // given
            NeuronTestKit recording = recording();
            String failure = message(recording.run(FailsFixture.class));
            List<Violation> violations = violations(recording);
            assertThat(violations).hasSize(1);

            // when
            Path archive = archive(first);
            NeuronTestKit replaying = replaying(archive);
            String replayed = message(replaying.run(FailsFixture.class));

            // then
            assertThat(violations(replaying)).isEqualTo(violations);
            assertThat(replayed).isEqualTo(failure.replace("fake:trn1.2xlarge@driver-2.30", "replay:" + archive));
            assertThat(replaying.events(RunEvent.TestFinished.class))
                    .extracting(finished -> finished.test().name(), RunEvent.TestFinished::outcome)
                    .containsExactlyInAnyOrderElementsOf(recording.events(RunEvent.TestFinished.class).stream()
                            .map(finished -> tuple(finished.test().name(), finished.outcome()))
                            .toList());
            assertThat(replaying.events(RunEvent.PlatformChosen.class))
                    .singleElement()
                    .satisfies(chosen -> {
                        assertThat(chosen.kind()).isEqualTo("replay");
                        assertThat(chosen.instanceType()).isEqualTo("trn1.2xlarge");
                    });
        }

        @Test
        void attachesReplayInstructions() throws IOException {
            // when
            recording().run(FailsFixture.class);

            // then
            assertThat(attachments(first, "neuron-recording.txt"))
                    .singleElement()
                    .satisfies(text -> assertThat(text)
                            .content()
                            .contains("files of fake:trn1.2xlarge@driver-2.30 as they were when")
                            .contains("timesOut")
                            .contains("  -Dneuron.test.platform=replay:neuron-recording.archive.txt\n"));
            String text = Files.readString(archive(first));
            assertThat(text.substring(text.indexOf("\ntimeline\n")))
                    .startsWith("\ntimeline\nat 0.")
                    .containsSubsequence(
                            "\nmark test ",
                            "timesOut",
                            "\nmark test-id [engine:junit-jupiter]/",
                            "/[method:timesOut(",
                            "\nmark cores 0\n",
                            "mark body started\n",
                            "status/timeout\n",
                            " total 0644 = 3\\n\n",
                            "mark body ended\n",
                            "end\n");
        }

        @NeuronTest
        static class OtherFixture {

            @Test
            void isAnotherTest(NeuronCore core) {}
        }

        @Test
        void isProblemWhenOnlyAnotherTestRan() {
            // given
            recording().run(FailsFixture.class);
            Path run = second.resolve("run");

            // when
            try (LauncherSession session = LauncherFactory.openSession()) {
                session.getLauncher()
                        .execute(LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(OtherFixture.class))
                                .configurationParameter("neuron.test.platform", "replay:" + archive(first))
                                .configurationParameter("neuron.test.output", run.toString())
                                .configurationParameter("neuron.test.summary", "false")
                                .configurationParameter(
                                        "junit.platform.reporting.output.dir",
                                        second.resolve("junit").toString())
                                .build());
            }

            // then
            assertThat(replaying(archive(first)).events(RunEvent.Replayed.class))
                    .singleElement()
                    .satisfies(replayed -> {
                        assertThat(replayed.test().id()).contains("FailsFixture", "[method:timesOut(");
                        assertThat(replayed.test().name()).contains("FailsFixture > timesOut");
                        assertThat(replayed.ran()).isFalse();
                    });
            RunReport report = RunReports.merge(List.of(run));
            assertThat(report.problems())
                    .singleElement()
                    .asString()
                    .startsWith("The recording is of \"")
                    .contains("\", which did not run: none of its events were replayed.");
            assertThat(GateRules.ofDefaults().decide(report))
                    .filteredOn(outcome -> !outcome.passed())
                    .extracting(GateOutcome::gate)
                    .containsExactly("complete");
        }

        @Test
        void isUndecidedWhenItsTestNoLongerExists() throws IOException {
            // given
            recording().run(FailsFixture.class);
            Path archive = archive(first);
            Files.writeString(archive, Files.readString(archive).replace("timesOut(", "had_another_name("));

            // when, then
            assertThat(message(replaying(archive).run(FailsFixture.class)))
                    .startsWith("Replay of ")
                    .contains(
                            "FailsFixture > had_another_name(",
                            ": the replay is undecided: The recording is of \"",
                            "\", which did not run: none of its events were replayed.");
        }

        @NeuronTest
        static class NamedByAnObjectFixture {

            static Stream<Object> objects() {
                return Stream.of(new Object(), new Object());
            }

            @ParameterizedTest(name = "{0}")
            @MethodSource("objects")
            void timesOut(Object object, TestInfo test, NeuronCore core, Optional<FakeNeuronHost> fake) {
                names.add(test.getDisplayName());
                if (names.size() % 2 == 0) {
                    execute(fake, core, "NRT_TIMEOUT", 3);
                }
            }
        }

        private static final List<String> names = new ArrayList<>();

        @Test
        void isFoundByTestIdWhenDisplayNameChanges() {
            // given
            names.clear();
            NeuronTestKit recording = recording();
            recording.run(NamedByAnObjectFixture.class);

            // when
            NeuronTestKit replaying = replaying(archive(first));
            replaying.run(NamedByAnObjectFixture.class);

            // then
            assertThat(names).hasSize(4).doesNotHaveDuplicates();
            assertThat(violations(recording)).hasSize(1);
            assertThat(violations(replaying)).isEqualTo(violations(recording));
            assertThat(replaying.events(RunEvent.Violated.class))
                    .singleElement()
                    .satisfies(violated -> assertThat(violated.test().id()).endsWith("[test-template-invocation:#2]"));
        }

        @Test
        void isFoundByNameWhenRecordingHasNoTestId() throws IOException {
            // given
            NeuronTestKit recording = recording();
            recording.run(FailsFixture.class);
            Path archive = archive(first);
            String text = Files.readString(archive);
            String older = text.replaceFirst("mark test-id .*\n", "");
            assertThat(older).isNotEqualTo(text);
            Files.writeString(archive, older);

            // when
            NeuronTestKit replaying = replaying(archive);
            replaying.run(FailsFixture.class);

            // then
            assertThat(violations(replaying)).isEqualTo(violations(recording));
        }
    }

    @Nested
    class ReplayedEvents {

        @NeuronTest
        static class WaitsFixture {

            @Test
            void seesEvents(NeuronCore core, Counters counters, Optional<FakeNeuronHost> fake) {
                execute(fake, core, "NRT_TIMEOUT", 1);
                counters.await("status/timeout").atLeast(1).within(Patience.LIMIT);
            }
        }

        @Test
        void occurWhileBodyRuns() {
            // given
            NeuronTestKit recording = recording();
            recording.run(WaitsFixture.class);

            // when
            NeuronTestKit replaying = replaying(archive(first));
            String failure = message(replaying.run(WaitsFixture.class));

            // then
            assertThat(failure)
                    .startsWith("neuron0/neuron_core0 status/timeout: expected unchanged, was +1\nNeuron counters of ");
            assertThat(violations(replaying)).isEqualTo(violations(recording));
        }

        @NeuronTest
        static class WarmedUpFixture {

            @BeforeAll
            static void warms_up(@NeuronIndex(0) NeuronCore core) {}

            @Test
            void fails(@NeuronIndex(0) NeuronCore core, Optional<FakeNeuronHost> fake) {
                execute(fake, core, "NRT_TIMEOUT", 1);
            }
        }

        @Test
        void occurAroundFirstTestWhenRecordingNamesNone() throws IOException {
            // given
            recording().run(WarmedUpFixture.class);
            Path archive = archive(first);
            Files.writeString(
                    archive,
                    Files.readString(archive).replaceFirst("mark test .*\nmark test-id .*\n", "mark something\n"));

            // when
            NeuronTestKit replaying = replaying(archive);
            replaying.run(WarmedUpFixture.class);

            // then
            assertThat(replaying.events(RunEvent.Violated.class))
                    .singleElement()
                    .satisfies(violated -> assertThat(violated.test().name()).contains(" > fails("));
        }
    }

    @Nested
    class TheRecordedCores {

        private static int first;

        @NeuronTest
        static class TakesTurnsFixture {

            @Test
            void fails(NeuronCore core, Optional<FakeNeuronHost> fake) {
                first = core.index();
                execute(fake, core, "NRT_TIMEOUT", 1);
            }
        }

        @Test
        void areLeasedAgain() throws IOException {
            // given a recording of a test that had another core than it would get
            recording().run(TakesTurnsFixture.class);
            assertThat(first).isZero();
            Path archive = archive(first());
            Files.writeString(archive, Files.readString(archive).replace("\nmark cores 0\n", "\nmark cores 1\n"));

            // when
            replaying(archive).run(TakesTurnsFixture.class);

            // then
            assertThat(first).isOne();
        }

        private Path first() {
            return ReplayTest.this.first;
        }
    }

    /**
     * Tests of state outside the files of a host, which cannot be replayed: a test that depends on it does not pass.
     */
    @Nested
    class ReplayLimits {

        private Path recorded(Class<?> fixture) {
            recording().run(fixture);
            return archive(first);
        }

        private Path edited(Class<?> fixture, String from, String to) throws IOException {
            Path archive = recorded(fixture);
            String text = Files.readString(archive);
            assertThat(text).contains(from);
            return Files.writeString(archive, text.replace(from, to));
        }

        private String undecided(String replayed, Class<?> fixture) {
            NeuronTestKit replaying = new NeuronTestKit(second).on(replayed);
            String message = message(replaying.run(fixture));
            assertThat(replaying.events(RunEvent.LeftUndecided.class))
                    .anySatisfy(left ->
                            assertThat(message).contains(left.undecided().reason()));
            return message;
        }

        @Test
        void staticTimelineLeavesReplayUndecided() {
            // given
            Path archive = recorded(FailsFixture.class);

            // when, then
            assertThat(undecided("replay:" + archive + "?timeline=static", FailsFixture.class))
                    .startsWith("Replay of ")
                    .contains("timesOut", " on replay:" + archive + ": the replay is undecided: ")
                    .contains(
                            "The recorded changes are not replayed. Remove ?timeline=static from neuron.test.platform.");
        }

        @Test
        void missingViolationLeavesReplayUndecided() throws IOException {
            // given
            Path archive = edited(FailsFixture.class, " total 0644 = 3\\n", " total 0644 = 0\\n");

            // when, then
            assertThat(undecided("replay:" + archive, FailsFixture.class))
                    .contains(
                            "It violated no error counter may move of neuron0/neuron_core0 status/timeout when it was recorded, but not"
                                    + " in this replay.");
        }

        @Test
        void secondRunLeavesReplayUndecided() {
            // given
            Path archive = recorded(FailsFixture.class);
            Path run = second.resolve("run");
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(DiscoverySelectors.selectClass(FailsFixture.class))
                    .configurationParameter("neuron.test.platform", "replay:" + archive)
                    .configurationParameter("neuron.test.output", run.toString())
                    .configurationParameter("neuron.test.summary", "false")
                    .configurationParameter(
                            "junit.platform.reporting.output.dir",
                            second.resolve("junit").toString())
                    .build();

            // when
            try (LauncherSession session = LauncherFactory.openSession()) {
                session.getLauncher().execute(request);
                session.getLauncher().execute(request);
            }

            // then
            assertThat(replaying(archive).events(RunEvent.LeftUndecided.class))
                    .extracting(left -> left.undecided().reason())
                    .containsExactly(
                            "The recorded changes were already replayed, for another run or a test of the same"
                                    + " name: run it alone, once.",
                            "It violated no error counter may move of neuron0/neuron_core0 status/timeout when it was recorded, but not in this"
                                    + " replay.");
        }

        @NeuronTest
        static class NamesItsCoreFixture {
            @Test
            void timesOut(@NeuronIndex(0) NeuronCore core, Optional<FakeNeuronHost> fake) {
                execute(fake, core, "NRT_TIMEOUT", 1);
            }
        }

        @Test
        void otherCoresThanRecordedFailReplay() throws IOException {
            // given
            Path archive = edited(NamesItsCoreFixture.class, "\nmark cores 0\n", "\nmark cores 1\n");

            // when
            List<Throwable> failures = NeuronTestKit.failures(replaying(archive).run(NamesItsCoreFixture.class));

            // then
            assertThat(failures)
                    .singleElement()
                    .asString()
                    .contains("It was recorded on other cores than those leased now: [1].");
        }

        @NeuronTest
        static class FailsItselfFixture {
            @Test
            void requiresAFake(NeuronCore core, Optional<FakeNeuronHost> fake) {
                assertThat(fake).isEmpty();
            }
        }

        @Test
        void bodyThatNowPassesLeavesReplayUndecided() {
            // given
            Path archive = recorded(FailsItselfFixture.class);

            // when, then
            assertThat(undecided("replay:" + archive, FailsItselfFixture.class))
                    .contains("Its body failed when it was recorded, but passed in this replay.");
        }

        @Test
        void undecidedRecordingLeavesReplayUndecided() throws IOException {
            // given
            Path archive = edited(FailsItselfFixture.class, "mark body failed", "mark undecided how it ended");

            // when, then
            assertThat(undecided("replay:" + archive, FailsItselfFixture.class))
                    .endsWith("It was undecided when it was recorded: how it ended");
        }

        private static final String SHORTFALL = "a reading took too long, so some values are missing or late";

        @Test
        void incompleteRecordingLeavesReplayUndecided() throws IOException {
            // given
            Path archive = edited(FailsItselfFixture.class, "mark body failed", "mark incomplete " + SHORTFALL);

            // when, then
            assertThat(undecided("replay:" + archive, FailsItselfFixture.class))
                    .endsWith("the replay is undecided: The recording is incomplete: " + SHORTFALL + ".");
        }

        @Test
        void incompleteRecordingWithoutTestLeavesReplayUndecided() throws IOException {
            // given
            Path archive = edited(FailsItselfFixture.class, "mark body failed", "mark incomplete " + SHORTFALL);
            Files.writeString(archive, Files.readString(archive).replaceAll("mark test.*\n", ""));

            // when, then
            assertThat(undecided("replay:" + archive, FailsItselfFixture.class))
                    .endsWith("the replay is undecided: The recording is incomplete: " + SHORTFALL + ".");
        }

        @Test
        void otherTestPassesOnIncompleteRecording() throws IOException {
            // given
            Path archive = edited(
                    FailsItselfFixture.class,
                    "mark body failed",
                    "mark incomplete " + SHORTFALL + "\nmark seldom two files were read twice");

            // when
            NeuronTestKit replaying = replaying(archive);
            List<Throwable> failures = NeuronTestKit.failures(replaying.run(ARecordedFailure.OtherFixture.class));

            // then
            assertThat(failures).isEmpty();
            assertThat(replaying.notices())
                    .contains(
                            "The recording is incomplete: " + SHORTFALL + ".",
                            "During the recording, two files were read twice.");
        }

        @NeuronTest
        static class KnowsASecretFixture {

            @ParameterizedTest(name = "password={0}")
            @ValueSource(strings = "swordfish")
            void requiresAFake(String password, NeuronCore core, Optional<FakeNeuronHost> fake) {
                assertThat(fake).isEmpty();
            }
        }

        @Test
        void testIsFoundByNameWithMaskedSecret() throws IOException {
            // given
            Path archive = recorded(KnowsASecretFixture.class);
            String text = Files.readString(archive);
            // JUnit 6 puts texts in quotes.
            assertThat(text).containsPattern("password=\"?\\*\\*\\*").doesNotContain("swordfish");
            Files.writeString(archive, text.replaceFirst("mark test-id .*\n", ""));

            // when, then
            assertThat(undecided("replay:" + archive, KnowsASecretFixture.class))
                    .contains("Its body failed when it was recorded, but passed in this replay.");
        }

        @NeuronTest
        static class WantsPrintsFixture {
            @Test
            @ExpectPrint(prefix = "loss", max = 10)
            void requiresPrints(NeuronCore core, Workloads workloads) {}
        }

        @NeuronTest
        static class ComparesFixture {
            @Test
            @CompareToBaseline(metric = "total_time")
            void compares(NeuronCore core) {}
        }

        static List<Arguments> expectations() {
            return List.of(
                    Arguments.of(WantsPrintsFixture.class, "@ExpectPrint(prefix = \"loss\""),
                    Arguments.of(ComparesFixture.class, "@CompareToBaseline(metric = \"total_time\""));
        }

        @ParameterizedTest
        @MethodSource("expectations")
        void printOrBaselineExpectationLeavesReplayUndecided(Class<?> fixture, String expectation) {
            // given
            Path archive = recorded(FailsFixture.class);

            // when, then
            assertThat(undecided("replay:" + archive, fixture))
                    .contains(expectation, "A recording contains only the files of the host.");
        }

        @Test
        void unreadableCounterIsReplayedAsViolation() throws IOException {
            // given
            String timeout = "neuron_core0/stats/status/timeout\n present 0644 = 0\\n\n total 0644 ";
            Path archive = edited(FailsFixture.class, timeout + "= 0\\n\n", timeout + "! timeout\n");

            // when
            NeuronTestKit replaying = replaying(archive);
            replaying.run(FailsFixture.class);

            // then
            assertThat(violations(replaying))
                    .anySatisfy(violation -> assertThat(violation.actual()).contains("ETIMEDOUT"));
        }
    }

    @Nested
    class AFailureInBeforeAll {

        @NeuronTest
        static class FailsFixture {

            @BeforeAll
            static void warms_up(NeuronCore core, Optional<FakeNeuronHost> fake) {
                execute(fake, core, "NRT_TIMEOUT", 1);
                throw new IllegalStateException("it does not warm up");
            }

            @Test
            void isNeverReached(NeuronCore core) {}
        }

        @Test
        void isRecordedAndReplayed() {
            // given
            NeuronTestKit recording = recording();
            List<Throwable> failures = NeuronTestKit.failures(recording.run(FailsFixture.class));
            assertThat(failures).hasSize(1);
            assertThat(violations(recording)).hasSize(1);

            // when
            NeuronTestKit replaying = replaying(archive(first));
            List<Throwable> replayed = NeuronTestKit.failures(replaying.run(FailsFixture.class));

            // then
            assertThat(replayed).hasSize(1);
            assertThat(replayed.get(0)).hasMessage(failures.get(0).getMessage());
            assertThat(violations(replaying)).isEqualTo(violations(recording));
        }

        @NeuronTest
        static class PassesFixture {

            @BeforeAll
            static void warms_up(NeuronCore core) {}

            @Test
            void fails(Optional<FakeNeuronHost> fake) {
                assertThat(fake).isEmpty();
            }
        }

        @Test
        void failureOfTestAfterBeforeAllIsRecordedForTest() {
            // when
            recording().run(PassesFixture.class);

            // then
            assertThat(archive(first)).content().contains("PassesFixture > fails(");
        }
    }

    @Nested
    class Recordings {

        @Test
        void areNotWrittenByDefault() {
            // when
            new NeuronTestKit(first).on("fake:trn1.2xlarge@driver-2.30").run(FailsFixture.class);

            // then
            assertThat(attachments(first, "neuron-recording.archive.txt")).isEmpty();
        }

        @NeuronTest
        static class NeverStillFixture {

            private static final AtomicInteger COUNTED = new AtomicInteger();
            private static ScheduledExecutorService errors;

            @BeforeAll
            static void begins_to_break(FakeNeuronHost fake) {
                // A driver shows 16 bits, which would take this more than ten seconds to exceed.
                errors = Executors.newSingleThreadScheduledExecutor();
                errors.scheduleWithFixedDelay(
                        () -> {
                            fake.device(0).ecc("sram_uncorrected", 1);
                            COUNTED.incrementAndGet();
                        },
                        0,
                        200,
                        TimeUnit.MICROSECONDS);
            }

            @Test
            void seesErrors(NeuronCore core) {
                // A reading that is counted now may have happened already.
                int seen = COUNTED.get() + 1;
                Patience.await().until(() -> COUNTED.get() > seen);
            }

            @AfterAll
            static void stops() {
                errors.shutdownNow();
            }
        }

        /**
         * Verifies that the recording begins before the first reading. Otherwise a replay would fail with other
         * numbers, or pass.
         */
        @Test
        void beginBeforeTheCountersAreRead() {
            // given
            NeuronTestKit recording = recording();

            // when
            recording.run(NeverStillFixture.class);

            // then
            long judged = violations(recording).stream()
                    .filter(violation -> violation.subject().endsWith("sram_ecc_uncorrected"))
                    .mapToLong(violation ->
                            number(violation.actual(), "\\+([0-9]+)").get(0))
                    .findFirst()
                    .orElseThrow();
            assertThat(judged).isPositive();
            List<Long> recorded =
                    number(contentOf(archive(first).toFile()), "\n sram_ecc_uncorrected [0-7]+ = ([0-9]+)");
            assertThat(recorded.get(recorded.size() - 1) - recorded.get(0)).isGreaterThanOrEqualTo(judged);
        }

        private static List<Long> number(String text, String pattern) {
            return Pattern.compile(pattern)
                    .matcher(text)
                    .results()
                    .map(found -> Long.valueOf(found.group(1)))
                    .toList();
        }

        @NeuronTest
        @TestMethodOrder(MethodOrderer.MethodName.class)
        static class IsInterruptedFixture {

            private static final AtomicInteger MADE = new AtomicInteger();

            IsInterruptedFixture() {
                if (MADE.getAndIncrement() % 2 == 0) {
                    Thread.currentThread().interrupt();
                }
            }

            @Test
            void aIsInterrupted(NeuronCore core, Optional<FakeNeuronHost> fake) {
                execute(fake, core, "NRT_TIMEOUT", 1);
            }

            @Test
            void bFails(NeuronCore core, Optional<FakeNeuronHost> fake) {
                execute(fake, core, "NRT_TIMEOUT", 1);
            }

            @AfterEach
            void goes_on() {
                Thread.interrupted();
            }
        }

        @Test
        void areWrittenForTestAfterInterruptedOne() {
            // given
            NeuronTestKit recording = recording();

            // when
            recording.run(IsInterruptedFixture.class);

            // then
            assertThat(recording.notices())
                    .filteredOn(notice -> notice.startsWith("A test is not recorded: "))
                    .singleElement()
                    .asString()
                    .contains("interrupted while reading ");
            assertThat(archive(first)).content().contains("IsInterruptedFixture > bFails(");
        }

        @NeuronTest
        static class PassesFixture {
            @Test
            void passes(NeuronCore core, Optional<FakeNeuronHost> fake) {
                execute(fake, core, "NRT_SUCCESS", 1);
            }
        }

        @Test
        void areNotKeptForPassingTest() {
            // when
            recording()
                    .with("neuron.test.evidence", "always")
                    .run(PassesFixture.class)
                    .testEvents()
                    .assertStatistics(stats -> stats.succeeded(1));

            // then
            assertThat(attachments(first, "neuron-counters.txt")).hasSize(1);
            assertThat(attachments(first, "neuron-recording.archive.txt")).isEmpty();
        }

        @Test
        void omitSerialNumbersWhenRedacted() {
            // when
            recording().with("neuron.test.record", "redacted").run(FailsFixture.class);

            // then
            assertThat(archive(first)).content().contains("\n serial_number 0644 = 0000000000000000\\n\n");
        }
    }

    @Nested
    class BrokenRecordings {

        private String reason(Path archive) {
            List<Throwable> failures = NeuronTestKit.failures(replaying(archive).run(FailsFixture.class));
            assertThat(failures)
                    .isNotEmpty()
                    .allSatisfy(failure -> assertThat(failure).isInstanceOf(PlatformUnavailableException.class));
            String reason = failures.get(0).getMessage();
            assertThat(reason).startsWith("from JUnit configuration parameter neuron.test.platform: ");
            assertThat(reason).doesNotContain("\n");
            return reason;
        }

        @Test
        void missingFileIsReported() {
            assertThat(reason(output.resolve("none.txt")))
                    .endsWith("cannot replay " + output.resolve("none.txt")
                            + ": there is no such file; record it or correct the path");
        }

        @Test
        void truncatedArchiveIsReported() throws IOException {
            // given
            recording().run(FailsFixture.class);
            Path archive = archive(first);
            String text = Files.readString(archive);
            Files.writeString(archive, text.substring(0, text.length() / 2));

            // when, then
            assertThat(reason(archive)).contains("the archive was cut short");
        }

        @Test
        void malformedLineIsReported() throws IOException {
            // given
            recording().run(FailsFixture.class);
            Path archive = archive(first);
            Files.writeString(
                    archive, Files.readString(archive).replaceFirst(" core_count 0444", " core_count r--r--r--"));

            // when, then
            assertThat(reason(archive))
                    .contains(archive + ":")
                    .contains("core_count r--r--r--")
                    .contains("expected");
        }
    }
}
