package dev.neurontest.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fake.Errno;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeFault;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.Fault;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases for faults. */
abstract class FaultCases implements Cases {

    private static final String FILE = "stats/status/unsupported_neff_version/total";

    private FakeCore core;
    private String file;

    @BeforeEach
    void chooseCore() {
        host().needs(Ability.SCRIPT);
        core = host().core();
        file = host().path(core, FILE);
    }

    @AfterEach
    void reset() {
        if (host().can(Ability.SCRIPT)) {
            host().fake().resetAll();
            host().published();
        }
    }

    @ParameterizedTest(name = "\"{0}\"")
    @ValueSource(
            strings = {"", "\n", "\0", "busy\n", "abc", "-1\n", "18446744073709551615\n", "99999999999999999999\n"})
    void fileHoldsGarbageUntilFaultEnds(String text) throws IOException {
        String before = host().read(file);
        FakeFault fault = core.fault(text.isEmpty() ? Fault.empty(FILE) : Fault.garbage(FILE, text));
        try (fault) {
            host().shows(text, () -> host().read(file));
        }
        host().shows(before, () -> host().read(file));
    }

    @Test
    void fileIsStuckWhileCounterChanges() throws IOException {
        long before = host().total(host().path(core, "stats/memory_usage/device_mem/tensors"));
        String tensors = "stats/memory_usage/device_mem/tensors/total";
        try (FakeProcess process = host().fake().openProcess(core)) {
            FakeFault fault = core.fault(Fault.stuck(tensors));
            try (fault) {
                process.allocate(core, "tensors", 4096);
                host().shows(before + "\n", () -> host().read(host().path(core, tensors)));
            }
            host().shows((before + 4096) + "\n", () -> host().read(host().path(core, tensors)));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Errno.class,
            names = {"EIO", "EBUSY", "EAGAIN", "ENODEV"})
    void fileFailsWithKernelError(Errno errno) throws Exception {
        String before = host().read(file);
        FakeFault fault = core.fault(Fault.errno(FILE, errno));
        try (fault) {
            host().needs(Ability.ERRORS, () -> host().shows(before, () -> host().read(file)));

            assertThatThrownBy(() -> host().read(file))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(file)
                    .hasMessageContaining(errno.text());
        }
        assertThat(host().read(file)).isEqualTo(before);
    }

    @Test
    void aFileIsDeniedOrMissing() {
        host().needs(Ability.ERRORS);
        FakeFault denied = core.fault(Fault.errno(FILE, Errno.EACCES));
        try (denied) {
            assertFails(AccessDeniedException.class, Errno.EACCES);
        }
        FakeFault missing = core.fault(Fault.errno(FILE, Errno.ENOENT));
        try (missing) {
            assertFails(NoSuchFileException.class, Errno.ENOENT);
        }
    }

    /**
     * Verifies the error. The JDK has its own messages for errors of an open; for a read of an open file it has the
     * system's.
     */
    private void assertFails(Class<? extends IOException> byMethodCall, Errno errno) {
        if (host().can(Ability.FILES)) {
            assertThatThrownBy(() -> host().read(file))
                    .isInstanceOf(FileSystemException.class)
                    .hasMessageContaining(file)
                    .hasMessageContaining(errno.text());
        } else {
            assertThatThrownBy(() -> host().read(file)).isInstanceOf(byMethodCall);
        }
    }

    @Test
    void aFileIsSlow() throws IOException {
        host().needs(Ability.DELAYS);
        FakeFault fault = core.fault(Fault.slow(FILE, Duration.ofMillis(20)));
        try (fault) {
            long start = System.nanoTime();

            host().read(file);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(20));
        }
    }

    @Test
    void faultStartsAfterGivenReads() throws IOException {
        host().needs(Ability.COUNTED_READS);
        String before = host().read(file);
        FakeFault fault = core.fault(Fault.empty(FILE).afterReads(2));
        try (fault) {
            assertThat(host().read(file)).isEqualTo(before);
            assertThat(host().read(file)).isEqualTo(before);
            assertThat(fault.triggered()).isFalse();

            assertThat(host().read(file)).isEmpty();
            assertThat(fault.triggered()).isTrue();
        }
    }

    @Test
    void statusStaysRaisedAfterFaultEnds() throws IOException {
        long before = host().total(host().path(core, "stats/status/hw_error"));
        FakeFault fault = core.fault(Fault.statusRises("hw_error", 2));
        try (fault) {
            host().shows((before + 2) + "\n", () -> host().read(host().path(core, "stats/status/hw_error/total")));
        }
        host().shows((before + 2) + "\n", () -> host().read(host().path(core, "stats/status/hw_error/total")));
    }

    @Test
    void clearedFaultClearsPeakAndKeepsTotal() throws IOException {
        String peak = "stats/memory_usage/device_mem/constants/peak";
        try (FakeProcess process = host().fake().openProcess(core)) {
            process.allocate(core, "constants", 4096);
            host().published();
            String total = host().read(host().path(core, "stats/memory_usage/device_mem/constants/total"));
            FakeFault fault = core.fault(Fault.cleared(peak));
            try (fault) {
                host().shows("0\n", () -> host().read(host().path(core, peak)));
            }
            assertThat(host().read(host().path(core, "stats/memory_usage/device_mem/constants/total")))
                    .isEqualTo(total);
        }
    }

    @Test
    void memoryCounterWrapsBelowZero() throws IOException {
        String total = "stats/memory_usage/device_mem/model_shared_scratchpad/total";
        String before = host().read(host().path(core, total));
        assertThat(before).isEqualTo("0\n");
        FakeFault fault = core.fault(Fault.wrapped(total));
        try (fault) {
            host().shows("18446744073709547520\n", () -> host().read(host().path(core, total)));
        }
        core.fault(Fault.cleared(total)).close();
        host().shows("0\n", () -> host().read(host().path(core, total)));
    }

    @Test
    void eccCounterShowsLow16Bits() throws IOException {
        String register = host().path(core.device(), "stats/hardware/mem_ecc_uncorrected");
        long before = Long.parseLong(host().read(register).strip());

        core.device().ecc("mem_uncorrected", 2);
        host().shows((before + 2) + "\n", () -> host().read(register));
        core.device().ecc("mem_uncorrected", 65536);

        host().shows((before + 2) + "\n", () -> host().read(register));
    }

    @Test
    void powerIsThatOfTheLastFullMinute() throws Exception {
        String file = host().path(core.device(), "stats/power/utilization");
        if (!host().has(file)) {
            return;
        }
        String before = host().read(file);
        host().needs(Ability.POWER, () -> {
            core.device().drawPower(25);
            host().clock().advance(Duration.ofMinutes(2));
            core.device().drawPower(0);
            assertThat(host().read(file)).isEqualTo(before);
        });
        core.device().drawPower(25);
        host().clock().advance(Duration.ofMinutes(2));
        // Values that only the clock moves are published at intervals; a change of the device is visible at once.
        core.device().drawPower(0);

        long minute = host().clock().instant().getEpochSecond() / 60 * 60;
        host().shows("POWER_STATUS_VALID," + minute + ",25.00,25.00,25.00\n", () -> host().read(file));
    }

    @Test
    void clockDrivenFileIsCurrentAtEveryRead() throws Exception {
        String file = host().path(core.device(), "stats/power/utilization_raw");
        if (!host().has(file)) {
            return;
        }
        String before = host().read(file);
        host().clock().advance(Duration.ofSeconds(1));
        host().needs(Ability.POWER, () -> assertThat(host().read(file)).isEqualTo(before));
        host().needs(Ability.CLOCK);

        assertThat(host().read(file)).isNotEqualTo(before);
    }

    @Test
    void openFileShowsCurrentValue() throws Exception {
        String file = host().path(core, "stats/status/resource_nc_error/total");
        try (Access.Open open = host().access().open(file)) {
            String before = open.read();
            core.fault(Fault.statusRises("resource_nc_error", 1)).close();
            host().published();
            host().needs(Ability.KEPT_OPEN, () -> {
                assertThat(open.read()).isEqualTo(before);
                assertThat(host().read(file)).isNotEqualTo(before);
            });

            assertThat(open.read()).isNotEqualTo(before);
        }
    }

    @Test
    void endsWhenAllFaultsAreReset() throws IOException {
        String before = host().read(file);
        core.fault(Fault.garbage(FILE, "?"));
        core.device().fault(Fault.empty("core_count"));

        host().fake().resetAll();
        host().published();

        assertThat(host().read(file)).isEqualTo(before);
        assertThat(host().read(host().path(core.device(), "core_count"))).isNotEmpty();
    }
}
