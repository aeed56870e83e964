package dev.neurontest.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fake.FakeAllocation;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases for the files that {@code poll} reports: sysfs.md sections 2.1, 2.5 and 3.5. */
abstract class NotificationCases implements Cases {

    private static final String MEMORY = "stats/memory_usage/device_mem/model_shared_scratchpad/";
    private static final String DELAY = "info/notify_delay";

    @BeforeEach
    void canPoll() throws Exception {
        host().needs(Ability.POLL, () -> {
            try (Access.Open never = host().access().open(host().path("neuron0", DELAY))) {
                assertThat(never.polls()).isFalse();
            }
        });
    }

    @AfterEach
    void switchOff() throws IOException {
        if (host().can(Ability.SCRIPT)) {
            host().fake().tree().write(host().path("neuron0", DELAY), "-1".getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** Switches notifications on by another device than the polled ones, because the flag belongs to the module. */
    private void switchOn() throws IOException {
        host().needs(Ability.SCRIPT);
        host().write(host().path("neuron0", DELAY), "0\n");
    }

    /** Opens and reads a file, to make it wait for the next change. */
    private Access.Open poller(Object deviceOrCore, String file) throws IOException {
        Access.Open open = host().access().open(host().path(deviceOrCore, file));
        open.read();
        return open;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"core_count", "reset", "info/architecture/arch_type", "neuron_core0/stats/status/success/total"})
    void fileIsReportedUntilFirstRead(String file) throws IOException {
        host().needs(Ability.CLOSED_FILES);
        try (Access.Open open = host().access().open(host().path("neuron0", file))) {
            assertThat(open.polls()).isTrue();
            assertThat(open.polls()).isTrue();

            open.read();

            assertThat(open.polls()).isFalse();
        }
    }

    @Test
    void allocationNotifiesPeakButFreeDoesNot() throws IOException {
        switchOn();
        FakeCore core = host().core();
        host().write(host().path(core, MEMORY + "peak"), "0");
        try (FakeProcess process = host().fake().openProcess(core);
                Access.Open total = poller(core, MEMORY + "total");
                Access.Open present = poller(core, MEMORY + "present");
                Access.Open peak = poller(core, MEMORY + "peak");
                Access.Open other = poller(core.device().core(0), MEMORY + "total")) {
            FakeAllocation allocation = process.allocate(core, "model_shared_scratchpad", 4096);

            assertThat(total.polls()).isTrue();
            assertThat(present.polls()).isTrue();
            assertThat(peak.polls()).isTrue();
            assertThat(total.read()).isEqualTo(peak.read()).isEqualTo(present.read());
            process.free(allocation);
            assertThat(total.polls()).isTrue();
            assertThat(present.polls()).isTrue();
            assertThat(peak.polls()).isFalse();
            assertThat(other.polls()).isFalse();
        }
    }

    @Test
    void waitingPollerIsWokenByChange() throws Exception {
        switchOn();
        FakeCore core = host().core();
        try (FakeProcess process = host().fake().openProcess(core);
                Access.Open total = poller(core, MEMORY + "total")) {
            CountDownLatch waits = new CountDownLatch(1);
            FutureTask<Boolean> woken = new FutureTask<>(() -> {
                waits.countDown();
                return total.polls(Patience.LIMIT.multipliedBy(2));
            });
            Thread poller = new Thread(woken, "poller");
            poller.start();
            waits.await();

            process.allocate(core, "model_shared_scratchpad", 4096);

            assertThat(woken.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void eventsMergeUntilFileIsRead() throws IOException {
        switchOn();
        String present = host().path(host().core(), MEMORY + "present");
        try (Access.Open open = poller(host().core(), MEMORY + "present")) {
            host().write(present, "1");
            host().write(present, "1");
            assertThat(open.polls()).isTrue();
            assertThat(open.polls()).isTrue();

            assertThat(open.read()).isEqualTo("0\n");

            assertThat(open.polls()).isFalse();
            host().write(present, "1");
            assertThat(open.polls()).isTrue();
        }
    }

    @Test
    void writeNotifiesOnlyWrittenFile() throws IOException {
        switchOn();
        FakeCore core = host().core();
        try (Access.Open total = poller(core, MEMORY + "total");
                Access.Open peak = poller(core, MEMORY + "peak")) {
            host().write(host().path(core, MEMORY + "peak"), "1");

            assertThat(peak.polls()).isTrue();
            assertThat(total.polls()).isFalse();
        }
    }

    @Test
    void ignoredWriteNotifiesFile() throws IOException {
        switchOn();
        try (Access.Open open = poller(host().device(), "info/architecture/device_name")) {
            host().write(host().path(host().device(), "info/architecture/device_name"), "another");

            assertThat(open.polls()).isTrue();
        }
    }

    @Test
    void nothingIsNotifiedWhileNotificationsAreOff() throws IOException {
        host().needs(Ability.SCRIPT);
        FakeCore core = host().core();
        try (FakeProcess process = host().fake().openProcess(core);
                Access.Open present = poller(core, MEMORY + "present")) {
            process.allocate(core, "model_shared_scratchpad", 4096);
            host().write(host().path(core, MEMORY + "present"), "1");

            assertThat(present.polls()).isFalse();
            switchOn();
            assertThat(present.polls()).isFalse();
        }
    }

    @Test
    void switchingOnNotifiesWrittenFileAndSwitchingOffNothing() throws IOException {
        try (Access.Open written = poller("neuron0", DELAY);
                Access.Open other = poller("neuron0", "info/architecture/arch_type")) {
            switchOn();
            assertThat(written.polls()).isTrue();
            assertThat(other.polls()).isFalse();
            assertThat(written.read()).isEqualTo("0\n");

            host().write(host().path("neuron0", DELAY), "-1");

            assertThat(written.polls()).isFalse();
        }
    }

    @Test
    void executionsNotifyAtProcessEndUntilDriver230() throws IOException {
        switchOn();
        FakeCore core = host().core();
        try (Access.Open total = poller(core, "stats/other_info/inference_count/total");
                Access.Open present = poller(core, "stats/other_info/inference_count/present")) {
            try (FakeProcess process = host().fake().openProcess(core)) {
                process.execute(core, 3);
                assertThat(total.polls()).isFalse();
            }

            assertThat(total.polls()).isEqualTo(!host().layout().isLive());
            assertThat(present.polls()).isEqualTo(!host().layout().isLive());
        }
    }

    @Test
    void hardwareErrorNotifiesEvenWhenNotificationsAreOff() throws IOException {
        host().needs(Ability.SCRIPT);
        String event = "stats/hardware/health_status/hw_error_event";
        if (!host().has(host().path(host().device(), event))) {
            return;
        }
        try (Access.Open open = poller(host().device(), event);
                Access.Open register = poller(host().device(), "stats/hardware/mem_ecc_uncorrected")) {
            host().device().ecc("mem_uncorrected", 1);

            assertThat(open.polls()).isTrue();
            assertThat(register.polls()).isFalse();
        }
    }

    @Test
    void removedDeviceWakesItsPollersPermanently() throws IOException {
        host().needs(Ability.SCRIPT);
        try (Access.Open open = poller(host().device(), "core_count")) {
            host().device().remove();
            host().published();
            try {
                assertThat(open.polls()).isTrue();
                assertThatThrownBy(open::read).isInstanceOf(IOException.class).hasMessageContaining("No such device");
            } finally {
                host().device().restore();
                host().published();
            }
            assertThat(open.polls()).isTrue();
            assertThatThrownBy(open::read).isInstanceOf(IOException.class).hasMessageContaining("No such device");
        }
    }
}
