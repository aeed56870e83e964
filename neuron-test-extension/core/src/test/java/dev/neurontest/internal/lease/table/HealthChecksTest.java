package dev.neurontest.internal.lease.table;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.lease.HealthCheck;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.lease.store.CoreSlots;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseStore;
import dev.neurontest.internal.lease.store.TableFixture;
import dev.neurontest.internal.process.ProcessTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of cores in quarantine: the JVMs that may check them, and the times of the checks. */
class HealthChecksTest {

    private static final String CORE_0 = "neuron0/neuron_core0";
    private static final String CORE_1 = "neuron0/neuron_core1";

    @TempDir
    Path root;

    private final LeaseStore store = LeaseStore.inMemory(new ProcessTable());
    private final TableFixture other = new TableFixture(store, 999_999_998);
    private final List<String> lookedAt = new ArrayList<>();
    private Optional<String> trouble = Optional.empty();
    private HostCores cores;
    private HealthChecks checks;

    @BeforeEach
    void checkThatHeals() {
        NeuronHost host =
                new HostFixture(root).devices(HostFixture.Kind.TRN1, 0, 1).host();
        cores = new HostCores(host, host.cores());
        checks = by((core, why) -> {
            lookedAt.add(core.name() + " for " + why.reason());
            return trouble;
        });
    }

    private HealthChecks by(HealthCheck check) {
        return new HealthChecks(check, cores, store);
    }

    /** Quarantines a core that another JVM held, and returns it. */
    private LeaseState.QuarantineEntry illCore(String core, Until until) {
        LeaseState.Claim claim = other.grant("BadTest", core);
        LeaseState.QuarantineEntry entry = other.bar(claim, until, core);
        other.release(claim);
        return entry;
    }

    private List<LeaseState.QuarantineEntry> due() {
        return checks.due(store.state());
    }

    private LeaseState.QuarantineEntry onTheTable() {
        return store.state().barred().iterator().next();
    }

    @Test
    void illCoreIsChecked() {
        // given
        LeaseState.QuarantineEntry entry = illCore(CORE_0, Until.RESET);

        // then
        assertThat(due()).containsExactly(entry);
        assertThat(checks.trouble(entry)).isEmpty();
        assertThat(lookedAt)
                .containsExactly(
                        "neuron0/neuron_core0 for status 1202; reset the device (neuron0, serial number not readable)");

        // when
        trouble = Optional.of("warm");

        // then
        assertThat(checks.trouble(entry)).contains("warm");
    }

    @Test
    void noCoreIsCheckedWithoutHealthCheck() {
        // given
        LeaseState.QuarantineEntry entry = illCore(CORE_0, Until.RESET);
        checks = new HealthChecks(null, cores, store);

        // then
        assertThat(due()).isEmpty();
        assertThat(checks.heals()).isFalse();
        assertThat(checks.hopeless(store.state())).containsExactly(entry);
    }

    @Test
    void coreInvisibleToJvmIsNotChecked() {
        // given
        illCore("neuron7/neuron_core0", Until.RESET);

        // then
        assertThat(due()).isEmpty();
    }

    @Test
    void coreThatAnotherJvmMayUseIsNotChecked() {
        // given
        illCore(CORE_0, Until.IDLE);

        // then
        assertThat(due()).isEmpty();
    }

    @Test
    void coreUnderCheckIsNotCheckedTwice() {
        // given
        LeaseState.QuarantineEntry entry = illCore(CORE_0, Until.RESET);

        // when
        Optional<List<Integer>> locked = checks.lock(entry, List.of());

        // then the whole device is locked, and the core stays in quarantine
        assertThat(locked).isPresent();
        assertThat(store.cores().lock(CoreSlots.slots(List.of(CORE_1)))).isPresent();
        assertThat(checks.lock(entry, List.of())).isEmpty();
        assertThat(checks.hopeless(store.state())).isEmpty();

        // when
        store.cores().unlock(locked.get());

        // then
        assertThat(checks.hopeless(store.state())).containsExactly(entry);
    }

    @Test
    void onlyTheCoreIsLockedWhereNoResetIsNeeded() {
        // given
        LeaseState.QuarantineEntry entry = illCore(CORE_0, Until.WELL);

        // then
        assertThat(checks.lock(entry, List.of())).contains(CoreSlots.slots(List.of(CORE_0)));
    }

    @Test
    void illCoreIsRecheckedAtOnceOnlyWhenHurried() {
        // given a recent check, also on a machine that was suspended since
        LeaseState.QuarantineEntry entry = illCore(CORE_0, Until.RESET);
        await().until(() -> {
            checks.found(entry, Optional.of("warm"));
            return due().isEmpty();
        });
        assertThat(checks.troubles()).isEqualTo(Map.of(entry.number(), "warm"));

        // when
        checks.hurry();

        // then
        assertThat(due()).containsExactly(entry);
        assertThat(checks.troubles()).isEqualTo(Map.of(entry.number(), "warm"));
    }

    @Test
    void troubleOfEndedQuarantineIsForgotten() {
        // given
        LeaseState.QuarantineEntry entry = illCore(CORE_0, Until.RESET);
        checks.found(entry, Optional.of("warm"));

        // when
        checks.forget(entry.number());

        // then
        assertThat(checks.troubles()).isEmpty();
        assertThat(due()).containsExactly(entry);
    }

    @Test
    void aCheckThatFailsFindsTrouble() {
        // given
        checks = by((core, why) -> {
            throw new AssertionError("out of order");
        });

        // then
        assertThat(checks.trouble(illCore(CORE_0, Until.RESET)))
                .contains("the health check failed: java.lang.AssertionError: out of order");
    }

    @Test
    void deviceInUseIsAwaitedOnlyWhenCheckCanHeal() {
        // given suspect hardware, with a test on the other core of the device
        illCore(CORE_0, Until.RESET);
        other.grant("NextTest", CORE_1);

        // then
        assertThat(due()).isEmpty();
        assertThat(checks.heals()).isTrue();
        assertThat(checks.hopeless(store.state())).isEmpty();

        // when
        checks = by(new HealthCheck() {
            @Override
            public Optional<String> trouble(NeuronCore core, Quarantine why) {
                return Optional.empty();
            }

            @Override
            public boolean heals() {
                return false;
            }
        });

        // then
        assertThat(checks.heals()).isFalse();
        assertThat(checks.hopeless(store.state())).containsExactly(onTheTable());
    }

    @Test
    void leasedCoreIsNotHopeless() {
        // given
        LeaseState.Claim claim = other.grant("BadTest", CORE_0);
        other.bar(claim, Until.RESET, CORE_0);

        // then
        assertThat(checks.hopeless(store.state())).isEmpty();
    }

    @Test
    void coreThatOnlyCheckCanRestoreIsHopeless() {
        // given
        LeaseState.QuarantineEntry entry = illCore(CORE_0, Until.RESET);

        // then
        assertThat(checks.hopeless(store.state())).containsExactly(entry);
    }
}
