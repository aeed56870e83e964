package dev.neurontest.internal.lease.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.store.LeaseState.Claim;
import dev.neurontest.internal.lease.store.LeaseState.Ticket;
import dev.neurontest.internal.lease.store.TicketSlots.Head;
import dev.neurontest.internal.lease.table.LeaseTable;
import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests with a JVM that is stopped or killed before each step of a lease: entering the queue, taking two cores of four,
 * and returning them.
 */
@Tag("stress")
class LeaseStepsTest {

    private static final List<String> BOTH = List.of("neuron0/neuron_core0", "neuron0/neuron_core1");

    @TempDir
    Path root;

    @TempDir
    Path parent;

    private final ProcessTable processes = new ProcessTable();

    /** The identity of a JVM of another namespace; only its socket shows whether it is alive. */
    private final ProcessIdentity process =
            new ProcessIdentity(1, 4, processes.self().namespace(), "another");

    private SharedFolder folder;
    private LeaseTable table;
    private boolean took;
    private boolean gaveBack;

    @BeforeEach
    void share() throws IOException {
        table = LeaseTable.builder(new HostFixture(root)
                        .devices(HostFixture.Kind.TRN1, 0, 1)
                        .host())
                .directory(parent.resolve("leases"))
                .open();
        folder = SharedFolder.at(parent.resolve("leases"));
    }

    @AfterEach
    void close() throws IOException {
        table.close();
        folder.close();
    }

    /** The end of a thread in place of a stopped JVM. */
    private static final class StoppedError extends Error {

        private static final long serialVersionUID = 1;
    }

    /** Slots of a JVM that is stopped after a number of steps. */
    private static final class StoppingSlots implements Slots {

        private final SharedSlots slots;
        private int steps;

        StoppingSlots(SharedSlots slots, int steps) {
            this.slots = slots;
            this.steps = steps;
        }

        private void step() {
            if (steps == 0) {
                throw new StoppedError();
            }
            steps--;
        }

        @Override
        public long get(long position) {
            return slots.get(position);
        }

        @Override
        public void set(long position, long value) {
            step();
            slots.set(position, value);
        }

        @Override
        public boolean compareAndSet(long position, long expected, long value) {
            step();
            return slots.compareAndSet(position, expected, value);
        }

        @Override
        public byte[] read(long position, int length) {
            return slots.read(position, length);
        }

        @Override
        public void write(long position, byte[] content) {
            step();
            // The JVM may be stopped in the middle of a write.
            slots.write(position, Arrays.copyOf(content, content.length / 2));
            step();
            slots.write(position, content);
        }

        @Override
        public boolean isShared() {
            return true;
        }

        @Override
        public long self() {
            return slots.self();
        }

        @Override
        public boolean isDead(long owner) {
            return slots.isDead(owner);
        }

        @Override
        public void requireInPlace() {
            slots.requireInPlace();
        }
    }

    /** Leases as a JVM does, and returns whether the JVM was stopped. */
    private boolean lease(String jvm, SharedSlots shared, int steps) {
        StoppingSlots slots = new StoppingSlots(shared, steps);
        TicketSlots tickets = new TicketSlots(slots);
        CoreSlots cores = new CoreSlots(slots);
        long moment = LeaseState.moment();
        Claim claim = new Claim(
                moment, jvm, process, "other", "main", 1, moment, Instant.EPOCH, BOTH, List.of(), false, List.of());
        took = false;
        gaveBack = false;
        try {
            Head head = tickets.enter(
                    new Ticket(null, jvm, process, "other", "2 cores", "main", 1, List.of()), false, tickets.heads());
            took = cores.take(claim).isEmpty();
            assertThat(took).isTrue();
            tickets.leave(head);
            List<Integer> held = CoreSlots.slots(BOTH);
            gaveBack = true;
            held.forEach(slot -> cores.write(slot, cores.content(slot).with((Claim) null)));
            cores.unlock(held);
            return false;
        } catch (StoppedError stopped) {
            return true;
        }
    }

    @Test
    void stoppedJvmKeepsCoresAndKilledJvmReleasesThem() throws Exception {
        int steps = 0;
        boolean stopped = true;
        while (stopped) {
            Membership member = Membership.in(folder, process);
            SharedSlots slots = new SharedSlots(folder, member.name(), processes);

            // when it is stopped
            stopped = lease(member.name(), slots, steps);

            // then its cores are leased to no other test, and other requests do not wait for it
            if (stopped && took && !gaveBack) {
                assertThat(cores(CoreRequest.scattered(3), Duration.ofMillis(100)))
                        .as("stopped before step %s", steps)
                        .isZero();
            }
            assertThat(cores(CoreRequest.exactly(2, 3), Patience.LIMIT))
                    .as("stopped before step %s", steps)
                    .isEqualTo(2);

            // when it is killed
            slots.close();
            member.close(Set.of());

            // then
            assertThat(cores(CoreRequest.inARow(4), Patience.LIMIT))
                    .as("killed before step %s", steps)
                    .isEqualTo(4);
            assertThat(table.quarantined()).isEmpty();
            steps++;
        }
        assertThat(steps).isGreaterThan(20);
    }

    private int cores(CoreRequest request, Duration atMost) throws InterruptedException {
        try (Lease lease = table.lease(new LeaseRequest("test", List.of(request)), atMost)) {
            return lease.cores().size();
        } catch (LeaseTimeoutException taken) {
            return 0;
        }
    }
}
