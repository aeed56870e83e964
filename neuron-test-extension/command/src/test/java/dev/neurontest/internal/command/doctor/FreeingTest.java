package dev.neurontest.internal.command.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.command.CommandFixture;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.DeviceReading;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.lease.store.CoreSlots;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseStore;
import dev.neurontest.internal.lease.table.LeaseTable;
import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the command that takes a core out of quarantine. */
class FreeingTest {

    private static final String CORE_0 = "neuron0/neuron_core0";
    private static final String CORE_1 = "neuron0/neuron_core1";

    @TempDir
    Path folder;

    private FakeNeuronHost fake;
    private LeaseTable table;

    @BeforeEach
    void openTable() throws Exception {
        fake = FakeNeuronHost.builder().start();
        table = LeaseTable.builder(NeuronHost.discover(FileTree.at(fake.directory())))
                .directory(directory())
                .open();
    }

    @AfterEach
    void close() {
        table.close();
        fake.close();
    }

    private Path directory() {
        return folder.resolve("leases");
    }

    private Settings settings() {
        Map<String, String> values = Map.of(
                Setting.PLATFORM.name(),
                "root:" + fake.directory(),
                Setting.LEASE_DIRECTORY.name(),
                directory().toString(),
                Setting.FAKE_FOLDER.name(),
                folder.toString(),
                Setting.PROFILER.name(),
                folder + "/neuron-explorer");
        return Settings.of(name -> Stream.ofNullable(values.get(name)).findFirst());
    }

    private List<String> free(String core, DoctorFinding.Level level) {
        return Doctor.examine(settings(), Map.of(), 17, false, Optional.of(core)).findings().stream()
                .filter(finding -> finding.area().equals("quarantine") && finding.level() == level)
                .map(DoctorFinding::what)
                .toList();
    }

    private Lease lease(int core) throws InterruptedException {
        return table.lease(new LeaseRequest("BertTest > serves()", List.of(CoreRequest.exactly(core))), Duration.ZERO);
    }

    /** Puts cores 0 and 1 into quarantine until a process has ended. */
    private void leaveBehind(ProcessIdentity process) throws Exception {
        try (Lease first = lease(0);
                Lease second = lease(1);
                LeaseStore store = LeaseStore.in(directory(), null, new ProcessTable(), warning -> {})) {
            assertThat(store.state().claims())
                    .extracting(LeaseState.Claim::number)
                    .containsExactly(first.number(), second.number());
            for (LeaseState.Claim claim : store.state().claims()) {
                String core = claim.cores().get(0);
                int slot = CoreSlots.slots(claim.cores()).get(0);
                store.cores()
                        .write(
                                slot,
                                store.cores()
                                        .content(slot)
                                        .with(List.of(claim.bar(
                                                        core,
                                                        "its process could not be seen",
                                                        Until.PROCESSES_END,
                                                        Instant.EPOCH,
                                                        DeviceReading.NONE)
                                                .until(List.of(process), ""))));
            }
        }
    }

    private static ProcessIdentity elsewhere() {
        String boot = new ProcessTable().self().namespace().split(" ")[0];
        return new ProcessIdentity(4711, 1, boot + " pid:[1]", "root");
    }

    private List<String> quarantined() {
        return table.quarantined().stream().map(each -> each.core()).toList();
    }

    @Test
    void freesOnlyChosenCoreOfInvisibleProcess() throws Exception {
        // given
        leaveBehind(elsewhere());
        assertThat(Doctor.examine(settings(), Map.of(), 17, true, Optional.empty())
                        .findings())
                .filteredOn(finding -> finding.area().equals("quarantine"))
                .extracting(DoctorFinding::advice)
                .hasSize(2)
                .anyMatch(advice -> advice.endsWith("this frees the core: neuron-test doctor --free=" + CORE_0));

        // when
        List<String> done = free(CORE_0, DoctorFinding.Level.OK);

        // then
        assertThat(done)
                .singleElement()
                .asString()
                .startsWith("freed " + CORE_0 + ", which was in quarantine: its process");
        assertThat(quarantined()).containsExactly(CORE_1);
        lease(0).close();
    }

    @Test
    void namesACoreThatIsNotInQuarantine() {
        // then
        assertThat(free("neuron9/neuron_core9", DoctorFinding.Level.FAIL))
                .containsExactly(
                        "core neuron9/neuron_core9 was not freed: it is not in quarantine; is it a core of this host?");
    }

    @Test
    void theCommandFailsWhereItFreesNothing() {
        // when
        CommandFixture doctor = CommandFixture.run("doctor", "--platform=fake:trn1.2xlarge", "--free=0");

        // then
        assertThat(doctor.status()).isOne();
        assertThat(doctor.out()).contains("core 0 was not freed: this host has no table that JVMs share");
    }
}
