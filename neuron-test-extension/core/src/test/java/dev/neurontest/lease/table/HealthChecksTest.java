package dev.neurontest.lease.table;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.lease.HealthCheck;
import dev.neurontest.lease.Quarantine;
import dev.neurontest.lease.Quarantine.Until;
import dev.neurontest.lease.store.TableState;
import dev.neurontest.process.ProcessTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cores in quarantine, by who may look at them and when. */
class HealthChecksTest {

    private static final String CORE_0 = "neuron0/neuron_core0";
    private static final String CORE_1 = "neuron0/neuron_core1";

    @TempDir
    Path root;

    private final SharedStoreFixture store = new SharedStoreFixture();
    private final List<String> lookedAt = new ArrayList<>();
    private Optional<String> trouble = Optional.empty();
    private HostCores cores;
    private HealthChecks checks;
    private TableState.Member other;

    @BeforeEach
    void checkThatHeals() {
        NeuronHost host =
                new HostFixture(root).devices(HostFixture.Kind.TRN1, 0, 1).host();
        cores = new HostCores(host, host.cores());
        checks = by((core, why) -> {
            lookedAt.add(core.name() + " for " + why.reason());
            return trouble;
        });
        other = store.join(999_999_998);
    }

    private HealthChecks by(HealthCheck check) {
        return new HealthChecks(check, cores, store.self().number());
    }

    /** Another JVM had a core, and gave it back ill. */
    private TableState.Barred illCore(String core, Until until) {
        TableState.Claim claim = store.grant(other, "BadTest", core);
        TableState.Barred entry = store.bar(claim, until, core);
        store.change(state -> {
            state.release(claim.number(), process -> ProcessTable.Life.ENDED);
            return state;
        });
        return entry;
    }

    private List<TableState.Barred> due() {
        return checks.due(store.state());
    }

    private TableState.Barred onTheTable() {
        return store.state().barred().iterator().next();
    }

    @Test
    void anIllCoreIsLookedAt() {
        // given
        TableState.Barred entry = illCore(CORE_0, Until.RESET);

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
    void noneIsLookedAtWithoutACheck() {
        // given
        TableState.Barred entry = illCore(CORE_0, Until.RESET);
        checks = new HealthChecks(null, cores, store.self().number());

        // then
        assertThat(due()).isEmpty();
        assertThat(checks.heals()).isFalse();
        assertThat(checks.hopeless(store.state())).containsExactly(entry);
    }

    @Test
    void aCoreThatThisJvmDoesNotSeeIsLeftToOthers() {
        // given
        illCore("neuron7/neuron_core0", Until.RESET);

        // then
        assertThat(due()).isEmpty();
    }

    @Test
    void whatAnotherJvmMayStillDriveIsLeftToIt() {
        // given
        illCore(CORE_0, Until.IDLE);

        // then
        assertThat(due()).isEmpty();
    }

    @Test
    void whatIsLookedAtAlreadyIsLeftAlone() {
        // given
        TableState.Barred entry = illCore(CORE_0, Until.RESET);
        TableChange change = new TableChange(store.state());

        // when
        List<TableState.Barred> taken = checks.take(change, each -> true);

        // then all who share the table see who looks
        assertThat(taken).containsExactly(entry);
        assertThat(change.state.barred())
                .extracting(TableState.Barred::checker)
                .containsExactly(store.self().number());
        assertThat(checks.due(change.state)).isEmpty();
        assertThat(checks.hopeless(change.state)).isEmpty();
    }

    @Test
    void onlyThoseThatAreWantedAreTaken() {
        // given
        illCore(CORE_0, Until.RESET);
        TableState.Barred wanted = illCore("neuron1/neuron_core0", Until.RESET);
        TableChange change = new TableChange(store.state());

        // when
        List<TableState.Barred> taken = checks.take(change, entry -> entry.number() == wanted.number());

        // then
        assertThat(taken).containsExactly(wanted);
        assertThat(change.state.barred())
                .extracting(TableState.Barred::checker)
                .containsExactly(0L, store.self().number());
    }

    @Test
    void aCoreThatIsIllIsNotLookedAtAgainAtOnceUnlessItIsHurried() {
        // given a look that was not long ago, also on a machine that stood still meanwhile
        TableState.Barred entry = illCore(CORE_0, Until.RESET);
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
    void whatWasFoundOfAQuarantineThatEndedIsForgotten() {
        // given
        TableState.Barred entry = illCore(CORE_0, Until.RESET);
        checks.found(entry, Optional.of("warm"));

        // when
        checks.forget(entry.number());

        // then
        assertThat(checks.troubles()).isEmpty();
        assertThat(due()).containsExactly(entry);
    }

    @Test
    void aCoreThatIsWellIsGivenOutAgain() {
        // given
        TableState.Barred entry = illCore(CORE_0, Until.RESET);
        TableChange change = new TableChange(store.state());

        // when
        checks.found(entry, Optional.empty());
        checks.write(change, entry, Optional.empty());

        // then
        assertThat(change.state.barred()).isEmpty();
        assertThat(change.cleared).isEqualTo(Map.of(entry.number(), "the health check finds the core well"));
        assertThat(change.concernsAll).isTrue();
        assertThat(checks.troubles()).isEmpty();
    }

    @Test
    void aCoreThatIsStillIllMayBeLookedAtByOthers() {
        // given
        TableState.Barred entry = illCore(CORE_0, Until.RESET);
        TableChange change = new TableChange(store.state());
        checks.take(change, each -> true);

        // when
        checks.write(change, entry, Optional.of("warm"));

        // then
        assertThat(change.state.barred()).containsExactly(entry);
        assertThat(change.cleared).isEmpty();
        assertThat(change.concernsAll).isTrue();
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
    void aDeviceInUseIsWaitedForOnlyWhereALookCanHeal() {
        // given suspect hardware, with a test on the other core of the device
        illCore(CORE_0, Until.RESET);
        store.grant(other, "NextTest", CORE_1);

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
    void aCoreThatIsLeasedIsNotHopelessYet() {
        // given
        TableState.Claim claim = store.grant(other, "BadTest", CORE_0);
        store.bar(claim, Until.RESET, CORE_0);

        // then
        assertThat(checks.hopeless(store.state())).isEmpty();
    }

    @Test
    void aCoreThatOnlyALookBringsBackIsNotWaitedFor() {
        // given
        TableState.Barred entry = illCore(CORE_0, Until.RESET);

        // then
        assertThat(checks.hopeless(store.state())).containsExactly(entry);
    }
}
