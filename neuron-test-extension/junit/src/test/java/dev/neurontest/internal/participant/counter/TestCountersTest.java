package dev.neurontest.internal.participant.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.counter.SettleOptions;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.Leases;
import dev.neurontest.internal.lease.table.LeaseTable;
import dev.neurontest.internal.lifecycle.host.LeftProcesses;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.lifecycle.lease.TestLeases;
import dev.neurontest.internal.participant.BodyOutcome;
import dev.neurontest.internal.participant.DeviceUse;
import dev.neurontest.internal.participant.Suspicions;
import dev.neurontest.internal.participant.TestJournal;
import dev.neurontest.internal.participant.TestResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of counters of a host that the session has not opened. It has cores and a lease table, but no platform. */
class TestCountersTest {

    private static final TestId TEST = new TestId("[method:runs()]", "runs");
    private static final String ERRORS = "neuron0/stats/hardware/mem_ecc_uncorrected";

    @TempDir
    private Path root;

    @TempDir
    private Path folder;

    @Test
    void judgesErrorAndQuarantinesCoreOfAnyHost() {
        // given
        HostFixture files = new HostFixture(root)
                .devices(HostFixture.Kind.TRN1, 0)
                .sysfs(ERRORS, "0\n")
                .sysfs("neuron0/stats/hardware/sram_ecc_uncorrected", "0\n");
        NeuronHost host = files.host();
        RunFile runFile = new RunFile(folder, problem -> {});
        TestJournal lines = new TestJournal(runFile, TEST);
        TestLeases leases = new TestLeases(runFile, Duration.ofSeconds(10), device -> Optional.empty());
        LeaseRequest request = new LeaseRequest(TEST.name(), List.of(CoreRequest.exactly(0, 1)));
        try (runFile;
                LeaseTable table = LeaseTable.builder(host).open();
                TestCores cores = coresOf(table, leases, request)) {
            Suspicions suspicions = new Suspicions(lines, cores);
            TestCounters counters = new TestCounters(
                    new CounterScopes(host),
                    SettleOptions.IN_PROCESS,
                    new LeftProcesses(),
                    Settings.of(name -> Optional.empty()),
                    lines,
                    cores,
                    CounterExpectations.DEFAULT,
                    suspicions,
                    new DeviceUse(null),
                    new Nothing(),
                    true,
                    (diff, result) -> {});

            // when
            counters.start();
            files.sysfs(ERRORS, "1\n");
            counters.settle();
            TestResult result = new TestResult(suspicions, BodyOutcome.PASSED, phase -> {});

            // then
            assertThat(counters.judge(result))
                    .flatExtracting(verdict -> verdict.judgement().violations())
                    .extracting(Violation::actual)
                    .containsExactly("+1");
            assertThat(table.quarantined())
                    .extracting(quarantine -> quarantine.core())
                    .containsExactlyElementsOf(
                            host.cores().stream().map(NeuronCore::name).toList());
        }
    }

    private static TestCores coresOf(Leases table, TestLeases leases, LeaseRequest request) {
        return TestCores.of(table).with(leases.take(table, TEST, request));
    }

    /** A listener that does nothing. */
    private static final class Nothing implements SnapshotListener {

        @Override
        public void beforeStart() {}

        @Override
        public void afterStart() {}

        @Override
        public void beforeStop() {}

        @Override
        public void afterStop() {}
    }
}
