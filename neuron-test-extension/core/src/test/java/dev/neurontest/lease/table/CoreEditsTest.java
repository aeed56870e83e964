package dev.neurontest.lease.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.lease.Quarantine.Until;
import dev.neurontest.lease.store.LeaseStore;
import dev.neurontest.lease.store.TableFixture;
import dev.neurontest.lease.store.TableState.Barred;
import dev.neurontest.process.ProcessTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoreEditsTest {

    private static final String CORE = "neuron0/neuron_core0";

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
        store.prepare(List.of(CORE));
        return store;
    }

    private static CoreEdits edits(LeaseStore store) {
        return new CoreEdits(store, () -> {}, () -> {});
    }

    /** Returns the quarantine of a core that a test of the first one holds. */
    private Barred barred() {
        TableFixture fixture = new TableFixture(here);
        return fixture.bar(fixture.grant("test", CORE), Until.WELL, CORE);
    }

    @Test
    void leaveToTheThreadsOfALeaseWhatAnyOtherThreadHasNotLocked() {
        // given
        Barred entry = barred();

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
    void areRepeatedWhenAnotherJvmHasGivenTheCoreBack() {
        // given
        TableFixture fixture = new TableFixture(here);
        Barred entry = barred();
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
}
