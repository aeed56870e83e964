package dev.neurontest;

import static dev.neurontest.NeuronTestKit.onlyFailure;
import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.Counters;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.profile.CaptureKind;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.Profiler;
import dev.neurontest.workload.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.MultipleFailuresError;

/** Tests of profiles of tests, captured by the stand-in tools of a fake host. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the tools are shell scripts")
class ProfileInjectionIT {

    private static final String NEFF = "target/profile-injection/resnet50.neff";
    private static final String HELPER = "target/profile-injection/copy.neff";
    private static final String MADE_BY_BODY = "target/profile-injection/made.neff";

    @TempDir
    private Path output;

    @BeforeAll
    static void compile() throws IOException {
        Files.createDirectories(Path.of(NEFF).getParent());
        FakeNeff.builder().name("resnet50").time(Duration.ofMillis(16)).write(Path.of(NEFF));
        FakeNeff.builder().name("copy").profile("vector").write(Path.of(HELPER));
    }

    @BeforeEach
    void forget() throws IOException {
        Files.deleteIfExists(Path.of(MADE_BY_BODY));
    }

    private NeuronTestKit kit() {
        return new NeuronTestKit(output);
    }

    @NeuronTest
    static class FastEnoughFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("17 ms")
        void test() {}
    }

    @NeuronTest
    static class TooSlowFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("15 ms")
        void test(NeuronCore core) {}
    }

    @NeuronTest
    static class FastEnoughButIdleFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("17 ms")
        @ExpectCounter(value = "inference_count", delta = 1)
        void test(NeuronCore core) {}
    }

    @NeuronTest
    static class MadeByTheBodyFixture {
        @Test
        @ProfileNeff(MADE_BY_BODY)
        @MaxLatency("17 ms")
        void test(NeuronCore core) throws IOException {
            Files.copy(Path.of(NEFF), Path.of(MADE_BY_BODY));
        }
    }

    @NeuronTest
    static class NeverMadeFixture {
        @Test
        @ProfileNeff(MADE_BY_BODY)
        void test(NeuronCore core) {}
    }

    @NeuronTest
    static class FailingBodyFixture {
        @Test
        @ProfileNeff(NEFF)
        void test(NeuronCore core) {
            throw new IllegalStateException("the body");
        }
    }

    @NeuronTest
    static class TakesTheProfileFixture {
        @Test
        @ProfileNeff(NEFF)
        @ExpectCounter(value = "inference_count", delta = 0)
        void test(NeuronCore core, Profile profile) {
            assertThat(profile).totalTime().isAtMost(Duration.ofMillis(17));
        }
    }

    @NeuronTest
    static class CapturesItselfFixture {
        @Test
        @Threshold(metric = "total_time", max = "17 ms")
        void test(NeuronCore core, Profiler profiler) {
            Profile profile = profiler.capture(Path.of(NEFF)).measured(3).run();
            assertThat(profile.executions()).hasSize(3);
            assertThat(profile.capture()).isEqualTo(CaptureKind.REPLAY);
        }
    }

    @NeuronTest
    static class BesideAServerFixture {

        private static NeuronCore server;

        @BeforeAll
        static void start(@NeuronIndex(0) NeuronCore core) {
            server = core;
        }

        @Test
        void captures(@NeuronIndex(1) NeuronCore core, Profiler profiler, Counters counters) {
            CounterDiff diff = counters.during(
                    () -> profiler.capture(Path.of(NEFF)).measured(3).run());
            assertThat(diff.onCore(server)).counter("inference_count").isUnchanged();
            assertThat(diff.onCore(core)).counter("inference_count").rose();
        }

        @Test
        void capturesOnTheServer(@NeuronIndex(1) NeuronCore core, Profiler profiler, Counters counters) {
            CounterDiff diff = counters.during(
                    () -> profiler.capture(Path.of(NEFF)).measured(3).on(server).run());
            assertThat(diff.onCore(server)).counter("inference_count").rose();
        }
    }

    @NeuronTest
    static class WithEventsFixture {
        @Test
        @ProfileNeff(value = NEFF, fullJson = true)
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("records", 50);
        }
    }

    @NeuronTest
    static class WithTablesFixture {
        @Test
        @ProfileNeff(value = NEFF, tables = true)
        void test(NeuronCore core, Profile profile) {
            assertThat(profile.tables().names()).contains("Instruction", "Summary");
        }
    }

    @NeuronTest
    static class InlineWithTablesFixture {
        @Test
        @ProfileWorkloads(tables = true)
        void test(NeuronCore core, Workloads workloads, FakeNeuronHost fake) {
            workloads
                    .command(fake.directory().resolve("bin/run-neff").toString(), NEFF)
                    .run();
        }
    }

    @NeuronTest
    static class CapturesNothingFixture {
        @Test
        @MaxLatency("17 ms")
        void test(NeuronCore core, Profiler profiler) {}
    }

    @NeuronTest
    static class ThrottledFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("1 s")
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("throttle", 0.4);
        }
    }

    @NeuronTest
    static class ThrottledOnceFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("17 ms")
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("metric", "throttle_periodic_active_time_nc0_percent", "0.4", "times", 1);
        }
    }

    @NeuronTest
    static class OtherNeffFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("1 s")
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("wrong-uuid");
        }
    }

    @NeuronTest
    static class HangingToolFixture {
        @Test
        @ProfileNeff(NEFF)
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("hang", "capture");
        }
    }

    @NeuronTest
    static class BrokenDeviceFixture {
        @Test
        @ProfileNeff(NEFF)
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("status", NrtStatus.of("NRT_EXEC_HW_ERR_DMA_ABORT"));
        }
    }

    @NeuronTest
    static class CountersTooFixture {
        @Test
        @ProfileNeff(NEFF)
        @MaxLatency("15 ms")
        @ExpectCounter(value = "inference_count", delta = 1)
        void test(NeuronCore core) {}
    }

    @NeuronTest
    static class InlineFixture {
        @Test
        @ProfileWorkloads
        @Threshold(metric = "spill_save_bytes", max = "1 TiB")
        void test(NeuronCore core, Workloads workloads, FakeNeuronHost fake) {
            workloads
                    .command(fake.directory().resolve("bin/run-neff").toString(), NEFF, HELPER)
                    .run();
        }
    }

    @NeuronTest
    static class DemandsWithoutProfileFixture {
        @Test
        @MaxLatency("17 ms")
        void test(NeuronCore core) {}
    }

    @NeuronTest
    static class TakesAProfileOfNothingFixture {
        @Test
        void test(NeuronCore core, Profile profile) {}
    }

    @NeuronTest
    static class InputWithoutFileFixture {
        @Test
        @ProfileNeff(value = NEFF, inputs = "x.npy")
        void test(NeuronCore core) {
            throw new AssertionError("the body must not run");
        }
    }

    @NeuronTest
    static class NoWorkloadFixture {
        @Test
        @ProfileWorkloads
        void test(NeuronCore core) {}
    }

    @NeuronTest
    static class UnusedWorkloadsFixture {
        @Test
        @ProfileWorkloads
        @MaxLatency("17 ms")
        void test(NeuronCore core, Workloads workloads) {}
    }

    @NeuronTest
    static class BarePercentFixture {
        @Test
        @ProfileNeff(NEFF)
        @MinMfu("0.42")
        void test(NeuronCore core) {}
    }

    @NeuronTest
    static class KilledToolFixture {
        @Test
        @ProfileNeff(NEFF)
        void test(NeuronCore core, FakeNeuronHost fake) {
            fake.profiler().script("killed", "capture");
        }
    }

    @NeuronTest
    static class SuspectCoreFixture {
        @Test
        @ProfileNeff(NEFF)
        void test(NeuronCore core, Workloads workloads) {
            workloads.command("sh", "-c", "kill -KILL $$").ignoringExit().run();
        }
    }

    @NeuronTest
    static class NotCapturedFirstFixture {
        @Test
        @ProfileNeff("target/profile-injection/broken.neff")
        void test(NeuronCore core, Profile profile) {}
    }

    @Nested
    class OfANeff {

        @Test
        void passesUnderLimitWithoutCoreParameter() throws IOException {
            // when
            EngineExecutionResults results =
                    kit().with("neuron.test.evidence", "always").run(FastEnoughFixture.class);

            // then
            assertThat(NeuronTestKit.failures(results)).isEmpty();
            results.testEvents().assertStatistics(statistics -> statistics.succeeded(1));
            assertThat(kit().attachment("neuron-profile.txt")).contains("resnet50", "total_time");
            assertThat(kit().attachment("neuron-profile.json")).contains("\"total_time\"");
            assertThat(kit().attachment("neuron-profile.html"))
                    .startsWith("<!DOCTYPE html>")
                    .contains(
                            "17 ms",
                            ">passed</span> ProfileInjectionIT$FastEnoughFixture &gt; test()",
                            "neuron0/<wbr/>neuron_<wbr/>core");
        }

        @ParameterizedTest
        @ValueSource(classes = {WithTablesFixture.class, InlineWithTablesFixture.class})
        void hasTablesWhenRequested(Class<?> tests) throws IOException {
            // when
            EngineExecutionResults results =
                    kit().with("neuron.test.evidence", "always").run(tests);

            // then
            assertThat(NeuronTestKit.failures(results)).isEmpty();
            assertThat(kit().attachment("neuron-profile.json")).containsPattern("\"tables\":\"[^\"]+-tables\"");
            assertThat(kit().attachment("neuron-profile.txt")).contains("Tables:");
        }

        @Test
        void pageShowsNoPassWhenTestFailedOtherwise() throws IOException {
            // when
            Throwable failure = onlyFailure(kit().run(FastEnoughButIdleFixture.class));

            // then
            assertThat(failure).hasMessageContaining("inference_count");
            assertThat(kit().attachment("neuron-profile.html").replace("<wbr/>", ""))
                    .contains(">kept</span> ProfileInjectionIT$FastEnoughButIdleFixture")
                    .doesNotContain(">passed</span>");
        }

        @Test
        void failsOverLimitWithoutCommandOfRemovedTool() {
            // when
            Throwable failure = onlyFailure(kit().run(TooSlowFixture.class));

            // then
            assertThat(failure)
                    .isInstanceOf(AssertionFailedError.class)
                    .hasMessageContainingAll("resnet50", "at most 15 ms", "neuron-explorer", "\nFolder: ")
                    .hasMessageNotContaining(" view -n ");
        }

        @Test
        void isCapturedAfterBodyWritesNeff() {
            // when
            EngineExecutionResults results = kit().run(MadeByTheBodyFixture.class);

            // then
            assertThat(NeuronTestKit.failures(results)).isEmpty();
        }

        @Test
        void failsWhenNeffIsMissing() {
            // given
            NeuronTestKit kit = kit();

            // when
            Throwable failure = onlyFailure(kit.run(NeverMadeFixture.class));

            // then
            assertThat(failure).hasMessageContainingAll("made.neff", "does not exist");
            assertThat(kit.events(RunEvent.Recorded.class))
                    .extracting(RunEvent.Recorded::kind)
                    .containsExactly("counters");
        }

        @Test
        void isNotCapturedAfterFailedBody() {
            // given
            NeuronTestKit kit = kit();

            // when
            Throwable failure = onlyFailure(kit.run(FailingBodyFixture.class));

            // then
            assertThat(failure).hasMessage("the body").hasNoSuppressedExceptions();
            assertThat(kit.events(RunEvent.Recorded.class))
                    .extracting(RunEvent.Recorded::kind)
                    .doesNotContain("profile");
        }

        @Test
        void isPassedToBodyWithoutChangingCounters() {
            // when
            EngineExecutionResults results = kit().run(TakesTheProfileFixture.class);

            // then
            assertThat(NeuronTestKit.failures(results)).isEmpty();
        }

        @Test
        void isKeptInTheRunFile() {
            // given
            NeuronTestKit kit = kit();

            // when
            kit.run(TooSlowFixture.class);

            // then
            assertThat(kit.events(RunEvent.Recorded.class))
                    .extracting(RunEvent.Recorded::kind)
                    .contains("profile", "counters");
            assertThat(kit.events(RunEvent.Violated.class)).hasSize(1);
        }
    }

    @Test
    void attachesEventsWhenRequested() throws IOException {
        // when
        EngineExecutionResults results =
                kit().with("neuron.test.evidence", "always").run(WithEventsFixture.class);

        // then
        assertThat(NeuronTestKit.failures(results)).isEmpty();
        assertThat(kit().attachment("neuron-profile-events.txt")).contains("opcode", "50");
    }

    @Nested
    class CapturedByTest {

        @Test
        void isJudgedByItsThresholds() {
            // when
            EngineExecutionResults results = kit().run(CapturesItselfFixture.class);

            // then
            assertThat(NeuronTestKit.failures(results)).isEmpty();
        }

        @Test
        void isUndecidedWhenNothingWasProfiled() {
            // when
            Throwable failure = onlyFailure(kit().run(CapturesNothingFixture.class));

            // then
            assertThat(failure).hasMessageContainingAll("undecided", "Nothing was profiled");
        }
    }

    @Nested
    class InDoubt {

        @Test
        void abortsTestWhenThrottledInAllCaptures() {
            // when
            EngineExecutionResults results = kit().run(ThrottledFixture.class);

            // then
            results.testEvents().assertStatistics(statistics -> statistics.aborted(1));
            assertThat(results.testEvents().aborted().list())
                    .singleElement()
                    .satisfies(event -> assertThat(
                                    event.getPayload().orElseThrow().toString())
                            .contains("throttled", "40", "neuron.test.undecided has throttled=abort (default)"));
        }

        @Test
        void isCapturedAgainWhenItWasThrottled() {
            // given
            NeuronTestKit kit = kit();

            // when
            EngineExecutionResults results = kit.run(ThrottledOnceFixture.class);

            // then
            results.testEvents().assertStatistics(statistics -> statistics.succeeded(1));
        }

        @Test
        void failsAbortsOrPassesTestAsConfigured() {
            // when
            Throwable failure = onlyFailure(kit().run(OtherNeffFixture.class));
            EngineExecutionResults aborted =
                    kit().with("neuron.test.undecided", "profile=abort").run(OtherNeffFixture.class);
            EngineExecutionResults passed =
                    kit().with("neuron.test.undecided", "profile=pass").run(OtherNeffFixture.class);

            // then
            assertThat(failure).hasMessageContainingAll("1 expectation undecided", "UUID");
            aborted.testEvents().assertStatistics(statistics -> statistics.aborted(1));
            passed.testEvents().assertStatistics(statistics -> statistics.succeeded(1));
        }

        @Test
        void reportsToolEndedAtDeadline() {
            // when
            Throwable failure = onlyFailure(
                    kit().with("neuron.test.profile.deadline", "3 s").run(HangingToolFixture.class));

            // then
            assertThat(failure).hasMessageContainingAll("took longer than 3 s", "neuron.test.profile.deadline");
        }

        @Test
        void isReportedWhenTestTakesProfile() throws IOException {
            // given
            FakeNeff.builder().name("broken").write(Path.of("target/profile-injection/broken.neff"));

            // when
            Throwable failure = onlyFailure(broken().run(NotCapturedFirstFixture.class));
            EngineExecutionResults aborted =
                    broken().with("neuron.test.undecided", "profile=abort").run(NotCapturedFirstFixture.class);

            // then
            assertThat(failure).hasMessageContaining("No trace of");
            assertThat(kit().attachment("neuron-profile.txt")).contains("broken.neff");
            aborted.testEvents().assertStatistics(statistics -> statistics.aborted(1));
        }

        /** Returns a kit with a tool that prints its version and fails otherwise. */
        private NeuronTestKit broken() throws IOException {
            Path tool = Files.writeString(
                    output.resolve("neuron-explorer"),
                    "#!/bin/sh\n[ \"$1\" = --version ] && echo neuron-explorer 2.32.7.0 && exit\nexit 3\n");
            assertThat(tool.toFile().setExecutable(true)).isTrue();
            return kit().with("neuron.test.profiler", tool.toString());
        }

        @Test
        void isReportedWhenSuspectCorePreventsCapture() {
            // when, then
            assertThat(onlyFailure(kit().run(SuspectCoreFixture.class)))
                    .hasMessageContainingAll("resnet50.neff was not profiled", "was killed while it held the core");
        }

        @Test
        void sendsTheCoreIntoQuarantineWhenTheToolWasKilled() {
            // given
            NeuronTestKit kit = kit();

            // when
            onlyFailure(kit.run(KilledToolFixture.class));

            // then
            assertThat(kit.events(RunEvent.Quarantined.class))
                    .singleElement()
                    .satisfies(event -> assertThat(event.toString())
                            .contains("the profiler tool", "was killed while it held the core"));
        }

        @Test
        void sendsTheCoreIntoQuarantineWhenTheDeviceIsToBlame() {
            // given
            NeuronTestKit kit = kit();

            // when
            Throwable failure = onlyFailure(kit.run(BrokenDeviceFixture.class));

            // then
            assertThat(failure).hasMessageContaining("1203");
            assertThat(kit.events(RunEvent.Quarantined.class)).hasSize(1);
        }
    }

    @Nested
    class OfWorkloads {

        @Test
        void isUndecidedWhenNoWorkloadRan() {
            // when, then
            assertThat(onlyFailure(kit().run(NoWorkloadFixture.class)))
                    .hasMessageContainingAll("@ProfileWorkloads is undecided", "no workload ran");
            assertThat(onlyFailure(kit().run(UnusedWorkloadsFixture.class)))
                    .hasMessageContainingAll("@MaxLatency(\"17 ms\") is undecided", "no workload ran");
        }

        @Test
        void ignoresHelperNeff() {
            // given
            NeuronTestKit kit = kit();

            // when
            EngineExecutionResults results = kit.run(InlineFixture.class);

            // then
            assertThat(NeuronTestKit.failures(results)).isEmpty();
            assertThat(kit.events(RunEvent.Recorded.class))
                    .filteredOn(event -> event.kind().equals("profile"))
                    .singleElement()
                    .satisfies(event -> assertThat(event.recording().toString()).contains("resnet50", "inline"));
        }
    }

    @Test
    void isCapturedOnCoreOfTestUnlessServerIsChosen() {
        assertThat(NeuronTestKit.failures(kit().run(BesideAServerFixture.class)))
                .isEmpty();
    }

    @Test
    void failureIsReportedTogetherWithCounters() {
        // when
        Throwable failure = onlyFailure(kit().run(CountersTooFixture.class));

        // then
        assertThat(failure)
                .hasMessageContainingAll("Neuron counters of", "Profile of")
                .asInstanceOf(type(MultipleFailuresError.class))
                .satisfies(
                        all -> assertThat(all.getStackTrace()).hasSize(1),
                        all -> assertThat(all.getFailures())
                                .hasSize(2)
                                .allSatisfy(each -> assertThat(each.getStackTrace())
                                        .singleElement()
                                        .asString()
                                        .matches("dev.neurontest.ProfileInjectionIT\\$CountersTooFixture.test"
                                                + "\\(ProfileInjectionIT.java:\\d+\\)")));
    }

    @Nested
    class WithoutATool {

        private NeuronTestKit without() {
            return kit().with(
                            "neuron.test.profiler",
                            output.resolve("neuron-explorer").toString());
        }

        @Test
        void fails() {
            // when, then
            assertThat(onlyFailure(without().run(FastEnoughFixture.class)))
                    .hasMessageContainingAll("neuron-explorer", "does not exist");
        }

        @Test
        void isSkippedWhenConfigured() {
            // when
            EngineExecutionResults results =
                    without().with("neuron.test.missing", "skip").run(FastEnoughFixture.class);

            // then
            results.testEvents()
                    .assertStatistics(statistics -> statistics.skipped(1).started(0));
            assertThat(results.testEvents().skipped().list())
                    .singleElement()
                    .satisfies(
                            event -> assertThat(event.getPayload(String.class).orElseThrow())
                                    .contains("does not exist"));
        }
    }

    @Nested
    class Mistakes {

        @Test
        void limitWithoutProfileIsRefused() {
            // when, then
            assertThat(onlyFailure(kit().run(DemandsWithoutProfileFixture.class)))
                    .hasMessageContainingAll("nothing is profiled", "@ProfileNeff");
        }

        @Test
        void profileParameterWithoutNeffIsRefused() {
            // when, then
            assertThat(onlyFailure(kit().run(TakesAProfileOfNothingFixture.class)))
                    .hasMessageContainingAll("takes a Profile", "@ProfileNeff");
        }

        @Test
        void inputWithoutNameIsRefused() {
            // when, then
            assertThat(onlyFailure(kit().run(InputWithoutFileFixture.class)))
                    .hasMessageContainingAll("\"x.npy\" does not have the form name=path");
        }

        @Test
        void percentageWithoutUnitIsRefused() {
            // when, then
            assertThat(onlyFailure(kit().run(BarePercentFixture.class))).hasMessageContainingAll("0.42", "42 %");
        }
    }
}
