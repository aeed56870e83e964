package dev.neurontest.internal.lifecycle.lease;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.lease.ImpossibleRequestException;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.Leases;
import dev.neurontest.internal.plan.CoreSlot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The cores that the tests of a JVM share. They are leased when the first test requests them. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SessionCores implements AutoCloseable {

    private final Leases table;
    private final TestLeases testLeases;
    private final Map<CoreSlot, Part> parts = new LinkedHashMap<>();
    private final List<TestLease> leases = new ArrayList<>();

    /** The cores that a slot received from a lease. */
    record Part(Lease lease, List<NeuronCore> cores) {}

    /** Creates an object without leased cores. */
    public SessionCores(Leases table, TestLeases testLeases) {
        this.table = table;
        this.testLeases = testLeases;
    }

    /**
     * Returns the cores of these slots. Slots without cores are leased together.
     *
     * @throws ImpossibleRequestException at once, if this request and the cores that the session already holds leave too few
     */
    synchronized Map<CoreSlot, Part> of(Collection<CoreSlot> places, Collection<Lease> enclosing) {
        List<CoreSlot> missing = new ArrayList<>(places);
        missing.removeAll(parts.keySet());
        if (!missing.isEmpty()) {
            TestLease lease = testLeases.take(table, TestId.SESSION, request(missing, enclosing));
            leases.add(lease);
            for (int i = 0; i < missing.size(); i++) {
                parts.put(
                        missing.get(i),
                        new Part(lease.lease(), lease.lease().granted().get(i)));
            }
        }
        Map<CoreSlot, Part> requested = new LinkedHashMap<>();
        for (CoreSlot place : places) {
            requested.put(place, parts.get(place));
        }
        return requested;
    }

    private LeaseRequest request(List<CoreSlot> missing, Collection<Lease> enclosing) {
        List<Lease> kept = Stream.concat(leases.stream().map(TestLease::lease), enclosing.stream())
                .distinct()
                .toList();
        LeaseRequest request = new LeaseRequest(
                        TestId.SESSION.name(),
                        missing.stream().map(CoreSlot::request).toList())
                .within(kept)
                .forAllOfTheJvm();
        if (!kept.isEmpty()) {
            table.check(
                    request,
                    kept.stream().flatMap(lease -> lease.cores().stream()).toList());
        }
        return request;
    }

    /** Returns all leased cores. */
    public synchronized List<NeuronCore> all() {
        List<NeuronCore> all = new ArrayList<>();
        for (TestLease each : leases) {
            all.addAll(each.lease().cores());
        }
        return all;
    }

    @Override
    public synchronized void close() {
        for (TestLease each : leases) {
            each.close();
        }
        leases.clear();
        parts.clear();
    }
}
