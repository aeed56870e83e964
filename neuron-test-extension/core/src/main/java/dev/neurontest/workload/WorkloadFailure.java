package dev.neurontest.workload;

import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.internal.workload.WorkloadMessage;
import org.apiguardian.api.API;

/** A workload that did not do what it should. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class WorkloadFailure extends AssertionError {

    private static final long serialVersionUID = 1;

    private final transient WorkloadResult result;

    @API(status = API.Status.INTERNAL)
    public WorkloadFailure(WorkloadResult result, WorkloadMessage message) {
        super(VisibleText.of(message.text()));
        this.result = result;
    }

    /**
     * How it ended.
     *
     * @return all that is known
     */
    public WorkloadResult result() {
        return result;
    }
}
