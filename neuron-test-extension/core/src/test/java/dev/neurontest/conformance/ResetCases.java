package dev.neurontest.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeDevice;
import dev.neurontest.fake.FakeProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Cases for a write to {@code reset}: sysfs.md section 2.6. */
abstract class ResetCases implements Cases {

    private FakeDevice device;
    private String reset;

    @BeforeEach
    void chooseDevice() throws IOException {
        host().needs(Ability.SCRIPT, Ability.WRITE);
        device = host().device();
        reset = host().path(device, "reset");
        host().shows("1\n", () -> host().read(reset));
    }

    @AfterEach
    void finishWhatIsPending() {
        if (host().can(Ability.SCRIPT)) {
            host().clock().advance(Duration.ofSeconds(1));
        }
    }

    /** Returns the name of the counter. A document has one name where every driver has two. */
    private String requests() {
        return host().has(host().path(device.core(0), "stats/other_info/reset_count/total"))
                ? "reset_count"
                : "reset_req_count";
    }

    private List<Long> onEveryCore(String counter) throws IOException {
        host().published();
        List<Long> totals = new ArrayList<>();
        for (FakeCore core : device.cores()) {
            totals.add(host().total(host().path(core, "stats/other_info/" + counter)));
        }
        return totals;
    }

    private static List<Long> oneMore(List<Long> totals) {
        return totals.stream().map(total -> total + 1).toList();
    }

    private void write() throws IOException {
        int mark = host().journalMark();
        host().write(reset, "1");
        host().isJournalled(mark, device + " reset");
    }

    private void finish() throws IOException {
        host().clock().advance(Duration.ofSeconds(1));
        host().comesToShow("1\n", () -> host().read(reset));
    }

    @Test
    void takesItsTimeAndIsCountedOnEveryCore() throws IOException {
        List<Long> before = onEveryCore(requests());

        write();

        host().comesToShow("0\n", () -> host().read(reset));
        assertThat(onEveryCore(requests())).isEqualTo(oneMore(before));
        finish();
        assertThat(onEveryCore(requests())).isEqualTo(oneMore(before));
    }

    @Test
    void isIgnoredWhileDeviceIsOpen() throws IOException {
        FakeProcess holder = host().fake().openProcess(device.core(0));
        try (holder) {
            List<Long> before = onEveryCore(requests());

            int mark = host().journalMark();
            host().write(reset, "1");
            host().isJournalled(mark, "reset request ignored");

            host().comesToShow("1\n", () -> host().read(reset));
            assertThat(onEveryCore(requests())).isEqualTo(before);
        }
    }

    @Test
    void isIgnoredWhileOneIsPending() throws IOException {
        List<Long> before = onEveryCore(requests());
        write();
        host().comesToShow("0\n", () -> host().read(reset));

        int mark = host().journalMark();
        host().write(reset, "1");
        host().isJournalled(mark, "reset request ignored");

        finish();
        assertThat(onEveryCore(requests())).isEqualTo(oneMore(before));
    }

    @Test
    void failureIsShownUntilNextReset() throws IOException {
        boolean counted = !requests().equals("reset_count");
        List<Long> before = counted ? onEveryCore("reset_fail_count") : List.of();
        device.failNextReset();
        write();
        host().comesToShow("0\n", () -> host().read(reset));

        host().clock().advance(Duration.ofSeconds(1));

        host().comesToShow("2\n", () -> host().read(reset));
        if (counted) {
            assertThat(onEveryCore("reset_fail_count")).isEqualTo(oneMore(before));
        }
        write();
        finish();
    }

    @Test
    void clearsNoCounter() throws IOException {
        // given
        try (FakeProcess process = host().fake().openProcess(device.core(0))) {
            process.load(device.core(0), 4096);
            process.execute(device.core(0), 3);
        }
        Map<String, String> before = counters();

        // when
        write();
        finish();

        // then
        assertThat(counters()).isEqualTo(before);
    }

    /**
     * Returns every counter except those of resets and of the host memory that older drivers leave allocated at each
     * reset.
     */
    private Map<String, String> counters() throws IOException {
        host().published();
        Map<String, String> contents = new TreeMap<>();
        for (var file : host().files().entrySet()) {
            String path = file.getKey();
            if (file.getValue().isCounter()
                    && path.startsWith(host().path(device, ""))
                    && !path.contains("/reset_")
                    && !path.contains("host_mem")) {
                contents.put(path, host().read(path));
            }
        }
        return contents;
    }
}
