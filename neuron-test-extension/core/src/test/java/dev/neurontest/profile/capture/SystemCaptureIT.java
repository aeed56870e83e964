package dev.neurontest.profile.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.neurontest.patience.Patience;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.system.EventTimes;
import dev.neurontest.profile.system.SystemFixture;
import dev.neurontest.profile.system.SystemProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemCaptureIT {

    /** Puts the tables where the arguments say, and JSON where they ask for it. */
    private static final String VIEW = """
            store= name= file= format=
            while [ $# -gt 0 ]; do
                case "$1" in
                --data-path) store=$2 ;;
                --display-name) name=$2 ;;
                --output-file) file=$2 ;;
                --output-format) format=$2 ;;
                esac
                shift
            done
            if [ -n "$store" ]; then file="$store/profiles/global/$name@latest"; fi
            %s
            if [ "$format" = json ]; then
                echo '{"trace_events": [{"name": "nrt_load", "timestamp": 5, "duration": 7}]}' > "$file"
            else
                mkdir -p "$file" && cp "%s/"*.parquet "$file"
            fi
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
        SystemFixture.tenExecutions(Files.createDirectories(root.resolve("tables")));
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

    private static List<Doubt.Kind> doubts(SystemProfile profile) {
        return profile.doubts().stream().map(Doubt::kind).toList();
    }

    @Test
    void tellsTheWorkloadToTraceTheSystemAndNoDevice() {
        // then
        assertThat(system.environment())
                .isEqualTo(Map.of(
                        "NEURON_RT_INSPECT_ENABLE", "1",
                        "NEURON_RT_INSPECT_DEVICE_PROFILE", "0",
                        "NEURON_RT_INSPECT_SYSTEM_PROFILE", "1",
                        "NEURON_RT_INSPECT_OUTPUT_DIR", written.toString()));
    }

    @Test
    void tellsTheWorkloadWhatIsTraced() {
        // when
        system.cores(0, 2).eventTypes("hardware", "^cc_exec").mostEvents(5000).hostUse();

        // then
        assertThat(system.environment())
                .containsEntry("NEURON_RT_INSPECT_EVENT_FILTER_NC", "0,2")
                .containsEntry("NEURON_RT_INSPECT_EVENT_FILTER_TYPE", "hardware,^cc_exec")
                .containsEntry("NEURON_RT_INSPECT_SYS_TRACE_MAX_EVENTS_PER_NC", "5000")
                .containsEntry("NEURON_RT_INSPECT_CPU_UTIL", "1")
                .containsEntry("NEURON_RT_INSPECT_HOST_MEMORY", "1");
    }

    @Test
    void refusesWhatTheRuntimeWouldTakeForSomethingElse() {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> system.eventTypes("nrt_execute,hardware"))
                .withMessageContaining("are no types of events");
        assertThatIllegalArgumentException().isThrownBy(system::eventTypes);
        assertThatIllegalArgumentException().isThrownBy(() -> system.cores(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> system.mostEvents(0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tool.profiler().capture(tool.neff("a.neff")).systrace("--neff"));
    }

    @Test
    void isTracedBesideTheDeviceInOneRun() {
        // given
        InspectCapture inspect = tool.profiler().inspect(InspectCapture.Mode.SESSION);

        // when
        inspect.system().cores(1);

        // then
        assertThat(inspect.environment())
                .containsEntry("NEURON_RT_INSPECT_DEVICE_PROFILE", "session")
                .containsEntry("NEURON_RT_INSPECT_SYSTEM_PROFILE", "1")
                .containsEntry("NEURON_RT_INSPECT_EVENT_FILTER_NC", "1");
        assertThat(inspect.system()).isSameAs(inspect.system());
    }

    @Test
    void readsTheTablesThatTheToolMakes() throws IOException {
        // given
        trace();

        // when
        SystemProfile profile = system.collect();

        // then
        assertThat(profile.doubts()).isEmpty();
        assertThat(profile.notices()).isEmpty();
        assertThat(profile.event("nrt_execute")).map(EventTimes::count).contains(10L);
        assertThat(profile.tables().names()).containsExactly("SystemProfileEvents");
        assertThat(tool.arguments("view"))
                .startsWith("view", "-d", written.toString())
                .contains("--ingest-only", "--data-path", "--display-name", "--ignore-device-profile");
    }

    @Test
    void triesTheOtherFormWhereTheToolRefusesOne() throws IOException {
        // given
        trace();
        views("if [ -n \"$store\" ]; then echo 'FATA[0000] no'; exit 1; fi");

        // when
        SystemProfile profile = system.collect();

        // then
        assertThat(profile.doubts()).isEmpty();
        assertThat(profile.event("nrt_execute")).isPresent();
        assertThat(profile.notices()).singleElement().asString().contains("was not made", "FATA[0000] no");
        assertThat(tool.calls()).containsExactly("view", "view");
    }

    @Test
    void readsJsonWhereThereAreNoTables() throws IOException {
        // given
        trace();
        views("if [ \"$format\" != json ]; then exit 1; fi");

        // when
        SystemProfile profile = system.collect();

        // then
        assertThat(profile.doubts()).isEmpty();
        assertThat(profile.event("nrt_load")).map(EventTimes::max).contains(Duration.ofNanos(7));
    }

    @Test
    void readsJsonWhereTheTablesAreBroken() throws IOException {
        // given
        trace();
        Files.write(root.resolve("tables/SystemProfileEvents.parquet"), new byte[] {1, 2, 3});

        // when
        SystemProfile profile = system.collect();

        // then
        assertThat(profile.event("nrt_load")).isPresent();
        assertThat(profile.notices())
                .singleElement()
                .asString()
                .contains("The table SystemProfileEvents", "cannot be read");
    }

    @Test
    void isInDoubtWhereNothingCanBeMade() throws IOException {
        // given
        trace();
        views("echo 'FATA[0000] json is gone'; exit 1");

        // when
        SystemProfile profile = system.collect();

        // then
        assertThat(doubts(profile)).containsExactly(Doubt.Kind.UNREADABLE);
        assertThat(profile.doubts().get(0).reason()).contains("system_profile.json was not made", "json is gone");
        assertThat(profile.runs()).hasSize(3);
    }

    @Test
    void isInDoubtWhereTheToolSaysThatEventsWereDropped() throws IOException {
        // given
        trace();
        views("echo 'Warning: 12 trace events were dropped' >&2");

        // then
        assertThat(system.collect().doubts()).singleElement().satisfies(doubt -> {
            assertThat(doubt.kind()).isEqualTo(Doubt.Kind.DROPPED_NOTIFICATIONS);
            assertThat(doubt.reason())
                    .isEqualTo(
                            "view lost events: \"Warning: 12 trace events were dropped\". Trace less, such as by eventTypes(...), or keep more by mostEvents(...).");
        });
    }

    @Test
    void namesErrorsThatTheToolPrintedAlthoughItEndedWell() throws IOException {
        // given
        trace();
        views("echo 'ERRO[0003] something new' >&2");

        // when
        SystemProfile profile = system.collect();

        // then
        assertThat(profile.doubts()).isEmpty();
        assertThat(profile.notices()).containsExactly("view ended well, but printed \"ERRO[0003] something new\".");
    }

    @Test
    void isInDoubtWhereTheBufferOfACoreWasFull() throws IOException {
        // given
        trace();

        // then
        assertThat(doubts(system.mostEvents(30).collect())).containsExactly(Doubt.Kind.DROPPED_NOTIFICATIONS);
    }

    @Test
    void isInDoubtWhereTheRuntimeWroteNothing() {
        // when
        SystemProfile profile = system.settlesWithin(Duration.ofMillis(200)).collect();

        // then
        assertThat(doubts(profile)).containsExactly(Doubt.Kind.NOT_CAPTURED);
        assertThat(profile.doubts().get(0).reason()).startsWith("There is no ntrace.pb in " + written);
        assertThat(tool.calls()).isEmpty();
    }

    @Test
    void tracesAnExecutionOfANeff() {
        // given
        tool.beforeCapture("mkdir -p i-0_pid_1; echo 1 > i-0_pid_1/ntrace.pb; exit 0");

        // when
        SystemProfile profile =
                tool.profiler().capture(tool.neff("a.neff")).executions(20).systrace("nrt_execute", "nc_exec_running");

        // then
        assertThat(profile.title()).isEqualTo("a.neff");
        assertThat(profile.event("nc_exec_running")).isPresent();
        assertThat(tool.arguments("capture"))
                .containsSubsequence("capture", "-t", "systrace", "-n")
                .containsSubsequence("--num-exec", "20")
                .containsSubsequence(
                        "--systrace-event-filter", "nrt_execute", "--systrace-event-filter", "nc_exec_running");
    }

    @Test
    void isInDoubtWhereTheCaptureLostEvents() {
        // given
        tool.beforeCapture("echo 1 > ntrace.pb; echo 'WARN[0001] 7 trace events were dropped'; exit 0");

        // then
        assertThat(doubts(tool.profiler().capture(tool.neff("a.neff")).systrace()))
                .containsExactly(Doubt.Kind.DROPPED_NOTIFICATIONS);
    }

    @Test
    void isInDoubtWhereTheCaptureFailed() {
        // given
        tool.beforeCapture("echo 'ERRO[0001] nrt_load failed: NRT_RESOURCE (4)'; exit 1");

        // when
        SystemProfile profile = tool.profiler().capture(tool.neff("a.neff")).systrace();

        // then
        assertThat(doubts(profile)).containsExactly(Doubt.Kind.NOT_CAPTURED);
        assertThat(profile.doubts().get(0).reason())
                .startsWith("No ntrace.pb of ")
                .contains("NRT_RESOURCE (4)");
    }

    @Test
    void isAmongWhatTheProfilerMade() throws IOException {
        // given
        trace();
        Profiler profiler = tool.profiler();
        SystemCapture capture = profiler.system().settlesWithin(Duration.ofMillis(200));

        // then
        assertThat(profiler.systemProfiles()).isEmpty();
        SystemProfile made = capture.collect();
        assertThat(profiler.systemProfiles()).containsExactly(made);
    }
}
