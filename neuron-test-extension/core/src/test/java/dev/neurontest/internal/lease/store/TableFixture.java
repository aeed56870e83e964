package dev.neurontest.internal.lease.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.lease.DeviceReading;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.lease.store.LeaseState.Claim;
import dev.neurontest.internal.lease.store.LeaseState.QuarantineEntry;
import dev.neurontest.internal.lease.store.LeaseState.Ticket;
import dev.neurontest.internal.lease.store.TicketSlots.Head;
import dev.neurontest.internal.process.ProcessIdentity;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * The leases and requests of a JVM in a table. Closing its store before they are returned represents the end of the
 * JVM.
 */
public final class TableFixture {

    private final LeaseStore store;
    private final String jvm;
    private final ProcessIdentity process;

    public TableFixture(LeaseStore store) {
        this(store, store.self(), store.process());
    }

    /** Creates the fixture of another JVM with a table in memory. */
    public TableFixture(LeaseStore store, String jvm, ProcessIdentity process) {
        this.store = store;
        this.jvm = jvm;
        this.process = process;
    }

    /** Creates the fixture of a JVM with a process ID that ended long ago. */
    public TableFixture(LeaseStore store, long pid) {
        this(
                store,
                "jvm-" + pid,
                new ProcessIdentity(
                        pid, 1, store.process().namespace(), store.process().user()));
    }

    public Claim grant(String holder, String... cores) {
        return grant(holder, "main", 1, cores);
    }

    public Claim grant(String holder, long thread, String... cores) {
        return grant(holder, "thread " + thread, thread, cores);
    }

    private Claim grant(String holder, String thread, long threadId, String... cores) {
        long moment = LeaseState.moment();
        return grant(new Claim(
                moment,
                jvm,
                process,
                holder,
                thread,
                threadId,
                moment,
                Instant.EPOCH,
                List.of(cores),
                List.of(),
                false,
                List.of()));
    }

    public Claim grant(Claim claim) {
        assertThat(store.cores().take(claim)).isEmpty();
        return claim;
    }

    /** Adds a process to a lease. */
    public Claim started(Claim claim, ProcessIdentity child) {
        Claim with = claim.with(
                Stream.concat(claim.processes().stream(), Stream.of(child)).toList());
        CoreSlots.slots(claim.cores())
                .forEach(slot ->
                        store.cores().write(slot, store.cores().content(slot).with(with)));
        return with;
    }

    public QuarantineEntry bar(Claim claim, Until until, String core) {
        return bar(claim, until, "status 1202", core);
    }

    public QuarantineEntry bar(Claim claim, Until until, String reason, String core) {
        return bar(claim.bar(core, reason, until, Instant.EPOCH, DeviceReading.NONE));
    }

    public QuarantineEntry bar(QuarantineEntry entry) {
        CoreSlots.slots(List.of(entry.core())).forEach(slot -> {
            CoreSlots.Content content = store.cores().content(slot);
            store.cores()
                    .write(
                            slot,
                            content.with(Stream.concat(content.barred().stream(), Stream.of(entry))
                                    .toList()));
        });
        return entry;
    }

    public void release(Claim claim) {
        List<Integer> slots = CoreSlots.slots(claim.cores());
        slots.forEach(
                slot -> store.cores().write(slot, store.cores().content(slot).with((Claim) null)));
        store.cores().unlock(slots);
    }

    public Head enqueue(String holder, String wants, long thread) {
        return store.tickets()
                .enter(
                        new Ticket(null, jvm, process, holder, wants, "thread " + thread, thread, List.of()),
                        false,
                        store.tickets().heads());
    }
}
