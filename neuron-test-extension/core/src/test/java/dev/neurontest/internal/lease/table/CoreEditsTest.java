package dev.neurontest.internal.lease.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.lease.store.CoreSlots;
import dev.neurontest.internal.lease.store.LeasePrograms;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseState.QuarantineEntry;
import dev.neurontest.internal.lease.store.LeaseStore;
import dev.neurontest.internal.lease.store.TableFixture;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.internal.process.ProgramLock;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoreEditsTest {

    private static final String CORE = "neuron0/neuron_core0";
    private static final String NEIGHBOUR = "neuron0/neuron_core1";
    private static final String FAR = "neuron1/neuron_core0";

    @TempDir
    Path directory;

    private LeaseStore here;
    private LeaseStore there;

    @BeforeEach
    void share() {
        here = store();
        there = store();
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    private LeaseStore store() {
        LeaseStore store = LeaseStore.in(directory.resolve("leases"), null, new ProcessTable(), warning -> {});
        store.prepare(List.of(CORE, NEIGHBOUR, FAR));
        return store;
    }

    private static CoreEdits edits(LeaseStore store) {
        return new CoreEdits(store, () -> {}, () -> {});
    }

    /** Returns a quarantine entry of a core that is leased to a test of the first JVM. */
    private QuarantineEntry barred() {
        TableFixture fixture = new TableFixture(here);
        return fixture.bar(fixture.grant("test", CORE), Until.WELL, CORE);
    }

    @Test
    void changeLeasedCoreOnlyUnderItsLock() {
        // given
        QuarantineEntry entry = barred();

        // then
        assertThat(edits(here).replace(entry, Optional.empty(), List.of())).isFalse();
        assertThat(edits(there).replace(entry, Optional.empty(), List.of())).isFalse();

        // when
        edits(here).replace(entry, Optional.empty());

        // then
        assertThat(there.state().barred()).isEmpty();
        assertThat(there.state().claims()).hasSize(1);
    }

    @Test
    void areRepeatedAfterAnotherJvmReleasesCore() {
        // given
        TableFixture fixture = new TableFixture(here);
        QuarantineEntry entry = barred();
        CoreEdits edits = edits(there);

        // when
        edits.replace(entry, Optional.empty());

        // then
        assertThat(edits.isDone()).isFalse();
        assertThat(here.state().barred()).containsExactly(entry);

        // when
        fixture.release(here.state().claims().get(0));
        edits.repeat();

        // then
        assertThat(edits.isDone()).isTrue();
        assertThat(here.state().barred()).isEmpty();
    }

    @Test
    void reportDoneAndDeferredEdits() {
        // given
        QuarantineEntry entry = barred();
        AtomicInteger done = new AtomicInteger();
        AtomicInteger later = new AtomicInteger();

        // when
        new CoreEdits(there, done::incrementAndGet, later::incrementAndGet).replace(entry, Optional.empty());

        // then
        assertThat(List.of(done.get(), later.get())).containsExactly(0, 1);

        // when
        new CoreEdits(here, done::incrementAndGet, later::incrementAndGet).replace(entry, Optional.empty());

        // then
        assertThat(List.of(done.get(), later.get())).containsExactly(1, 1);
    }

    @ParameterizedTest
    @CsvSource({"WELL, 1", "RESET, 0", "RELOAD, 0"})
    void recoveryByResetClearsSuspicionsOfSameDevice(Until until, int left) {
        // given two suspect cores of the device, one of them leased, and one of another device
        TableFixture fixture = new TableFixture(here);
        QuarantineEntry entry = fixture.bar(fixture.grant("test", CORE), until, CORE);
        fixture.release(here.state().claims().get(0));
        fixture.grant("test", NEIGHBOUR);
        List.of(NEIGHBOUR, FAR)
                .forEach(core -> here.cores()
                        .write(slot(core), content(core).suspecting(List.of(entry.suspect("[method:a()]")))));

        // when
        boolean recovered = edits(here).recover(entry, List.of());

        // then
        assertThat(recovered).isTrue();
        assertThat(there.state().barred()).isEmpty();
        assertThat(content(NEIGHBOUR).suspects()).hasSize(left);
        assertThat(content(NEIGHBOUR).claim()).isNotNull();
        assertThat(content(FAR).suspects()).hasSize(1);
    }

    @Test
    void keepQuarantineOfLockedCore() {
        // given
        TableFixture fixture = new TableFixture(here);
        QuarantineEntry entry = fixture.bar(fixture.grant("test", CORE), Until.RESET, CORE);
        here.cores().write(slot(NEIGHBOUR), content(NEIGHBOUR).suspecting(List.of(entry.suspect("[method:a()]"))));

        // then
        assertThat(edits(there).recover(entry, List.of())).isFalse();
        assertThat(content(CORE).barred()).containsExactly(entry);
        assertThat(content(NEIGHBOUR).suspects()).hasSize(1);
    }

    @Test
    void storePastLeasesThatHadNeighbours() {
        // given
        TableFixture fixture = new TableFixture(here);
        LeaseState.Claim alone = fixture.grant("alone", FAR);
        LeaseState.Claim beside = fixture.grant("beside", CORE);
        fixture.grant("neighbour", NEIGHBOUR);
        List<QuarantineEntry> outlived = beside.outlivedBy(
                new LeasePrograms.Remaining(List.of(here.process()), ProgramLock.State.HELD), "its process was alive");
        LeaseState state = here.state();

        // when
        AtomicInteger changes = new AtomicInteger();
        CoreEdits edits = new CoreEdits(here, changes::incrementAndGet, () -> {});
        edits.end(state, alone, List.of(slot(FAR)), List.of());
        edits.end(state, beside, List.of(slot(CORE)), outlived);

        // then
        assertThat(changes).hasValue(2);
        assertThat(content(FAR).claim()).isNull();
        assertThat(content(FAR).past()).isEmpty();
        assertThat(content(CORE).claim()).isNull();
        assertThat(content(CORE).past())
                .extracting(LeaseState.EndedLease::holder)
                .containsExactly("beside");
        assertThat(content(CORE).barred()).isEqualTo(outlived);
        assertThat(content(NEIGHBOUR).barred()).isEmpty();
    }

    private static int slot(String core) {
        return CoreSlots.slots(List.of(core)).get(0);
    }

    private CoreSlots.Content content(String core) {
        return there.cores().content(slot(core));
    }
}
