package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.device.runtime.RuntimeVariables;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.process.ChildEnvironment;
import dev.neurontest.internal.process.ChildProcess;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of system profiles by the stand-in tool of a fake host with logical cores of two physical ones. */
class SystemProfileOfFakeHostIT {

    @AutoClose
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

    @BeforeEach
    void neff() throws IOException {
        // Reported of some versions, and not documented.
        fake.profiler().reset().script("name-required");
        neff = FakeNeff.builder()
                .name("model.neff")
                .lnc(2)
                .time(Duration.ofMillis(2))
                .write(root.resolve("model.neff"));
    }

    private Profiler profiler() {
        return ToolFixture.ofFakeHost(fake.directory(), host, root.resolve("out"), Map.of());
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

    private static long number(ProfileTables tables, String sql) {
        return (long) tables.query(sql).number(0, 0).orElseThrow();
    }

    @Test
    void hasEventsOfHostAndDevice() {
        // given
        SystemCapture capture = profiler().system().settlesWithin(Patience.LIMIT);
        execute(50, capture.environment());

        // when
        ProfileTables tables = capture.tables();

        // then
        assertThat(number(tables, "select count(*) from SystemProfileEvents where name = 'nrt_execute'"))
                .isEqualTo(50);
        assertThat(number(tables, "select count(*) from SystemProfileEvents where name = 'nc_exec_running'"))
                .as("on both physical cores")
                .isEqualTo(100);
    }

    @Test
    void isCapturedTogetherWithDeviceProfile() {
        // given
        Profiler profiler = profiler();
        InspectCapture inspect = profiler.inspect(InspectCapture.Mode.MODEL).settlesWithin(Patience.LIMIT);
        SystemCapture system = inspect.system().environment("NEURON_RT_INSPECT_EVENT_FILTER_TYPE", "nc_exec_running");
        execute(3, inspect.environment());

        // when
        Profile device = inspect.collect();
        TableRows names = system.tables().query("select distinct name from SystemProfileEvents");

        // then
        assertThat(device.number("total_time")).hasValue(0.002);
        assertThat(names.rows()).containsExactly(List.of("nc_exec_running"));
    }

    @Test
    void isRefusedWhenRuntimeBufferWasTooSmall() {
        // given
        SystemCapture capture = profiler()
                .system()
                .environment("NEURON_RT_INSPECT_SYS_TRACE_MAX_EVENTS_PER_NC", "20")
                .settlesWithin(Patience.LIMIT);
        execute(50, capture.environment());

        // then
        assertThatIllegalStateException()
                .isThrownBy(capture::tables)
                .withMessageContaining("has 20 events, and the runtime keeps the last 20 of a core");
    }
}
