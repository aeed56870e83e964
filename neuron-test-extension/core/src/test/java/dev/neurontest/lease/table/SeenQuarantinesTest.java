package dev.neurontest.lease.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.lease.LeaseObserver;
import dev.neurontest.lease.Quarantine;
import dev.neurontest.lease.Quarantine.Until;
import dev.neurontest.lease.store.TableState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the observer hears of quarantines. */
class SeenQuarantinesTest {

    @TempDir
    Path root;

    private final List<String> told = new ArrayList<>();
    private final LeaseNews news = new LeaseNews(new LeaseObserver() {
        @Override
        public void quarantined(Quarantine quarantine) {
            told.add("quarantined " + quarantine.core());
        }

        @Override
        public void cleared(Quarantine quarantine, String how) {
            told.add("cleared " + quarantine.core() + ": " + how);
        }
    });
    private final SharedStoreFixture store = new SharedStoreFixture();
    private HealthChecks checks;
    private SeenQuarantines seen;
    private TableState.Barred first;
    private TableState.Barred second;

    @BeforeEach
    void twoIllCores() {
        NeuronHost host =
                new HostFixture(root).devices(HostFixture.Kind.TRN1, 0, 1).host();
        HostCores cores = new HostCores(host, host.cores());
        checks = new HealthChecks(null, cores, store.self().number());
        seen = new SeenQuarantines(cores, checks, news);
        TableState.Claim claim = store.grant(store.join(4711), "BadTest", "neuron0/neuron_core0");
        first = store.bar(claim, Until.RESET, "neuron0/neuron_core0");
        second = store.bar(claim, Until.RESET, "neuron1/neuron_core0");
    }

    private void notice(Consumer<TableChange> step) {
        TableChange made = store.change(state -> {
            TableChange change = new TableChange(state);
            step.accept(change);
            seen.notice(change);
            return change;
        });
        made.effects.forEach(Runnable::run);
        news.tell();
    }

    @Test
    void areToldWhenTheyBeginAndWhenTheyEnd() {
        // when
        notice(change -> {});
        notice(change -> {});

        // then
        assertThat(told).containsExactly("quarantined neuron0/neuron_core0", "quarantined neuron1/neuron_core0");

        // when
        told.clear();
        notice(change -> {
            change.state.clear(first.number());
            change.cleared.put(first.number(), "its processes have ended");
        });
        notice(change -> change.state.clear(second.number()));
        notice(change -> {});

        // then
        assertThat(told)
                .containsExactly(
                        "cleared neuron0/neuron_core0: its processes have ended",
                        "cleared neuron1/neuron_core0: another JVM that shares the table ended it");
    }

    @Test
    void takeWhatTheHealthCheckFoundWithThem() {
        // given
        notice(change -> {});
        checks.found(first, Optional.of("warm"));
        checks.found(second, Optional.of("hot"));

        // when
        notice(change -> change.state.clear(first.number()));

        // then
        assertThat(checks.troubles()).containsOnlyKeys(second.number());
    }
}
