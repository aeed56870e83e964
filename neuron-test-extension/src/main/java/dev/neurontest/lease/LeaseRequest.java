package dev.neurontest.lease;

import java.util.List;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * Everything that one holder wants at a time. It gets all of it together or nothing, and no core twice.
 *
 * @param holder who asks, in words that another holder understands who has to wait, such as the test's name
 * @param cores what it wants
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record LeaseRequest(String holder, List<CoreRequest> cores) {

    /**
     * Keeps its own copy.
     *
     * @param holder who asks, in words that another holder understands who has to wait, such as the test's name
     * @param cores what it wants, at least one request
     */
    public LeaseRequest {
        cores = List.copyOf(cores);
        if (cores.isEmpty()) {
            throw new IllegalArgumentException(holder + " asks for a lease of nothing");
        }
    }

    /**
     * What messages call it.
     *
     * @return such as {@code core 0, and 2 cores in a row}
     */
    public String description() {
        return cores.stream().map(CoreRequest::description).collect(Collectors.joining(", and "));
    }
}
