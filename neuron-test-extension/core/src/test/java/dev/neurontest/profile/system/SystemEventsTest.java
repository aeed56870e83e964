package dev.neurontest.profile.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.neurontest.profile.table.ProfileTables;
import dev.neurontest.profile.table.TableFixture;
import dev.neurontest.profile.table.TablesException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemEventsTest {

    @TempDir
    Path folder;

    private static Duration nanos(long time) {
        return Duration.ofNanos(time);
    }

    @Test
    void saysWhatEventsOfANameTook() {
        // given
        TableFixture.write(folder, "SystemProfileEvents", SystemFixture.TEN_EXECUTIONS);

        // when
        SystemEvents read = SystemFixture.read(folder);

        // then
        assertThat(read.times())
                .containsExactly(
                        new EventTimes("nrt_execute", false, 10, nanos(2000), nanos(200), nanos(200), nanos(200)),
                        new EventTimes("nc_exec_running", true, 10, nanos(1800), nanos(100), nanos(900), nanos(900)));
    }

    @Test
    void countsAnExecutionOnceThoughEachPhysicalCoreHasARow() {
        // given
        TableFixture.write(
                folder,
                "SystemProfileEvents",
                "select 'nc_exec_running' as name, 10 as start_ts, 5 as duration_ns, unnest([null, null, 3, 4]) as nc_idx, unnest([1, 2, 1, 2]) as pcore_idx");

        // then
        assertThat(SystemFixture.read(folder).times())
                .extracting(EventTimes::count)
                .as("cores without a number of the logical one are cores of their own")
                .containsExactly(4L);
    }

    @Test
    void putsCoresAndThreadsIntoOneTime() {
        // given
        TableFixture.write(folder, "SystemProfileEvents", SystemFixture.TEN_EXECUTIONS);

        // when
        Timeline timeline = SystemFixture.read(folder).timeline();

        // then
        assertThat(timeline.start()).isEqualTo(900);
        assertThat(timeline.end()).isEqualTo(10_900);
        assertThat(timeline.lanes())
                .extracting(Timeline.Lane::name)
                .containsExactly("nc0 core 0", "nc0 core 1", "process 7 thread 8");
        assertThat(timeline.lanes().get(0).bars())
                .hasSize(10)
                .contains(new Timeline.Bar("nc_exec_running", 1, 1000, 1100));
    }

    @Test
    void drawsABoundedNumberOfBars() {
        // given
        TableFixture.write(
                folder,
                "SystemProfileEvents",
                "select 'nrt_tensor_write' as name, range as start_ts, 1 as duration_ns, range % 50 as thread_id from range(300000)");

        // when
        Timeline timeline = SystemFixture.read(folder).timeline();

        // then
        assertThat(timeline.lanes()).hasSize(Timeline.MOST_LANES);
        assertThat(timeline.more()).isEqualTo(10);
        assertThat(timeline.lanes()).allSatisfy(lane -> {
            assertThat(lane.bars()).hasSizeBetween(100, Timeline.PIECES);
            assertThat(lane.bars().stream().mapToLong(Timeline.Bar::events).sum())
                    .isEqualTo(6_000);
        });
    }

    @Test
    void saysThatTheBufferOfACoreWasFull() {
        // given
        TableFixture.write(folder, "SystemProfileEvents", SystemFixture.TEN_EXECUTIONS);

        // when
        SystemEvents read = SystemEvents.of(ProfileTables.of(folder), 30);

        // then
        assertThat(read.dropped())
                .containsExactly(
                        "nc0 of process 7 has 30 events, and the runtime keeps the last 30 of a core: older ones may be lost. Trace less, such as by eventTypes(...), or keep more by mostEvents(...).");
        assertThat(SystemFixture.read(folder).dropped()).isEmpty();
    }

    @Test
    void tellsLossesFromOtherWarnings() {
        // given
        TableFixture.write(folder, "SystemProfileEvents", SystemFixture.TEN_EXECUTIONS);
        TableFixture.write(
                folder,
                "Warning",
                "select 'Missing Data' as category, unnest(['12 trace events were dropped', 'Missing HLO stats']) as message");

        // when
        SystemEvents read = SystemFixture.read(folder);

        // then
        assertThat(read.dropped()).containsExactly("The tool warns of Missing Data: \"12 trace events were dropped\".");
        assertThat(read.warnings()).containsExactly("The tool warns of Missing Data: \"Missing HLO stats\".");
    }

    @Test
    void saysHowBusyTheHostWas() {
        // given
        TableFixture.write(folder, "CpuUsage", "select unnest([0.25, 0.75]) as util_percent");
        TableFixture.write(folder, "HostMemUsage", "select unnest([1024, 4096]) as used_bytes");

        // when
        HostUse use = SystemFixture.read(folder).use();

        // then
        assertThat(use.cpuMean()).hasValue(0.5);
        assertThat(use.cpuMost()).hasValue(0.75);
        assertThat(use.mostMemory()).hasValue(4096);
    }

    @Test
    void hasNothingOfWhatIsNotThere() {
        // given
        TableFixture.write(folder, "SystemProfileMetadata", "select '1' as first_ts");

        // then
        assertThat(SystemFixture.read(folder)).isEqualTo(SystemEvents.NONE);
    }

    @Test
    void namesAColumnThatIsNotThere() {
        // given
        TableFixture.write(folder, "SystemProfileEvents", "select 'a' as name, 1 as start_ts");

        // then
        assertThatExceptionOfType(TablesException.class)
                .isThrownBy(() -> SystemFixture.read(folder))
                .withMessageContaining("\"duration_ns\" not found");
    }

    private SystemEvents json(String events) throws IOException {
        Path json = folder.resolve("system_profile.json");
        Files.writeString(json, events);
        return SystemEvents.of(json, 3);
    }

    @Test
    void readsTheJsonOfOlderTools() throws IOException {
        // when
        SystemEvents read = json("""
                {"trace_events": [
                    {"duration": 27094, "group": "nrt-nc-000", "id": 1, "lnc_idx": "0", "name": "nrt_tensor_write",
                     "process_id": "77", "thread_id": 78, "timestamp": 1729888371056597613, "type": 11},
                    {"duration": 100, "lnc_idx": "0", "name": "nc_exec_running", "timestamp": 1729888371056600000, "process_id": "77"}],
                 "mem_usage": [{"percent_usage": 9.7, "usage": 51805806592}], "cpu_util": [{"cpu_id": "47", "util": 2.5}, {"util": 7.5}]}
                """);

        // then
        assertThat(read.times())
                .containsExactly(
                        new EventTimes(
                                "nrt_tensor_write", false, 1, nanos(27094), nanos(27094), nanos(27094), nanos(27094)),
                        new EventTimes("nc_exec_running", true, 1, nanos(100), nanos(100), nanos(100), nanos(100)));
        assertThat(read.timeline().start()).isEqualTo(1729888371056597613L);
        assertThat(read.timeline().lanes())
                .extracting(Timeline.Lane::name)
                .containsExactly("nc0", "process 77 thread 78");
        assertThat(read.use().cpuMean()).hasValue(5);
        assertThat(read.use().mostMemory()).hasValue(51805806592L);
        assertThat(read.dropped()).isEmpty();
    }

    @Test
    void findsTheSamePercentilesInBothForms() throws IOException {
        // given
        StringBuilder events = new StringBuilder();
        for (int i = 1; i <= 250; i++) {
            events.append(i == 1 ? "" : ",")
                    .append("{\"name\":\"e\",\"timestamp\":0,\"duration\":%s}".formatted(i * i));
        }
        TableFixture.write(
                folder,
                "SystemProfileEvents",
                "select 'e' as name, 0 as start_ts, range * range as duration_ns from range(1, 251)");

        // then
        assertThat(json("{\"trace_events\": [%s]}".formatted(events)).times())
                .isEqualTo(SystemFixture.read(folder).times())
                .first()
                .returns(nanos(248 * 248), EventTimes::p99)
                .returns(nanos(125 * 125), EventTimes::p50);
    }

    @Test
    void saysThatTheBufferWasFullInTheJsonToo() throws IOException {
        // given
        String event = "{\"name\":\"e\",\"timestamp\":0,\"duration\":1,\"lnc_idx\":\"5\"}";

        // then
        assertThat(json("{\"trace_events\": [%s]}".formatted(String.join(",", List.of(event, event, event))))
                        .dropped())
                .singleElement()
                .asString()
                .startsWith("nc5 of process ? has 3 events");
    }

    @Test
    void refusesAJsonThatIsCutOrOfSomethingElse() {
        // then
        assertThatIOException()
                .isThrownBy(() -> json("{\"trace_events\": [{\"name\":\"e\",\"timestamp\":0,"))
                .withMessageContaining("cannot be read to its end");
        assertThatIOException()
                .isThrownBy(() -> json("{\"instruction\": []}"))
                .withMessageContaining("has no trace_events");
        assertThatIOException()
                .isThrownBy(() -> json("{\"trace_events\": [{\"name\":\"e\",\"timestamp\":0}]}"))
                .withMessageContaining("without name, timestamp or duration");
    }
}
