package dev.neurontest.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeDevice;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases for the effect of a write: sysfs.md section 2.3. */
abstract class WriteCases implements Cases {

    @BeforeEach
    void mayWrite() {
        host().needs(Ability.WRITE);
    }

    // ---- counters

    @ParameterizedTest(name = "\"{0}\"")
    @ValueSource(strings = {"1\n", "00", "17", "text"})
    void clearsOneFieldForAnyText(String text) throws IOException {
        // given
        host().needs(Ability.SCRIPT);
        FakeCore core = host().core();
        String counter = host().path(core, "stats/memory_usage/device_mem/model_shared_scratchpad");
        try (FakeProcess process = host().fake().openProcess(core)) {
            process.allocate(core, "model_shared_scratchpad", 4096);
            process.allocate(core, "model_shared_scratchpad", 8192);
            host().published();
            String total = host().read(counter + "/total").strip();
            String peak = host().read(counter + "/peak").strip();
            String other = host().fields(host().path(core, "stats/memory_usage/device_mem"));

            // when
            host().write(counter + "/present", text);

            // then
            host().comesToShow(total + "/0/" + peak, () -> host().fields(counter));
            host().write(counter + "/peak", text);
            host().comesToShow(total + "/0/0", () -> host().fields(counter));
            assertThat(host().fields(host().path(core, "stats/memory_usage/device_mem")))
                    .isEqualTo(other);
        }
    }

    @Test
    void clearsTheTotalOfOneCoreOnly() throws IOException {
        host().needs(Ability.SCRIPT);
        FakeCore core = host().core();
        FakeCore neighbour = core.device().core(0);
        String name = "stats/status/exec_bad_input/total";
        try (FakeProcess process = host().fake().openProcess(core, neighbour)) {
            process.execute(core, NrtStatus.NRT_EXEC_BAD_INPUT, 3);
            process.execute(neighbour, NrtStatus.NRT_EXEC_BAD_INPUT, 3);
        }
        host().published();
        String kept = host().read(host().path(neighbour, name));

        host().clear(host().path(core, name));

        assertThat(host().read(host().path(neighbour, name))).isEqualTo(kept).isNotEqualTo("0\n");
    }

    @Test
    void clearsCountsOfRunningProcessSinceDriver230() throws IOException {
        host().needs(Ability.SCRIPT);
        FakeCore core = host().core();
        String counter = host().path(core, "stats/status/invalid_error");
        try (FakeProcess process = host().fake().openProcess(core)) {
            process.execute(core, NrtStatus.NRT_INVALID, 5);
            host().published();

            host().clear(counter + "/total");
        }
        host().shows(host().layout().isLive() ? "0\n" : "5\n", () -> host().read(counter + "/total"));
    }

    @Test
    void cannotClearComputedPresent() throws IOException {
        host().needs(Ability.SCRIPT);
        FakeCore core = host().core();
        String counter = host().path(core, "stats/status/resource_error");
        try (FakeProcess process = host().fake().openProcess(core)) {
            process.execute(core, NrtStatus.NRT_RESOURCE, 5);
        }
        host().published();
        String total = host().read(counter + "/total");

        host().write(counter + "/present", "1");

        host().comesToShow(host().layout().isLive() ? total : "0\n", () -> host().read(counter + "/present"));
        assertThat(host().read(counter + "/total")).isEqualTo(total).isNotEqualTo("0\n");
    }

    @Test
    void clearsFieldWhenLongerThanPage() throws IOException {
        host().needs(Ability.SCRIPT);
        FakeCore core = host().core();
        String present = host().path(core, "stats/memory_usage/device_mem/model_code/present");
        try (FakeProcess process = host().fake().openProcess(core)) {
            process.load(core, 4096);
            host().shows("4096\n", () -> host().read(present));

            host().write(present, "1".repeat(5000));

            host().comesToShow("0\n", () -> host().read(present));
        }
    }

    @Test
    void changesNothingWhenEmpty() throws IOException {
        host().needs(Ability.SCRIPT, Ability.READ_YOUR_WRITE);
        FakeCore core = host().core();
        String present = host().path(core, "stats/memory_usage/device_mem/model_code/present");
        try (FakeProcess process = host().fake().openProcess(core)) {
            process.load(core, 8192);
            host().published();
            int mark = host().journalMark();

            host().write(present, "");

            host().shows("8192\n", () -> host().read(present));
            assertThat(host().fake().journal()).hasSize(mark);
        }
    }

    // ---- files that only look writable

    @Test
    void isAcceptedAndIgnoredWhenFileCannotBeCleared() throws IOException {
        host().needs(Ability.KNOWN_LAYOUT);
        String first = Facts.DEVICES + "/neuron0/";
        for (Map.Entry<String, Facts.DriverFile> file : host().files().entrySet()) {
            boolean ignoring = file.getValue().write().equals("accepted-ignored");
            // Values that change continuously would hide the result.
            boolean steady = !file.getValue().canonical().contains("/power/")
                    && !file.getValue().canonical().contains("/tensor_engine/");
            if (ignoring
                    && steady
                    && file.getKey().startsWith(first)
                    && !file.getKey().contains("neuron_core1")) {
                String before = host().read(file.getKey());

                host().write(file.getKey(), "nonsense");

                host().comesToShow(before, () -> host().read(file.getKey()));
            }
        }
    }

    @Test
    void isRefusedWithoutWriteBitEvenForRoot() throws Exception {
        String file = host().path("neuron0", "core_count");
        String before = host().read(file);
        host().needs(Ability.REFUSED_WRITES, () -> {
            host().write(file, "9");
            host().comesToShow(before, () -> host().read(file));
        });

        assertThatThrownBy(() -> host().write(file, "9")).isInstanceOf(AccessDeniedException.class);
        assertThat(host().read(file)).isEqualTo(before);
    }

    @Test
    void createsNoMissingFile() {
        String missing = host().path("neuron0", "stats/status/new_error");

        assertThatThrownBy(() -> host().write(missing, "1")).isInstanceOf(IOException.class);
        assertThat(host().tree().exists(missing)).isFalse();
    }

    @Test
    void creationOfFileIsRefused() throws Exception {
        String missing = host().path("neuron0", "info/new_file");
        host().needs(Ability.REFUSED_CREATES, () -> {
            host().access().create(missing);
            assertThat(host().tree().exists(missing)).isTrue();
            Files.delete(Path.of(host().tree().location(missing)));
        });

        assertThatThrownBy(() -> host().access().create(missing)).isInstanceOf(AccessDeniedException.class);
        assertThat(host().tree().exists(missing)).isFalse();
    }

    @Test
    void acceptsOnlyOnePageAtOnce() throws Exception {
        String file = host().path("neuron0", "info/architecture/device_name");
        String before = host().read(file);
        byte[] content = "x".repeat(5000).getBytes(StandardCharsets.US_ASCII);
        host().needs(Ability.PAGE_WRITES, () -> {
            assertThat(host().access().write(file, content)).isEqualTo(5000);
            host().comesToShow(before, () -> host().read(file));
        });

        assertThat(host().access().write(file, content)).isEqualTo(4096);
        assertThat(host().read(file)).isEqualTo(before);
    }

    // ---- notify_delay

    @Test
    void switchesNotificationsOfTheWholeModule() throws IOException {
        host().needs(Ability.SCRIPT);
        String last = host().path(host().device(), "info/notify_delay");
        host().write(last, "0");
        for (FakeDevice device : host().fake().devices()) {
            host().comesToShow("0\n", () -> host().read(host().path(device, "info/notify_delay")));
        }

        host().write(host().path("neuron0", "info/notify_delay"), "-1\n");

        for (FakeDevice device : host().fake().devices()) {
            host().comesToShow("-1\n", () -> host().read(host().path(device, "info/notify_delay")));
        }
    }

    @ParameterizedTest(name = "\"{0}\"")
    @ValueSource(strings = {"1", "-2", "abc", "0x0", " 0", "\n"})
    void isIgnoredForInvalidNotifyDelay(String text) throws IOException {
        String file = host().path("neuron0", "info/notify_delay");
        String before = host().read(file);

        host().write(file, text);

        host().comesToShow(before, () -> host().read(file));
    }
}
