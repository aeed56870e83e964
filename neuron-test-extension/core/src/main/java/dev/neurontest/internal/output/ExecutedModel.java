package dev.neurontest.internal.output;

import dev.neurontest.internal.text.VisibleText;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The executions of one model on one core during a test.
 *
 * @param model the file of the model
 * @param core name of the core
 * @param executions number of all executions
 * @param completed number of those with outputs
 * @param lastFailure status of the last execution without outputs; empty if there was none
 * @param outputs names of the outputs
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ExecutedModel(
        String model, String core, long executions, long completed, String lastFailure, List<String> outputs) {

    /** Returns model and core. */
    String place() {
        return VisibleText.line(model) + " on " + core;
    }

    ExecutedModel next(String failure, Collection<String> written) {
        return new ExecutedModel(
                model,
                core,
                executions + 1,
                completed + (failure.isEmpty() ? 1 : 0),
                failure.isEmpty() ? lastFailure : failure,
                outputs.containsAll(written)
                        ? outputs
                        : Stream.concat(outputs.stream(), written.stream())
                                .distinct()
                                .toList());
    }
}
