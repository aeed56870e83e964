package dev.neurontest.profile.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.runtime.RuntimeVariables;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.ProfilerScript;
import dev.neurontest.host.FileTree;
import dev.neurontest.patience.Patience;
import dev.neurontest.process.ChildEnvironment;
import dev.neurontest.process.ChildProcess;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.system.EventTimes;
import dev.neurontest.profile.system.SystemProfile;
import dev.neurontest.profile.tool.ProfilerTool;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** System profiles by the stand-in tool of a fake host whose logical cores have two physical ones. */
class SystemProfileOfFakeHostIT {

    private static FakeNeuronHost fake;
    private static NeuronHost host;

    @TempDir
    Path root;

    private Path neff;

    @BeforeAll
    static void start() throws IOException {
        fake = FakeNeuronHost.builder().instance("trn2.3xlarge").start();
        host = NeuronHost.discover(FileTree.at(fake.directory()));
    }

    @AfterAll
    static void stop() {
        fake.close();
    }

    @BeforeEach
    void neff() throws IOException {
        fake.profiler().reset();
        neff = FakeNeff.builder()
                .name("model.neff")
                .lnc(2)
                .time(Duration.ofMillis(2))
                .write(root.resolve("model.neff"));
    }

    private Profiler profiler() {
        return new Profiler(new Profiler.Context(
                () -> ProfilerTool.find(
                        new ProfilerTool.Search(fake.directory(), Optional.empty(), "", Map.of(), Patience.LIMIT)),
                host,
                host.cores(),
                host.cores(),
                () -> root.resolve("out"),
                Map.of(),
                0.05,
                0,
                Optional.empty(),
                Set.of(),
                pid -> false,
                ProfilerObserver.NONE));
    }

    private void execute(int times, Map<String, String> environment) {
        try (ChildProcess workload = ChildProcess.command(List.of(
                        fake.directory().resolve("bin/run-neff").toString(), "--times", "" + times, neff.toString()))
                .environment(ChildEnvironment.INHERITED
                        .with(RuntimeVariables.ofCores(List.of(host.cores().get(0))))
                        .with(environment))
                .start()) {
            assertThat(workload.await(Patience.LIMIT).exitCode().orElseThrow().isZero())
                    .as(workload.stderr())
                    .isTrue();
        }
    }

    @Test
    void hasWhatAWorkloadDidOnHostAndDevice() {
        // given
        SystemCapture capture = profiler().system().hostUse().settlesWithin(Patience.LIMIT);
        execute(50, capture.environment());

        // when
        SystemProfile profile = capture.collect();

        // then
        assertThat(profile.doubts()).isEmpty();
        assertThat(profile.event("nc_exec_running").orElseThrow())
                .as("once for both physical cores")
                .returns(50L, EventTimes::count)
                .returns(true, EventTimes::onDevice);
        assertThat(profile.event("nrt_execute").orElseThrow())
                .returns(50L, EventTimes::count)
                .returns(false, EventTimes::onDevice);
        assertThat(profile.host().cpuMean()).isPresent();
        assertThat(profile.host().mostMemory()).isPresent();
        assertThat(profile.toText()).contains("nc0 core 4 ", "nc0 core 5 ");
    }

    @Test
    void isThereBesideTheProfileOfTheDevice() {
        // given
        Profiler profiler = profiler();
        InspectCapture inspect = profiler.inspect(InspectCapture.Mode.MODEL).settlesWithin(Patience.LIMIT);
        SystemCapture system = inspect.system().eventTypes("nc_exec_running");
        execute(3, inspect.environment());

        // when
        Profile device = inspect.collect();
        SystemProfile profile = system.collect();

        // then
        assertThat(device.number("total_time")).hasValue(0.002);
        assertThat(profile.doubts()).isEmpty();
        assertThat(profile.events()).extracting(EventTimes::name).containsExactly("nc_exec_running");
    }

    @Test
    void isInDoubtWhereTheBufferOfTheRuntimeWasTooSmall() {
        // given
        SystemCapture capture = profiler().system().mostEvents(20).settlesWithin(Patience.LIMIT);
        execute(50, capture.environment());

        // then
        assertThat(capture.collect().doubts())
                .singleElement()
                .satisfies(doubt -> assertThat(doubt.reason())
                        .contains("has 20 events, and the runtime keeps the last 20 of a core"));
    }

    @Test
    void hasWhatTheRuntimeDidAroundANeff() {
        // when
        SystemProfile profile =
                profiler().capture(neff).on(host.cores().get(0)).executions(20).systrace("nrt_execute", "hardware");

        // then
        assertThat(profile.doubts()).isEmpty();
        assertThat(profile.events()).extracting(EventTimes::name).containsOnly("nrt_execute", "nc_exec_running");
        assertThat(profile.event("nrt_execute").orElseThrow().count()).isEqualTo(20);
    }

    @Test
    void isInDoubtWhereEventsWereDropped() {
        // given
        fake.profiler().script(ProfilerScript.dropped(12));

        // then
        assertThat(profiler().capture(neff).on(host.cores().get(0)).systrace().doubts())
                .extracting(Doubt::kind)
                .containsExactly(Doubt.Kind.DROPPED_NOTIFICATIONS);
    }
}
