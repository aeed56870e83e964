package dev.neurontest.internal.lease;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.text.ListText;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Everything that one holder wants at a time. It gets all of it together or nothing, and no core twice.
 *
 * @param holder who asks, in words that another holder understands who has to wait, such as the test's name
 * @param cores what it wants
 * @param avoided the indices of cores that it does not want
 * @param within the leases that the holder, or what is around it, has already and keeps while it waits
 * @param lasting whether it is kept for all that this JVM still asks for
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record LeaseRequest(
        String holder, List<CoreRequest> cores, List<Integer> avoided, List<Lease> within, boolean lasting) {

    /**
     * Keeps its own copies.
     *
     * @param holder who asks, in words that another holder understands who has to wait, such as the test's name
     * @param cores what it wants, at least one request
     * @param avoided the indices of cores that it does not want
     * @param within the leases that the holder, or what is around it, has already and keeps while it waits
     * @param lasting whether it is kept for all that this JVM still asks for
     */
    public LeaseRequest {
        cores = List.copyOf(cores);
        avoided = List.copyOf(avoided);
        within = List.copyOf(within);
        if (cores.isEmpty()) {
            throw new IllegalArgumentException(holder + " asks for a lease of nothing");
        }
    }

    /**
     * A request of a test that has no lease yet.
     *
     * @param holder who asks, in words that another holder understands who has to wait, such as the test's name
     * @param cores what it wants, at least one request
     */
    public LeaseRequest(String holder, List<CoreRequest> cores) {
        this(holder, cores, List.of(), List.of(), false);
    }

    /**
     * The same request, but for other cores.
     *
     * @param unwanted cores that it does not want
     * @return the request
     */
    public LeaseRequest avoiding(Collection<NeuronCore> unwanted) {
        return new LeaseRequest(
                holder,
                cores,
                Stream.concat(avoided.stream(), unwanted.stream().map(NeuronCore::index))
                        .distinct()
                        .toList(),
                within,
                lasting);
    }

    /**
     * The same request of a test that has leases already. It is served before requests of tests that have none, because others
     * wait for these leases to end.
     *
     * @param leases what is kept while this is waited for
     * @return the request
     */
    public LeaseRequest within(Collection<Lease> leases) {
        return new LeaseRequest(holder, cores, avoided, List.copyOf(leases), lasting);
    }

    /**
     * The same request of a session, which gives its cores back when this JVM asks for nothing any more.
     *
     * @return the request
     */
    public LeaseRequest forAllOfTheJvm() {
        return new LeaseRequest(holder, cores, avoided, within, true);
    }

    /**
     * What messages call it.
     *
     * @return such as {@code core 0, and 2 cores in a row}
     */
    public String description() {
        String wanted = cores.stream().map(CoreRequest::description).collect(Collectors.joining(", and "));
        return avoided.isEmpty() ? wanted : wanted + " other than " + ListText.of(avoided);
    }
}
