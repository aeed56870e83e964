package dev.neurontest.fake.profiler;

import static dev.neurontest.fake.profiler.TablesFixture.from;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.profiler.ToolFixture.Result;
import dev.neurontest.fake.profiler.ntff.SystemTrace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code capture -t systrace} and what {@code view} makes of it, on logical cores of two. */
class SystemTraceIT {

    private static final String PROCESS =
            "i-0123456789abcdef0_pid_" + ProcessHandle.current().pid();

    private static FakeNeuronHost host;

    @TempDir
    private Path folder;

    private ToolFixture tools;

    @BeforeAll
    static void startHost() {
        host = FakeNeuronHost.builder().instance("trn2.3xlarge").start();
    }

    @AfterAll
    static void stop() {
        host.close();
    }

    @BeforeEach
    void start() throws IOException {
        tools = new ToolFixture(host, folder);
        FakeNeff.builder().time(Duration.ofMillis(17)).write(folder.resolve("m.neff"));
        tools.environment("NEURON_RT_VISIBLE_CORES", "0");
    }

    private List<SystemTrace.Event> capture(String... filters) throws IOException {
        String[] all = new String[10 + filters.length];
        System.arraycopy(
                new String[] {
                    "capture",
                    "-t",
                    "systrace",
                    "-n",
                    "m.neff",
                    "-s",
                    "out/p.ntff",
                    "--num-exec",
                    "3",
                    "--ignore-exec-errors"
                },
                0,
                all,
                0,
                10);
        System.arraycopy(filters, 0, all, 10, filters.length);
        Result result = tools.explorer(all);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return SystemTrace.read(folder.resolve("out").resolve(PROCESS).resolve("ntrace.pb"))
                .events();
    }

    @Test
    void hasTheExecutionsOnTheHostAndOnEachPhysicalCore() throws Exception {
        List<SystemTrace.Event> events = capture();

        assertThat(events)
                .filteredOn(event -> event.name().equals("nrt_execute"))
                .hasSize(3);
        assertThat(events)
                .filteredOn(event -> event.name().equals("nc_exec_running"))
                .hasSize(6)
                .allMatch(SystemTrace.Event::isHardware)
                .extracting(SystemTrace.Event::physical)
                .containsExactly(4L, 5L, 4L, 5L, 4L, 5L);
        assertThat(folder.resolve("out/p.ntff")).as("a trace of the device").doesNotExist();
    }

    @Test
    void hasWhatFiltersLetThrough() throws Exception {
        assertThat(capture("--systrace-event-filter", "nrt_load", "--systrace-event-filter=hardware"))
                .extracting(SystemTrace.Event::name)
                .containsOnly("nrt_load", "nc_exec_running");
        assertThat(capture("--systrace-event-filter", "^hardware"))
                .extracting(SystemTrace.Event::name)
                .contains("nrt_load")
                .doesNotContain("nc_exec_running");
    }

    @Test
    void becomesTables() throws Exception {
        capture();

        Result view =
                tools.explorer("view", "-d", "out", "--ingest-only", "--data-path", "store", "--display-name", "s");

        assertThat(view.exitCode()).as(view.err()).isZero();
        Path tables = folder.resolve("store/profiles/global/s@latest");
        assertThat(TablesFixture.names(tables)).containsExactly("SystemProfileEvents", "SystemProfileMetadata");
        try (TablesFixture reader = new TablesFixture()) {
            assertThat(reader.value("SELECT count(*) FROM " + from(tables, "SystemProfileEvents")
                            + " WHERE nc_idx = 0 AND pcore_idx = 5"))
                    .isEqualTo(3L);
        }
    }

    @Test
    void saysThatEventsWereDropped() throws Exception {
        host.profiler().script("dropped", 12);
        capture();
        host.profiler().reset();

        assertThat(tools.explorer("view", "-d", "out", "--ingest-only", "--data-path", "store", "--display-name", "s")
                        .err())
                .contains("12 trace events were dropped");
    }
}
