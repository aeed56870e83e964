package dev.neurontest.cluster;

import dev.neurontest.internal.cluster.rank.ClusterMessage;
import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;

/**
 * Thrown when a workload on several hosts did not end as expected. The message begins with the program that explains the failure, and has
 * a line for each kind of end of the others.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ClusterFailure extends AssertionError {

    private static final long serialVersionUID = 1;

    private final transient ClusterResult result;

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public ClusterFailure(ClusterResult result) {
        super(VisibleText.of(new ClusterMessage(result).text()));
        this.result = result;
    }

    /**
     * Returns the result of the workload.
     *
     * @return all known information about its end
     */
    public ClusterResult result() {
        return result;
    }
}
