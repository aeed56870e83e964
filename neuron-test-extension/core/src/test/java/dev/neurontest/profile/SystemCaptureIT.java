package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.neurontest.internal.profile.table.TableFixture;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemCaptureIT {

    /** Ten executions on a logical core of two physical ones, and a thread that waits for each. */
    private static final String TEN_EXECUTIONS = """
            select 1000 + range * 1000 as start_ts, 100 as duration_ns, 'nc_exec_running' as name,
                'i-1' as instance_id, 7 as process_id, 7 as thread_id, 0 as nc_idx, 0 as pcore_idx from range(10)
            union all select 1000 + range * 1000, 30, 'nc_exec_running', 'i-1', 7, 7, 0, 1 from range(10)
            union all select 900 + range * 1000, 200, 'nrt_execute', 'i-1', 7, 8, 0, null from range(10)
            """;

    /** A script that writes the tables to the place in the arguments. */
    private static final String VIEW = """
            store= name= file=
            while [ $# -gt 0 ]; do
                case "$1" in
                --data-path) store=$2 ;;
                --display-name) name=$2 ;;
                --output-file) file=$2 ;;
                esac
                shift
            done
            if [ -n "$store" ]; then file="$store/profiles/global/$name@latest"; fi
            %s
            mkdir -p "$file" && cp "%s/"*.parquet "$file"
            exit 0
            """;

    @TempDir
    Path root;

    private ToolFixture tool;
    private SystemCapture system;
    private Path written;

    @BeforeEach
    void tool() throws IOException {
        tool = new ToolFixture(root);
        TableFixture.write(Files.createDirectories(root.resolve("tables")), "SystemProfileEvents", TEN_EXECUTIONS);
        views("");
        system = tool.profiler().system().settlesWithin(Patience.LIMIT);
        written = Path.of(system.environment().get("NEURON_RT_INSPECT_OUTPUT_DIR"));
    }

    private void views(String before) {
        tool.beforeView(VIEW.formatted(before, root.resolve("tables")));
    }

    private void trace() throws IOException {
        Path process = Files.createDirectories(written.resolve("i-0123456789abcdef0_pid_4711"));
        Files.write(process.resolve("ntrace.pb"), new byte[] {1});
    }

    @Test
    void environmentRequestsSystemTraceOnly() {
        // then
        assertThat(system.environment())
                .isEqualTo(Map.of(
                        "NEURON_RT_INSPECT_ENABLE", "1",
                        "NEURON_RT_INSPECT_DEVICE_PROFILE", "0",
                        "NEURON_RT_INSPECT_SYSTEM_PROFILE", "1",
                        "NEURON_RT_INSPECT_OUTPUT_DIR", written.toString()));
    }

    @Test
    void environmentPassesEventFilter() {
        // when
        system.environment("NEURON_RT_INSPECT_EVENT_FILTER_TYPE", "hardware,^cc_exec");

        // then
        assertThat(system.environment()).containsEntry("NEURON_RT_INSPECT_EVENT_FILTER_TYPE", "hardware,^cc_exec");
    }

    @Test
    void systemAndDeviceAreTracedInOneRun() {
        // given
        InspectCapture inspect = tool.profiler().inspect(InspectCapture.Mode.SESSION);

        // when
        inspect.system().environment("NEURON_RT_INSPECT_EVENT_FILTER_NC", "1");

        // then
        assertThat(inspect.environment())
                .containsEntry("NEURON_RT_INSPECT_DEVICE_PROFILE", "session")
                .containsEntry("NEURON_RT_INSPECT_SYSTEM_PROFILE", "1")
                .containsEntry("NEURON_RT_INSPECT_EVENT_FILTER_NC", "1");
        assertThat(inspect.system()).isSameAs(inspect.system());
    }

    @Test
    void readsTablesOfTool() throws IOException {
        // given
        trace();

        // when
        ProfileTables tables = system.tables();

        // then
        assertThat(tables.names()).containsExactly("SystemProfileEvents");
        assertThat(tables.query("select count(*) from SystemProfileEvents where name = 'nrt_execute'")
                        .number(0, 0))
                .hasValue(10);
        assertThat(tool.arguments("view"))
                .startsWith("view", "-d", written.toString())
                .contains("--ingest-only", "--data-path", "--display-name", "--ignore-device-profile");
    }

    @Test
    void triesOtherFormOfViewAfterRefusal() throws IOException {
        // given
        trace();
        views("if [ -n \"$store\" ]; then echo 'FATA[0000] no'; exit 1; fi");

        // then
        assertThat(system.tables().names()).containsExactly("SystemProfileEvents");
        assertThat(tool.calls()).containsExactly("view", "view");
    }

    @Test
    void reportsTablesThatCannotBeMade() throws IOException {
        // given
        trace();
        views("echo 'FATA[0000] parquet is gone'; exit 1");

        // then
        assertThatIllegalStateException()
                .isThrownBy(system::tables)
                .withMessageContainingAll("system@latest was not made", "tables was not made", "parquet is gone");
    }

    @Test
    void refusesTraceWhenToolReportsLostEvents() throws IOException {
        // given
        trace();
        views("echo 'Warning: 12 trace events were dropped' >&2");

        // then
        assertThatIllegalStateException()
                .isThrownBy(system::tables)
                .withMessageStartingWith("Events were dropped: \"Warning: 12 trace events were dropped\". Trace less");
    }

    @Test
    void refusesTraceWhenWarningTableReportsLostEvents() throws IOException {
        // given
        trace();
        TableFixture.write(
                root.resolve("tables"),
                "Warning",
                "select 'x' as category, '7 events were lost' as message union all select 'y', 'a new key'");

        // then
        assertThatIllegalStateException()
                .isThrownBy(system::tables)
                .withMessageStartingWith("Events were dropped: \"7 events were lost\". ");
    }

    @Test
    void refusesTraceOfCoreWithFullBuffer() throws IOException {
        // given
        trace();

        // then
        assertThatIllegalStateException()
                .isThrownBy(system.environment("NEURON_RT_INSPECT_SYS_TRACE_MAX_EVENTS_PER_NC", "30")::tables)
                .withMessageContaining(
                        "core 0 of process 7 has 30 events, and the runtime keeps the last 30 of a core");
    }

    @Test
    void refusesRunWithoutTrace() {
        // then
        assertThatIllegalStateException()
                .isThrownBy(system.settlesWithin(Duration.ofMillis(200))::tables)
                .withMessageStartingWith("There is no ntrace.pb in " + written);
        assertThat(tool.calls()).isEmpty();
    }
}
