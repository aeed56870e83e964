package dev.neurontest;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.evidence.TestId;
import dev.neurontest.lease.ImpossibleRequestException;
import dev.neurontest.lease.Lease;
import dev.neurontest.lease.LeaseRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The cores that the tests of a JVM share. They are leased when the first test asks for them. */
final class SessionCores implements AutoCloseable {

    private static final TestId SESSION = new TestId("session", "all tests of a session");

    private final Session session;
    private final Map<Slot, Part> parts = new LinkedHashMap<>();
    private final List<TestLease> leases = new ArrayList<>();

    /** What a slot got out of a lease. */
    record Part(Lease lease, List<NeuronCore> cores) {}

    SessionCores(Session session) {
        this.session = session;
    }

    /**
     * What these slots have; those that have nothing yet are leased all at once.
     *
     * @param around what the classes around have, and keep while this is waited for
     * @throws ImpossibleRequestException at once, when that and what the session has already leaves too little
     */
    synchronized Map<Slot, Part> of(Collection<Slot> slots, Collection<Lease> around) {
        List<Slot> missing =
                slots.stream().filter(slot -> !parts.containsKey(slot)).toList();
        if (!missing.isEmpty()) {
            TestLease lease = TestLease.take(session, session.host().leases(), SESSION, request(missing, around));
            leases.add(lease);
            for (int i = 0; i < missing.size(); i++) {
                parts.put(
                        missing.get(i),
                        new Part(lease.lease(), lease.lease().granted().get(i)));
            }
        }
        Map<Slot, Part> wanted = new LinkedHashMap<>();
        slots.forEach(slot -> wanted.put(slot, parts.get(slot)));
        return wanted;
    }

    private LeaseRequest request(List<Slot> missing, Collection<Lease> around) {
        List<Lease> kept = Stream.concat(leases.stream().map(TestLease::lease), around.stream())
                .distinct()
                .toList();
        LeaseRequest request = new LeaseRequest(
                        SESSION.name(), missing.stream().map(Slot::request).toList())
                .within(kept)
                .forAllOfTheJvm();
        if (!kept.isEmpty()) {
            session.host()
                    .leases()
                    .check(
                            request,
                            kept.stream()
                                    .flatMap(lease -> lease.cores().stream())
                                    .toList());
        }
        return request;
    }

    /** Everything that is leased. */
    synchronized List<NeuronCore> all() {
        return leases.stream().flatMap(each -> each.lease().cores().stream()).toList();
    }

    @Override
    public synchronized void close() {
        leases.forEach(TestLease::close);
        leases.clear();
        parts.clear();
    }
}
