package dev.neurontest.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.Errno;
import dev.neurontest.fake.FakeAllocation;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeFault;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.Fault;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.counter.HardwareSuspicion;
import dev.neurontest.internal.counter.SettleOptions;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.counter.tree.ScopeFixture;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.platform.InProcessFixture;
import dev.neurontest.metric.ByteSize;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the counters of a host that behaves like the driver. */
class CountersOfFakeHostTest {

    private static final String LIVE = "driver-2.30";
    private static final String DEFERRED = "driver-2.x";

    static Stream<String> layouts() {
        return FakeNeuronHost.layouts().stream();
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void judgeEveryLayout(String layout) {
        try (FakeNeuronHost host = start("trn1.2xlarge", layout)) {
            // given
            Counters counters = counters(host, 1);
            FakeCore core = host.device(0).core(1);

            // when
            CounterDiff diff = counters.during(() -> {
                try (FakeProcess process = host.openProcess(core)) {
                    process.execute(core, 5);
                    process.execute(core, NrtStatus.NRT_QUEUE_FULL, 2);
                }
            });

            // then
            assertThat(diff.unreadable()).isEmpty();
            assertThat(diff.counter("inference_count").delta()).isEqualTo(5);
            assertThat(diff.counter("execute_failed_to_queue").delta()).isEqualTo(2);
            assertThat(diff.counter("infer_failed_to_queue").delta()).isEqualTo(2);
            assertThat(CounterExpectations.DEFAULT.judge(diff).violations())
                    .extracting(Violation::actual)
                    .containsExactly("+2");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"inf2.xlarge", "trn1.32xlarge", "trn2.48xlarge"})
    void readEveryCounterOfAWholeHost(String instance) {
        try (FakeNeuronHost host = start(instance, LIVE)) {
            // when
            CounterDiff diff = counters(host, 0).wholeHost().during(() -> {});

            // then
            assertThat(diff.unreadable()).isEmpty();
            assertThat(diff.moved()).isEmpty();
            assertThat(diff.settled()).isTrue();
        }
    }

    @Test
    void readFilesOfFakeOnDisk() throws IOException {
        try (FakeNeuronHost host = FakeNeuronHost.builder()
                        .instance("trn1.2xlarge")
                        .layout(LIVE)
                        .start();
                FakeProcess process = host.openProcess(host.device(0).core(1))) {
            // given
            NeuronHost found = NeuronHost.discover(FileTree.at(host.directory()));
            FakeCore core = host.device(0).core(1);

            // when
            CounterDiff diff = Counters.over(
                            new CounterScopes(found), found.cores().subList(1, 2), SettleOptions.ON_FILES)
                    .during(() -> {
                        process.execute(core, 100);
                        process.execute(core, NrtStatus.NRT_TIMEOUT, 1);
                        process.allocate(core, "tensors", 4096);
                        host.awaitPublished();
                    });

            // then
            assertThat(diff.settled()).isTrue();
            assertThat(diff.unreadable()).isEmpty();
            assertThat(diff.counter("inference_count").delta()).isEqualTo(100);
            assertThat(diff.counter("device_mem/tensors").delta()).isEqualTo(4096);
            assertThat(CounterExpectations.DEFAULT.judge(diff).violations())
                    .singleElement()
                    .returns("neuron0/neuron_core1 status/timeout", Violation::subject);
        }
    }

    @Test
    void seeWorkAtOnceOnALiveDriver() {
        try (FakeNeuronHost host = start("trn1.2xlarge", LIVE);
                FakeProcess process = host.openProcess(host.device(0).core(1))) {
            // when
            CounterDiff diff = counters(host, 1)
                    .during(() -> process.execute(host.device(0).core(1), 100));

            // then
            assertThat(judge(diff, CounterDeltaExpectation.by("inference_count", 100)))
                    .isEqualTo(Judgement.NOTHING);
        }
    }

    @Test
    void areUndecidedWhileTheOwnerLivesOnADeferredDriver() {
        try (FakeNeuronHost host = start("trn1.2xlarge", DEFERRED);
                FakeProcess process = host.openProcess("python3", host.device(0).core(1))) {
            // when
            CounterDiff diff = counters(host, 1)
                    .during(() -> process.execute(host.device(0).core(1), 100));

            // then
            assertThat(judge(diff, CounterDeltaExpectation.by("inference_count", 100))
                            .undecided())
                    .singleElement()
                    .satisfies(undecided -> assertThat(undecided.reason())
                            .startsWith("Measured so far: 0. This host (driver " + host.driverVersion() + ") counts")
                            .contains("neuron0 is still held by python3 (pid " + process.pid() + ")."));
            assertThat(CounterExpectations.DEFAULT.judge(diff).notices()).hasSize(1);
        }
    }

    @Test
    void areDecidedWhenTheOwnerWasKilled() {
        try (FakeNeuronHost host = start("trn1.2xlarge", DEFERRED)) {
            // when
            CounterDiff diff = counters(host, 1).during(() -> {
                FakeProcess process = host.openProcess(host.device(0).core(1));
                process.execute(host.device(0).core(1), 100);
                process.kill();
            });

            // then
            assertThat(judge(diff, CounterDeltaExpectation.by("inference_count", 100)))
                    .isEqualTo(Judgement.NOTHING);
        }
    }

    @Test
    void findMemoryThatIsNotReturned() {
        try (FakeNeuronHost host = start("trn1.2xlarge", LIVE);
                FakeProcess process = host.openProcess(host.device(0).core(1))) {
            // given
            FakeCore core = host.device(0).core(1);

            // when
            CounterDiff diff = counters(host, 1).during(() -> {
                FakeAllocation given = process.allocate(core, "tensors", 1 << 20);
                process.allocate(core, "constants", 1);
                process.free(given);
            });

            // then
            assertThat(judge(diff, new MemoryReturnedExpectation(new ByteSize(0)))
                            .violations())
                    .singleElement()
                    .satisfies(violation -> {
                        assertThat(violation.actual()).isEqualTo("+4096 (4 KiB)");
                        assertThat(violation.advice()).startsWith("Still allocated: constants +4096 (4 KiB).");
                    });
            assertThat(judge(diff, new PeakMemoryExpectation("device_mem", ByteSize.parse("1 MiB"), false))
                            .violations())
                    .hasSize(1);
            assertThat(judge(diff, new PeakMemoryExpectation("device_mem/tensors", ByteSize.parse("1 MiB"), false)))
                    .isEqualTo(Judgement.NOTHING);
        }
    }

    @Test
    void clearAPeakOnlyWhenAskedTo() {
        try (FakeNeuronHost host = start("trn1.2xlarge", LIVE);
                FakeProcess process = host.openProcess(host.device(0).core(1))) {
            // given a large peak from before
            FakeCore core = host.device(0).core(1);
            process.free(process.allocate(core, "tensors", 1 << 20));
            CounterScope scope = scope(host, 1);
            ByteSize limit = ByteSize.parse("64 KiB");
            Runnable body = () -> process.free(process.allocate(core, "tensors", 4096));

            // when
            Judgement without = around(scope, new PeakMemoryExpectation("device_mem", limit, false), body);
            Judgement with = around(scope, new PeakMemoryExpectation("device_mem", limit, true), body);

            // then
            assertThat(without.undecided()).hasSize(1);
            assertThat(with).isEqualTo(Judgement.NOTHING);
        }
    }

    @Test
    void findUncorrectedMemoryErrors() {
        try (FakeNeuronHost host = start("inf2.xlarge", LIVE)) {
            // when
            CounterDiff diff = counters(host, 0).during(() -> host.device(0).ecc("mem_uncorrected", 1));

            // then
            assertThat(CounterExpectations.DEFAULT.judge(diff).violations())
                    .singleElement()
                    .returns("neuron0 hardware/mem_ecc_uncorrected", Violation::subject);
        }
    }

    @Test
    void reportErrorDespiteUnreadableFiles() {
        try (FakeNeuronHost host = start("trn1.2xlarge", LIVE)) {
            // given
            FakeCore core = host.device(0).core(1);
            Counters counters = counters(host, 1);

            // when
            CounterDiff diff = counters.during(() -> {
                core.fault(Fault.errno("stats/status/hw_error/total", Errno.EIO));
                core.fault(Fault.garbage("stats/status/timeout/total", "7f\n"));
                core.fault(Fault.empty("stats/status/failure/total"));
                core.fault(Fault.statusRises("oob_error", 1));
            });

            // then
            assertThat(diff.unreadable()).hasSize(3);
            assertThat(CounterExpectations.DEFAULT.judge(diff).violations())
                    .extracting(Violation::subject)
                    .containsExactlyInAnyOrder(
                            "neuron0/neuron_core1 status/oob_error",
                            "neuron0/neuron_core1 status/failure",
                            "neuron0/neuron_core1 status/hw_error",
                            "neuron0/neuron_core1 status/timeout");
        }
    }

    @Test
    void reportVanishedDeviceAndReadRestoredOne() {
        try (FakeNeuronHost host = start("trn1.2xlarge", LIVE)) {
            // given
            Counters counters = counters(host, 1);

            // when
            CounterDiff gone = counters.during(() -> host.device(0).remove());
            host.device(0).restore();
            CounterDiff back = counters.during(() -> {});

            // then
            assertThat(CounterExpectations.DEFAULT.judge(gone).violations())
                    .extracting(Violation::subject)
                    .hasSize(2)
                    .allMatch(subject -> subject.startsWith("neuron0"));
            assertThat(back.unreadable()).isEmpty();
        }
    }

    @Test
    void recognizeClearedAndWrappedCounters() {
        try (FakeNeuronHost host = start("trn1.2xlarge", LIVE);
                FakeProcess process = host.openProcess(host.device(0).core(1))) {
            // given
            FakeCore core = host.device(0).core(1);
            process.execute(core, NrtStatus.NRT_TIMEOUT, 9);
            process.allocate(core, "tensors", 4096);

            // when
            CounterDiff diff = counters(host, 1).during(() -> {
                core.fault(Fault.cleared("stats/status/timeout/total"));
                core.fault(Fault.wrapped("stats/memory_usage/device_mem/total"));
            });

            // then
            assertThat(diff.counter("timeout").movement()).isEqualTo(Movement.DECREASED);
            assertThat(diff.counter("device_mem").movement()).isEqualTo(Movement.WRAPPED);
            assertThat(judge(diff, new MemoryReturnedExpectation(new ByteSize(0)))
                            .undecided())
                    .hasSize(1);
        }
    }

    @Test
    void waitForCounterThatStillChanges() {
        try (FakeNeuronHost host = start("trn1.2xlarge", LIVE);
                FakeProcess process = host.openProcess(host.device(0).core(0))) {
            // given an error that appears at the third reading, the second one after the body
            assertThat(process.alive()).isTrue();
            FakeCore core = host.device(0).core(1);
            Counters counters = counters(host, 1);

            // when
            CounterDiff diff;
            try (FakeFault late = core.fault(Fault.statusRises("hw_error", 1).afterReads(2))) {
                diff = counters.during(() -> {});
                assertThat(late.triggered()).isTrue();
            }

            // then
            assertThat(diff.settled()).isTrue();
            assertThat(diff.counter("hw_error").delta()).isEqualTo(1);
        }
    }

    @Test
    void reportForeignActivity() {
        try (FakeNeuronHost host = start("trn1.2xlarge", LIVE);
                FakeProcess notebook =
                        host.openProcess("jupyter", host.device(0).core(0))) {
            // when
            CounterDiff diff = counters(host, 1)
                    .during(() -> notebook.execute(host.device(0).core(0), 12));

            // then
            assertThat(CounterExpectations.DEFAULT.judge(diff).violations()).isEmpty();
            assertThat(CounterExpectations.DEFAULT.judge(diff).notices())
                    .singleElement()
                    .asString()
                    .startsWith("Foreign activity on neuron0/neuron_core0, which this test does not hold: ")
                    .contains("status/success +12");
        }
    }

    /**
     * Verifies the suspicion after each status. The causes of statuses 5, 101 and 1004 may be in hardware too, but
     * their counters do not show it.
     */
    @ParameterizedTest
    @EnumSource
    void suspectACoreAfterEachHardwareStatus(NrtStatus status) {
        try (FakeNeuronHost host = start("trn1.2xlarge", LIVE)) {
            // given
            FakeCore core = host.device(0).core(1);
            boolean ofHardware = Set.of(6, 1201, 1202, 1203, 1205).contains(status.code());

            // when
            CounterDiff diff = counters(host, 1).during(() -> {
                try (FakeProcess process = host.openProcess(core)) {
                    process.execute(core, status, 1);
                }
            });

            // then
            assertThat(diff.hardwareSuspicions())
                    .extracting(HardwareSuspicion::core)
                    .isEqualTo(ofHardware ? List.of("neuron0/neuron_core1") : List.of());
        }
    }

    @Test
    void suspectAllCoresOfADeviceAfterAnEccError() {
        try (FakeNeuronHost host = start("trn2.48xlarge", LIVE)) {
            // given
            NeuronHost found = NeuronHost.discover(InProcessFixture.tree(host));
            List<NeuronCore> cores = found.cores().subList(0, 5);
            Counters counters = Counters.over(new CounterScopes(found), cores, SettleOptions.IN_PROCESS);

            // when
            CounterDiff diff = counters.during(() -> host.device(0).ecc("mem_uncorrected", 1));

            // then
            assertThat(diff.hardwareSuspicions())
                    .extracting(HardwareSuspicion::core)
                    .containsExactlyElementsOf(
                            cores.subList(0, 4).stream().map(NeuronCore::name).toList());
        }
    }

    private static FakeNeuronHost start(String instance, String layout) {
        return FakeNeuronHost.builder().instance(instance).layout(layout).start();
    }

    private static CounterScope scope(FakeNeuronHost host, int core) {
        NeuronHost found = NeuronHost.discover(InProcessFixture.tree(host));
        return new CounterScopes(found).of(List.of(found.cores().get(core)));
    }

    private static Counters counters(FakeNeuronHost host, int core) {
        NeuronHost found = NeuronHost.discover(InProcessFixture.tree(host));
        return Counters.over(new CounterScopes(found), List.of(found.cores().get(core)), SettleOptions.IN_PROCESS);
    }

    private static Judgement judge(CounterDiff diff, CounterExpectation rule) {
        return CounterExpectations.builder()
                .errorsMustNotMove(false)
                .expect(rule)
                .build()
                .judge(diff);
    }

    private static Judgement around(CounterScope scope, CounterExpectation rule, Runnable body) {
        var armed = rule.arm(scope);
        return armed.judge(ScopeFixture.diff(scope, body));
    }
}
