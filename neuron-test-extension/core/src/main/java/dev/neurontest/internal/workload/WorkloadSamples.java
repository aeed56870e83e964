package dev.neurontest.internal.workload;

import dev.neurontest.baseline.SampleDoubt;
import dev.neurontest.internal.samples.ResultFile;
import dev.neurontest.workload.WorkloadResult;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/** A factory for the reader of a workload's results. Results of a program that did not end well prove nothing. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class WorkloadSamples {

    private WorkloadSamples() {}

    /** Creates a reader for the results of a workload. */
    public static ResultFile of(WorkloadResult result) {
        List<SampleDoubt> doubts = new ArrayList<>();
        if (!result.succeeded()) {
            doubts.add(new SampleDoubt(
                    SampleDoubt.Kind.FAILED, "the program failed: %s".formatted(WorkloadText.headline(result))));
        } else if (!result.endedWithZero()) {
            doubts.add(new SampleDoubt(
                    SampleDoubt.Kind.INCOMPLETE,
                    "the program did not end on its own with exit code 0: %s"
                            .formatted(WorkloadText.headline(result))));
        }
        return new ResultFile(
                "%s (pid %s, started %s)".formatted(result.name(), result.pid(), result.started()),
                result.started(),
                result.started().plus(result.duration()),
                doubts);
    }
}
