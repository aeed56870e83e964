package dev.neurontest.internal.output;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The outputs of a test.
 *
 * @param executed the executed models, in the order of their first execution
 * @param series the outputs, each on each core, in the order in which they were first examined
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record CollectedOutputs(List<ExecutedModel> executed, List<OutputSeries> series) {

    /** Outputs of a test without executions. */
    public static final CollectedOutputs NONE = new CollectedOutputs(List.of(), List.of());

    /** Creates outputs with copies of the lists. */
    public CollectedOutputs {
        executed = List.copyOf(executed);
        series = List.copyOf(series);
    }

    /** Returns whether no output was examined, and none was left out. */
    public boolean isEmpty() {
        return series.isEmpty();
    }
}
