package dev.neurontest.workload;

import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.internal.workload.WorkloadMessage;
import org.apiguardian.api.API;

/** Thrown when a workload did not end as expected. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class WorkloadFailure extends AssertionError {

    private static final long serialVersionUID = 1;

    private final transient WorkloadResult result;

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public WorkloadFailure(WorkloadResult result, WorkloadMessage message) {
        super(VisibleText.of(message.text()));
        this.result = result;
    }

    /**
     * Returns the result of the workload.
     *
     * @return all known information about its end
     */
    public WorkloadResult result() {
        return result;
    }
}
