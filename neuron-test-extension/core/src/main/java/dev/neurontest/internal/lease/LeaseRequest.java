package dev.neurontest.internal.lease;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.text.ListText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A request of a holder for cores. It is granted completely or not at all, and each core at most once.
 *
 * @param holder the name of the requester for other waiting users, such as the name of the test
 * @param cores the required cores
 * @param avoided the indices of excluded cores
 * @param within the existing leases of the holder and its enclosing scopes, kept during the wait
 * @param lasting true if the lease is kept until this JVM has no other requests
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record LeaseRequest(
        String holder, List<CoreRequest> cores, List<Integer> avoided, List<Lease> within, boolean lasting) {

    /**
     * Creates a request with copies of the lists.
     *
     * @param holder the name of the requester for other waiting users, such as the name of the test
     * @param cores the required cores, at least one request
     * @param avoided the indices of excluded cores
     * @param within the existing leases of the holder and its enclosing scopes, kept during the wait
     * @param lasting true if the lease is kept until this JVM has no other requests
     */
    public LeaseRequest {
        cores = List.copyOf(cores);
        avoided = List.copyOf(avoided);
        within = List.copyOf(within);
        if (cores.isEmpty()) {
            throw new IllegalArgumentException(holder + " requests an empty lease");
        }
    }

    /**
     * Creates a request of a test without leases.
     *
     * @param holder the name of the requester for other waiting users, such as the name of the test
     * @param cores the required cores, at least one request
     */
    public LeaseRequest(String holder, List<CoreRequest> cores) {
        this(holder, cores, List.of(), List.of(), false);
    }

    /**
     * Returns this request with further excluded cores.
     *
     * @param unwanted the cores to exclude
     */
    public LeaseRequest avoiding(Collection<NeuronCore> unwanted) {
        Set<Integer> excluded = new LinkedHashSet<>(avoided);
        for (NeuronCore core : unwanted) {
            excluded.add(core.index());
        }
        return new LeaseRequest(holder, cores, List.copyOf(excluded), within, lasting);
    }

    /**
     * Returns this request for a test that already has leases. Such requests are served before requests of tests without leases,
     * because others wait for these leases to end.
     *
     * @param leases the leases kept during the wait
     */
    public LeaseRequest within(Collection<Lease> leases) {
        return new LeaseRequest(holder, cores, avoided, List.copyOf(leases), lasting);
    }

    /** Returns this request for a session, which releases its cores when this JVM has no other requests. */
    public LeaseRequest forAllOfTheJvm() {
        return new LeaseRequest(holder, cores, avoided, within, true);
    }

    /**
     * Returns the description of the request for messages.
     *
     * @return for example {@code core 0, and 2 cores in a row}
     */
    public String description() {
        List<String> descriptions = new ArrayList<>();
        for (CoreRequest each : cores) {
            descriptions.add(each.description());
        }
        String requested = String.join(", and ", descriptions);
        return avoided.isEmpty() ? requested : requested + " other than " + ListText.of(avoided);
    }
}
