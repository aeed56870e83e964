package dev.neurontest.internal.lease.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.lease.DeviceReading;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.lease.store.CoreSlots.Content;
import dev.neurontest.internal.lease.store.LeaseState.Claim;
import dev.neurontest.internal.lease.store.LeaseState.EndedLease;
import dev.neurontest.internal.lease.store.LeaseState.QuarantineEntry;
import dev.neurontest.internal.lease.store.LeaseState.Ticket;
import dev.neurontest.internal.process.ProcessIdentity;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the leases of a table. The number of a lease is also the time of its grant, which is in the past. */
class LeaseStateTest {

    private static final ProcessIdentity JVM = new ProcessIdentity(4711, 1, "host/1", "1000");
    private static final String FIRST = "neuron0/neuron_core0";
    private static final String SECOND = "neuron0/neuron_core1";
    private static final String FAR = "neuron1/neuron_core0";

    private final Map<Integer, Content> taken = new HashMap<>();

    private final Map<Integer, List<EndedLease>> ended = new HashMap<>();

    private static int slot(String core) {
        return CoreSlots.slots(List.of(core)).get(0);
    }

    private static Claim claim(long number, String jvm, List<String> cores, List<Long> within, boolean lasting) {
        return new Claim(
                number,
                jvm,
                JVM,
                "test " + number,
                "main",
                1,
                number,
                Instant.EPOCH,
                cores,
                within,
                lasting,
                List.of());
    }

    private Claim lease(long number, String core, Long... within) {
        Claim claim = claim(number, "jvm", List.of(core), List.of(within), false);
        taken.put(slot(core), Content.NONE.with(claim));
        return claim;
    }

    private void end(long number, long at, String core, Long... within) {
        ended.put(
                slot(core),
                List.of(new EndedLease(at, number, 4711, "test " + number, List.of(core), List.of(within))));
    }

    private static Ticket ticket(String jvm, Long... within) {
        return new Ticket(null, jvm, JVM, "waits", "2 cores", "main", 1, List.of(within));
    }

    private LeaseState state(Ticket... queue) {
        return new LeaseState(taken, List.of(queue), slot -> ended.getOrDefault(slot, List.of()));
    }

    private static QuarantineEntry barred(String core, String reason, Until until) {
        return new QuarantineEntry(
                1, core, reason, "test", "jvm", JVM, Instant.EPOCH, until, DeviceReading.NONE, List.of(), "");
    }

    private List<Long> neighbours(Claim claim, long moment) {
        return state().neighbours(claim, moment).stream()
                .map(EndedLease::number)
                .toList();
    }

    @Test
    void namesNeighboursOnTheSameDeviceOnly() {
        // given
        Claim claim = lease(10, FIRST);
        lease(12, SECOND);
        lease(13, FAR);
        end(11, 11, "neuron0/neuron_core2");
        end(14, 14, "neuron1/neuron_core1");

        // then
        assertThat(neighbours(claim, 0)).containsExactly(11L, 12L);
    }

    @Test
    void omitsNeighboursThatEndedEarlier() {
        // given
        Claim claim = lease(10, FIRST);
        end(8, 10, "neuron0/neuron_core2");
        end(9, 11, "neuron0/neuron_core3");
        end(7, Long.MAX_VALUE, "neuron0/neuron_core4");

        // then a lease with an end in the future ended before the machine was started
        assertThat(neighbours(claim, 0)).containsExactly(9L);
        assertThat(neighbours(claim, 11)).isEmpty();
    }

    @Test
    void leasesOfOneTestAreNotNeighbours() {
        // given
        Claim outer = lease(10, FIRST);
        Claim inner = lease(12, SECOND, 10L);
        end(11, 13, "neuron0/neuron_core2", 10L);

        // then
        assertThat(neighbours(outer, 0)).isEmpty();
        assertThat(neighbours(inner, 0)).containsExactly(11L);
    }

    @Test
    void listsCoresHeldByWaitingTests() {
        // given
        Claim named = lease(10, FIRST + "+" + SECOND);
        Claim lasting = claim(11, "lasting", List.of(FAR), List.of(), true);
        taken.put(slot(FAR), Content.NONE.with(lasting));
        Ticket holder = ticket("jvm", 10L);
        Ticket ofSession = ticket("lasting");
        Ticket without = ticket("jvm");

        // then
        LeaseState state = state(holder, ofSession, without);
        assertThat(state.queue()).containsExactly(holder, ofSession, without);
        assertThat(state.holders()).containsExactly(holder, ofSession);
        assertThat(state.kept(holder)).containsExactly(named);
        assertThat(state.kept(ofSession)).containsExactly(lasting);
        assertThat(state.heldByWaiters()).containsExactlyInAnyOrder(FIRST, SECOND, FAR);
        assertThat(state(without).heldByWaiters()).isEmpty();
    }

    @Test
    void deviceIsBusyWhileTestHoldsOneOfItsCores() {
        // given
        QuarantineEntry entry = barred(FIRST, "broken", Until.RESET);
        taken.put(slot(FIRST), Content.NONE.with(List.of(entry)));
        lease(10, FAR);

        // then
        assertThat(state().isHeld(entry)).isFalse();
        assertThat(state().isBusy(entry)).isFalse();

        // when
        lease(11, SECOND);

        // then
        assertThat(state().isHeld(entry)).isFalse();
        assertThat(state().isBusy(entry)).isTrue();
        assertThat(state().isBusy(barred(FIRST, "broken", Until.WELL))).isFalse();
        assertThat(state().isHeld(barred(SECOND, "broken", Until.WELL))).isTrue();
    }

    @Test
    void comparesPhysicalCores() {
        // then
        assertThat(LeaseState.physical(FIRST + "+" + SECOND)).containsExactly(FIRST, SECOND);
        assertThat(LeaseState.physical(FIRST)).containsExactly(FIRST);
        assertThat(LeaseState.share(List.of(FIRST + "+" + SECOND), List.of(FAR, SECOND)))
                .isTrue();
        assertThat(LeaseState.share(List.of(FIRST), List.of(FAR, SECOND))).isFalse();
        assertThat(LeaseState.neighbours(List.of(FIRST), List.of(FAR, SECOND))).isTrue();
        assertThat(LeaseState.neighbours(List.of(FIRST), List.of(FAR))).isFalse();
    }

    @Test
    void dropsSuspicionWhenOtherCauseIsFound() {
        // given
        String suspect = "timed out";
        String again = barred(FIRST, suspect, Until.WELL).suspect("other").again(suspect);

        // then
        QuarantineEntry other = barred(FIRST, "broken", Until.RESET);
        assertThat(other.acquitted(suspect, "the driver was reloaded")).contains(other);
        assertThat(barred(FIRST, suspect, Until.WELL).acquitted(suspect, "the driver was reloaded"))
                .isEmpty();
        assertThat(barred(FIRST, again, Until.RESET).acquitted(suspect, "the driver was reloaded"))
                .isEmpty();
        assertThat(barred(FIRST, suspect, Until.RESET).acquitted(suspect, "the driver was reloaded"))
                .hasValueSatisfying(entry -> {
                    assertThat(entry.reason()).isEqualTo("timed out; the driver was reloaded");
                    assertThat(entry.until()).isEqualTo(Until.RESET);
                });
    }

    @Test
    void situationNumberChangesWithLeaseNotWithWaiter() {
        // given
        lease(10, FIRST);
        long before = state().situation();

        // then
        assertThat(state(ticket("jvm")).situation()).isEqualTo(before).isPositive();

        // when
        lease(11, SECOND);

        // then
        assertThat(state().situation()).isPositive().isNotEqualTo(before);
    }

    @Test
    void leaseHasLockOnlyInSharedTable() {
        // then
        assertThat(claim(7, "jvm-1-0-1", List.of(FAR), List.of(), false).lock()).isEqualTo("jvm-1-0-1/lease-7");
        assertThat(claim(7, "", List.of(FAR), List.of(), false).lock()).isEmpty();
    }
}
