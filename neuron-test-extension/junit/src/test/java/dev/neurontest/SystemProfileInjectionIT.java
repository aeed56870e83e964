package dev.neurontest;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.ProfilerScript;
import dev.neurontest.profile.capture.Profiler;
import dev.neurontest.profile.capture.SystemCapture;
import dev.neurontest.profile.system.EventStatistic;
import dev.neurontest.workload.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** The system profiles of tests, made by the stand-in tools of a fake host. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the tools are shell scripts")
class SystemProfileInjectionIT {

    private static final String NEFF = "target/system-profile/resnet50.neff";

    @TempDir
    private Path output;

    @BeforeAll
    static void compile() throws IOException {
        Files.createDirectories(Path.of(NEFF).getParent());
        FakeNeff.builder().name("resnet50").time(Duration.ofMillis(16)).write(Path.of(NEFF));
    }

    private NeuronTestKit kit() {
        return new NeuronTestKit(output);
    }

    private Throwable onlyFailure(EngineExecutionResults results) {
        List<Throwable> failures = NeuronTestKit.failures(results);
        assertThat(failures).hasSize(1);
        return failures.get(0);
    }

    private String attachment(String name) throws IOException {
        try (Stream<Path> files = Files.walk(output.resolve("junit"))) {
            return Files.readString(
                    files.filter(file -> file.endsWith(name)).findFirst().orElseThrow());
        }
    }

    private static void infer(Workloads workloads, FakeNeuronHost fake) {
        workloads
                .command(fake.directory().resolve("bin/run-neff").toString(), "--times", "3", NEFF)
                .run();
    }

    @NeuronTest
    static class FastEnoughFixture {
        @Test
        @ProfileWorkloads
        @Threshold(metric = "spill_save_bytes", max = "1 TiB")
        @EventThreshold(event = "nrt_execute", max = "1 s")
        @EventThreshold(event = "nc_exec_running", over = EventStatistic.COUNT, min = "3", max = "3")
        void test(NeuronCore core, Workloads workloads, FakeNeuronHost fake) {
            infer(workloads, fake);
        }
    }

    @NeuronTest
    static class TooSlowFixture {
        @Test
        @ProfileWorkloads
        @Threshold(metric = "spill_save_bytes", max = "1 TiB")
        @EventThreshold(event = "nc_exec_running", over = EventStatistic.P50, max = "15 ms")
        void test(NeuronCore core, Workloads workloads, FakeNeuronHost fake) {
            infer(workloads, fake);
        }
    }

    @NeuronTest
    static class OnlyPictureFixture {
        @Test
        @ProfileWorkloads(system = true)
        @Threshold(metric = "spill_save_bytes", max = "1 TiB")
        void test(NeuronCore core, Workloads workloads, FakeNeuronHost fake) {
            infer(workloads, fake);
        }
    }

    @NeuronTest
    static class DroppedFixture {
        @Test
        @EventThreshold(event = "nrt_execute", max = "1 s")
        void test(NeuronCore core, Profiler profiler, FakeNeuronHost fake) {
            fake.profiler().script(ProfilerScript.dropped(12));
            profiler.capture(Path.of(NEFF)).systrace();
        }
    }

    @NeuronTest
    static class MadeByTheBodyFixture {
        @Test
        void test(NeuronCore core, Profiler profiler, Workloads workloads, FakeNeuronHost fake) {
            SystemCapture system = profiler.system();
            workloads
                    .command(fake.directory().resolve("bin/run-neff").toString(), "--times", "3", NEFF)
                    .environment(system.environment())
                    .run();
            assertThat(system.collect())
                    .event("nc_exec_running")
                    .count()
                    .isAtMost("3")
                    .isAtLeast("3");
        }
    }

    @NeuronTest
    static class NoSystemProfileFixture {
        @Test
        @ProfileNeff(NEFF)
        @EventThreshold(event = "nrt_execute", max = "1 s")
        void test(NeuronCore core) {}
    }

    @NeuronTest
    static class NothingDemandedFixture {
        @Test
        @ProfileWorkloads
        @EventThreshold(event = "nrt_execute")
        void test(NeuronCore core) {}
    }

    @NeuronTest
    static class WithoutUnitFixture {
        @Test
        @ProfileWorkloads
        @EventThreshold(event = "nrt_execute", max = "2")
        void test(NeuronCore core) {}
    }

    @Test
    void passesWhereAllEventsKeepTheirLimits() {
        // given
        NeuronTestKit kit = kit();

        // then
        assertThat(NeuronTestKit.failures(kit.run(FastEnoughFixture.class))).isEmpty();
        assertThat(kit.events(RunEvent.Recorded.class))
                .extracting(RunEvent.Recorded::kind)
                .contains("profile", "system-profile");
    }

    @Test
    void failsWithTheEventThatTakesTooLong() throws IOException {
        // then
        assertThat(onlyFailure(kit().run(TooSlowFixture.class)))
                .hasMessageContainingAll(
                        "System profile of workloads by neuron-explorer",
                        "p50 of nc_exec_running",
                        "expected at most 15 ms",
                        "was 16 ms");
        assertThat(attachment("neuron-system-profile.html")).contains("nc_exec_running, 16 ms from");
        assertThat(attachment("neuron-system-profile.txt")).contains("nc_exec_running   device");
    }

    @Test
    void isAttachedWithoutADemand() throws IOException {
        // then
        assertThat(NeuronTestKit.failures(
                        kit().with("neuron.test.evidence", "always").run(OnlyPictureFixture.class)))
                .isEmpty();
        assertThat(attachment("neuron-system-profile.json")).contains("\"nrt_execute\"");
    }

    @Test
    void isUndecidedWhereEventsWereDropped() {
        // then
        assertThat(onlyFailure(kit().run(DroppedFixture.class)))
                .hasMessageContainingAll("1 demand undecided", "p99 of nrt_execute", "12 trace events were dropped");
    }

    @Test
    void passesUndecidedWhereTheSettingSaysSo() {
        // then
        assertThat(NeuronTestKit.failures(
                        kit().with("neuron.test.undecided", "profile=pass").run(DroppedFixture.class)))
                .isEmpty();
    }

    @Test
    void isMadeByTheBodyToo() {
        // then
        assertThat(NeuronTestKit.failures(kit().run(MadeByTheBodyFixture.class)))
                .isEmpty();
    }

    @Test
    void isUndecidedWhereNoSystemProfileWasMade() {
        // then
        assertThat(onlyFailure(kit().run(NoSystemProfileFixture.class)))
                .hasMessageContainingAll(
                        "@EventThreshold(event = \"nrt_execute\", over = P99, max = \"1 s\") is undecided",
                        "No system profile was made");
    }

    @Test
    void refusesADemandThatCannotBeMeant() {
        // then
        assertThat(onlyFailure(kit().run(NothingDemandedFixture.class)))
                .hasMessageContaining("demands nothing: give a max or a min");
        assertThat(onlyFailure(kit().run(WithoutUnitFixture.class))).hasMessageContaining("\"2\" has no unit");
    }
}
