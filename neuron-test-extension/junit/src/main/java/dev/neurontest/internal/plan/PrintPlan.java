package dev.neurontest.internal.plan;

import dev.neurontest.print.PrintExpectation;
import dev.neurontest.print.PrintExpectations;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The plan of a test for device prints, with the rules that judge them.
 *
 * @param required true if the test reads prints itself or has expectations on them
 * @param rules the expectations on the prints
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record PrintPlan(boolean required, PrintExpectations rules) {

    /** Plan of a class or test without prints. */
    public static final PrintPlan NONE = new PrintPlan(false, PrintExpectations.DEFAULT);

    /** Returns the texts of all expectations. */
    public List<String> expectations() {
        return rules.expectations().stream().map(PrintExpectation::words).toList();
    }
}
