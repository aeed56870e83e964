package dev.neurontest.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeAllocation;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.Fault;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases for the movements of counters: sysfs.md sections 2.1, 2.2, 3. */
abstract class CounterCases implements Cases {

    private FakeCore core;

    @BeforeEach
    void chooseCore() {
        host().needs(Ability.SCRIPT);
        core = host().core();
    }

    private String memory(String category) {
        return host().path(core, "stats/memory_usage/device_mem/" + category);
    }

    private String other(String name) {
        return host().path(core, "stats/other_info/" + name);
    }

    private String status(String name) {
        return host().path(core, "stats/status/" + name);
    }

    /** Returns the totals of the status counters of the core. */
    private Map<String, Long> statusTotals() throws IOException {
        host().published();
        Map<String, Long> totals = new TreeMap<>();
        for (String name : host().layout().statusNames()) {
            totals.put(name, host().total(status(name)));
        }
        return totals;
    }

    // ---- arithmetic

    @Test
    void memoryFieldsShowTotalLastChangeAndPeak() throws IOException {
        // given
        String counter = memory("runtime_memory");
        for (String field : new String[] {"/total", "/present", "/peak"}) {
            host().clear(counter + field);
        }
        try (FakeProcess process = host().fake().openProcess(core)) {
            // when, then
            FakeAllocation first = process.allocate(core, "runtime_memory", 4096);
            host().shows("4096/4096/4096", () -> host().fields(counter));
            FakeAllocation second = process.allocate(core, "runtime_memory", 8192);
            host().shows("12288/8192/12288", () -> host().fields(counter));
            process.free(first);
            host().shows("8192/4096/12288", () -> host().fields(counter));
            host().write(counter + "/peak", "1");
            host().comesToShow("8192/4096/0", () -> host().fields(counter));
            process.allocate(core, "runtime_memory", 4096);
            host().shows("12288/4096/12288", () -> host().fields(counter));
            host().write(counter + "/total", "1");
            host().comesToShow("0/4096/12288", () -> host().fields(counter));
            process.free(second);
            host().shows("18446744073709543424/8192/12288", () -> host().fields(counter));
        }
        host().shows("18446744073709539328/4096/12288", () -> host().fields(counter));
        host().clear(counter + "/total");
    }

    @Test
    void memoryIsCountedInWholePages() throws IOException {
        long before = host().total(memory("tensors"));
        long whole = host().total(host().path(core, "stats/memory_usage/device_mem"));
        try (FakeProcess process = host().fake().openProcess(core)) {
            process.allocate(core, "tensors", 1);
            process.allocate(core, "tensors", 4097);
            host().published();

            assertThat(host().total(memory("tensors"))).isEqualTo(before + 3 * 4096);
            assertThat(host().total(host().path(core, "stats/memory_usage/device_mem")))
                    .isEqualTo(whole + 3 * 4096);
        }
    }

    @Test
    void hostMemoryIsCountedPerCoreAndDeviceCategory() throws IOException {
        String ofCore = host().path(core, "stats/memory_usage/host_mem");
        String ofDevice = host().path(core.device(), "stats/memory_usage/host_mem/dma_buffers");
        try (FakeProcess process = host().fake().openProcess(core)) {
            host().published();
            long core = host().total(ofCore);
            long device = host().total(ofDevice);
            process.allocateHost(this.core, "dma_buffers", 4096);
            host().published();

            assertThat(host().total(ofCore)).isEqualTo(core + 4096);
            assertThat(host().total(ofDevice)).isEqualTo(device + 4096);
        }
    }

    @Test
    void categoriesAddUpToTheMemoryOfACore() throws IOException {
        try (FakeProcess process = host().fake().openProcess(core)) {
            process.load(core, 1 << 20);
            process.allocate(core, "tensors", 1 << 16);
            host().published();

            long sum = 0;
            for (String category : host().layout().categories()) {
                sum += host().total(memory(category));
            }
            assertThat(host().total(host().path(core, "stats/memory_usage/device_mem")))
                    .isEqualTo(sum)
                    .isNotZero();
        }
    }

    // ---- the datastore

    @Test
    void memoryShowsAtOnceAndFallsWhenTheProcessEnds() throws IOException {
        long before = host().total(memory("constants"));
        FakeProcess process = host().fake().openProcess(core);
        process.allocate(core, "constants", 1 << 20);
        host().shows(Long.toString(before + (1 << 20)), () -> Long.toString(host().total(memory("constants"))));

        process.close();

        host().shows(Long.toString(before), () -> Long.toString(host().total(memory("constants"))));
        assertThat(host().read(memory("constants") + "/peak").strip()).isEqualTo(Long.toString(before + (1 << 20)));
    }

    @ParameterizedTest(name = "killed: {0}")
    @ValueSource(booleans = {false, true})
    void executionsShowAtOnceOrWhenTheProcessEnds(boolean killed) throws IOException {
        long before = host().total(other("inference_count"));
        boolean live = host().layout().isLive();
        FakeProcess process = host().fake().openProcess(core);
        process.execute(core, 7);
        host().shows(
                        Long.toString(live ? before + 7 : before),
                        () -> Long.toString(host().total(other("inference_count"))));

        if (killed) {
            process.kill();
        } else {
            process.close();
        }

        host().shows(Long.toString(before + 7), () -> Long.toString(host().total(other("inference_count"))));
    }

    @Test
    void everyStatusIncreasesOnlyItsCounter() throws IOException {
        Map<String, Long> expected = statusTotals();
        try (FakeProcess process = host().fake().openProcess(core)) {
            int times = 1;
            for (var status : host().layout().statusCounters().entrySet()) {
                int executed = times++;
                process.execute(core, NrtStatus.of(status.getKey()), executed);
                status.getValue().ifPresent(counter -> expected.merge(counter, (long) executed, Long::sum));
            }
        }

        assertThat(statusTotals()).isEqualTo(expected);
    }

    @Test
    void presentIsLastReleaseOrSumSinceDriver230() throws IOException {
        try (FakeProcess process = host().fake().openProcess(core)) {
            process.execute(core, NrtStatus.NRT_FAILURE, 2);
        }
        try (FakeProcess process = host().fake().openProcess(core)) {
            process.execute(core, NrtStatus.NRT_FAILURE, 3);
        }
        try (FakeProcess process = host().fake().openProcess(core)) {
            process.execute(core);
        }
        host().published();

        String total = host().read(status("failure") + "/total");
        String present = host().read(status("failure") + "/present");
        assertThat(present).isEqualTo(host().layout().isLive() ? total : "3\n");
    }

    @Test
    void executionCountsOperationsAndMicroseconds() throws IOException {
        boolean timed = host().has(other("nc_time_in_use/total"));
        long operations = host().total(other("flop_count"));
        long time = timed ? host().total(other("nc_time_in_use")) : 0;
        try (FakeProcess process = host().fake().openProcess(core)) {
            process.execute(core, 2);
        }
        host().published();

        assertThat(host().total(other("flop_count"))).isEqualTo(operations + 4_000_000);
        if (timed) {
            assertThat(host().total(other("nc_time_in_use"))).isEqualTo(time + 2000);
        }
    }

    @Test
    void failedExecutionIsNoInferenceButLoadIsCounted() throws IOException {
        long inferences = host().total(other("inference_count"));
        long loads = host().total(other("model_load_count"));
        try (FakeProcess process = host().fake().openProcess(core)) {
            process.load(core, 4096);
            process.execute(core, NrtStatus.NRT_TIMEOUT, 4);
        }
        host().published();

        assertThat(host().total(other("inference_count"))).isEqualTo(inferences);
        assertThat(host().total(other("model_load_count"))).isEqualTo(loads + 1);
    }

    @Test
    void runtimeResetsOnlyCoresThatItOpens() throws IOException {
        String name = host().has(other("reset_count/total")) ? "reset_count" : "reset_req_count";
        String neighbour = host().path(core.device().core(0), "stats/other_info/" + name);
        long taken = host().total(other(name));
        long free = host().total(neighbour);

        host().fake().openProcess(core).close();
        host().published();

        assertThat(host().total(other(name))).isEqualTo(taken + 1);
        assertThat(host().total(neighbour)).isEqualTo(free);
    }

    @Test
    void readerCanWaitForChange() throws Exception {
        String counter = status("generic_error") + "/total";
        byte[] seen = host().tree().read(counter);
        assertThat(host().tree().awaitChange(counter, seen, Duration.ZERO)).isFalse();

        Thread later = new Thread(
                () -> core.fault(Fault.statusRises("generic_error", 1)).close());
        later.start();

        assertThat(host().tree().awaitChange(counter, seen, Patience.LIMIT)).isTrue();
        later.join();
    }
}
