package dev.neurontest.internal.plan;

import dev.neurontest.internal.output.OutputExpectation;
import dev.neurontest.internal.output.OutputExpectations;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The plan of a test for its outputs.
 *
 * @param rules the expectations, without their goldens
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record OutputPlan(List<OutputExpectation> rules) {

    /** Plan of a class or test without expectations on outputs. */
    public static final OutputPlan NONE = new OutputPlan(List.of());

    /** Reads the goldens. One that is missing or proves nothing is an error in the test. */
    public OutputExpectations withGoldens() {
        try {
            return OutputExpectations.read(rules);
        } catch (IllegalArgumentException refused) {
            throw Misuse.of(String.valueOf(refused.getMessage()), refused);
        }
    }

    /** Returns the texts of all expectations. */
    public List<String> expectations() {
        return rules.stream().map(OutputExpectation::words).toList();
    }
}
