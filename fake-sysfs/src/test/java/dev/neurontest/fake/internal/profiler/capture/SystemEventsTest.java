package dev.neurontest.fake.internal.profiler.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.neff.NeffModel;
import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.profiler.ntff.SystemTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the events of three executions on a logical core of two. */
class SystemEventsTest {

    @TempDir
    private Path folder;

    private List<SystemTrace.Event> events(String... filters) throws IOException {
        SystemEvents events = new SystemEvents(
                Call.withoutHost(),
                4711,
                core -> List.of("neuron0/neuron_core4", "neuron0/neuron_core5"),
                List.of(filters),
                "",
                "");
        events.executed(new Neff("m", new byte[16], 2, folder, 0, NeffModel.UNKNOWN), 0, 3);
        Path file = folder.resolve("ntrace.pb");
        Files.write(file, events.trace("i-1").toBytes());
        return SystemTrace.read(file).events();
    }

    @Test
    void hasExecutionsOnTheHostAndOnEachPhysicalCore() throws IOException {
        List<SystemTrace.Event> events = events();

        assertThat(events)
                .filteredOn(event -> event.name().equals("nrt_execute"))
                .hasSize(3);
        assertThat(events)
                .filteredOn(SystemTrace.Event::isHardware)
                .allMatch(event -> event.name().equals("nc_exec_running"))
                .extracting(SystemTrace.Event::physical)
                .containsExactly(4L, 5L, 4L, 5L, 4L, 5L);
    }

    @Test
    void hasOnlyEventsMatchingTheFilters() throws IOException {
        assertThat(events("nrt_load", "hardware"))
                .extracting(SystemTrace.Event::name)
                .containsOnly("nrt_load", "nc_exec_running");
        assertThat(events("^hardware"))
                .extracting(SystemTrace.Event::name)
                .contains("nrt_load")
                .doesNotContain("nc_exec_running");
    }
}
