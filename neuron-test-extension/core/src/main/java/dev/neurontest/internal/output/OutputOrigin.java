package dev.neurontest.internal.output;

import dev.neurontest.internal.text.VisibleText;
import org.apiguardian.api.API;

/**
 * The origin of one output.
 *
 * @param model the file of the model
 * @param core name of the core
 * @param execution number of the execution among those of the model on the core in the test, from 1
 * @param output name of the output
 * @param traced true if the profiler traced this execution, so that limits on the profile judge the same execution
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record OutputOrigin(String model, String core, long execution, String output, boolean traced) {

    /** Returns model and core, such as {@code scale.neff on neuron0/neuron_core0}. */
    String place() {
        return VisibleText.line(model) + " on " + core;
    }

    /** Returns the name of the output in quotation marks, for a terminal. */
    String quoted() {
        return "\"%s\"".formatted(VisibleText.line(output));
    }

    /** Returns the output; an empty name is for all outputs. */
    String name() {
        return output.isEmpty() ? "outputs" : "output " + quoted();
    }

    /** Returns the output with its execution, for messages. */
    String text() {
        return "%s of %s, execution %s%s".formatted(name(), place(), execution, traced ? ", which was traced" : "");
    }
}
