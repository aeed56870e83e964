package dev.neurontest.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.conformance.Facts.Instance;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.counter.Counters;
import dev.neurontest.device.DeviceHealth;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.ResetState;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.counter.SettleOptions;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.device.DatastoreCounters;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Cases for the host that the extension discovers. */
abstract class DiscoveryCases implements Cases {

    @Test
    void findsTheMachineOfTheFacts() {
        host().needs(Ability.KNOWN_TYPE);

        NeuronHost found = host().discover();

        DiscoveredMachine.assertIs(host().type(), found, host().can(Ability.CLOSED_FILES));
        if (host().can(Ability.KNOWN_LAYOUT) && host().layout().isInvented()) {
            // A driver newer than all known ones causes the only notice.
            assertThat(found.notices())
                    .singleElement()
                    .asString()
                    .contains(host().layout().shownVersion());
        } else {
            assertThat(found.notices()).isEmpty();
        }
    }

    @Test
    void distinguishesLiveAndDeferredCounters() {
        host().needs(Ability.KNOWN_LAYOUT);

        assertThat(host().discover().datastoreCounters())
                .isEqualTo(host().layout().isLive() ? DatastoreCounters.LIVE : DatastoreCounters.DEFERRED);
    }

    @Test
    void readsEveryAttributeOfADevice() {
        host().needs(Ability.SCRIPT);
        NeuronHost found = host().discover();
        NeuronDevice device = found.devices().get(found.devices().size() - 1);

        assertThat(device.serialNumber()).hasValue(host().device().serialNumber());
        assertThat(device.resetState()).hasValue(ResetState.READY);
        assertThat(device.ecc()).containsEntry("sram_ecc_uncorrected", 0L);
        assertThat(device.ecc().containsKey("sram_ecc_corrected"))
                .isEqualTo(host().has(host().path(device.name(), "stats/hardware/sram_ecc_corrected")));
        boolean reported = host().has(host().path(device.name(), "stats/hardware/health_status/unhealthy_components"));
        assertThat(device.health().state() == DeviceHealth.State.UNREPORTED).isEqualTo(!reported);
    }

    @Test
    void readsEveryCounter() {
        host().needs(Ability.KNOWN_LAYOUT, Ability.CLOSED_FILES);
        // The directory hardware contains plain numbers, which are counters too, except for heartbeats.
        long expected = host().files().entrySet().stream()
                .filter(file -> file.getValue().isCounter()
                        || file.getValue().canonical().contains("/stats/hardware/")
                                && !file.getKey().endsWith("/unhealthy_components")
                                && !file.getKey().endsWith("/healthcheck_heartbeat"))
                .count();
        CounterScope scope = new CounterScopes(host().discover()).wholeHost();

        assertThat(scope.size()).isEqualTo((int) expected);
        assertThat(CounterSnapshot.of(scope).until(CounterSnapshot.of(scope)).unreadable())
                .isEmpty();
    }

    @Test
    void findsProcessThatHasDeviceOpen() {
        host().needs(Ability.SCRIPT);
        NeuronHost found = host().discover();
        FakeCore core = host().core();
        try (FakeProcess process = host().fake().openProcess("trainer", core)) {
            host().published();

            assertThat(found.owners())
                    .hasEntrySatisfying(
                            device(found, core),
                            owners -> assertThat(owners)
                                    .singleElement()
                                    .hasToString("trainer (pid " + process.pid() + ")"));
        }
        host().published();
        assertThat(found.owners()).isEmpty();
    }

    @Test
    void countsExecutionsOfWorkload() throws IOException {
        host().needs(Ability.SCRIPT);
        NeuronHost found = host().discover();
        FakeCore physical = host().core();
        NeuronCore core = found.cores().stream()
                .filter(logical -> logical.physicalCores().stream()
                        .anyMatch(part -> part.toString().equals(physical.toString())))
                .findFirst()
                .orElseThrow();
        SettleOptions settling =
                host().can(Ability.READ_YOUR_WRITE) ? SettleOptions.IN_PROCESS : SettleOptions.ON_FILES;
        Counters counters = Counters.over(new CounterScopes(found), List.of(core), settling);

        CounterDiff diff = counters.during(() -> {
            try (FakeProcess process = host().fake().openProcess(physical)) {
                process.execute(physical, 100);
                process.execute(physical, NrtStatus.NRT_TIMEOUT, 3);
            }
            host().published();
        });

        assertThat(diff.counter("inference_count").delta()).isEqualTo(100);
        assertThat(diff.counter("status/timeout").delta()).isEqualTo(3);
        assertThat(diff.counter("device_mem").delta()).isZero();
        assertThat(diff.foreign()).isEmpty();
    }

    private static NeuronDevice device(NeuronHost host, FakeCore core) {
        return host.devices().stream()
                .filter(device -> device.index() == core.device().index())
                .findFirst()
                .orElseThrow();
    }

    /** The expected result of discovery on a machine of the facts. */
    static final class DiscoveredMachine {

        private DiscoveredMachine() {}

        static void assertIs(Instance type, NeuronHost found, boolean closedFilesToo) {
            assertThat(found.instanceType()).hasValue(type.name());
            assertThat(found.logicalCoreSize()).isEqualTo(type.defaultLnc());
            assertThat(found.devices()).hasSize(type.devices());
            assertThat(found.cores()).hasSize(type.devices() * type.logicalCoresPerDevice());
            for (NeuronDevice device : found.devices()) {
                assertThat(device.physicalCores()).hasSize(type.coresPerDevice());
                assertThat(device.cores()).hasSize(type.logicalCoresPerDevice());
                assertThat(device.architecture().family())
                        .hasToString(type.family().toUpperCase(Locale.ROOT));
                assertThat(device.architecture().device()).hasValue(type.deviceArchitecture());
                assertThat(device.architecture().core()).hasValue(type.coreArchitecture());
                assertThat(device.architecture().name()).hasValue(type.deviceName());
                if (closedFilesToo) {
                    assertThat(device.connectedDevices())
                            .isEqualTo(new TreeSet<>(type.connectedDevices().get(device.index())));
                }
            }
        }
    }
}
