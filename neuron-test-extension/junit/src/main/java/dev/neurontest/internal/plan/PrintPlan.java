package dev.neurontest.internal.plan;

import dev.neurontest.print.PrintExpectation;
import dev.neurontest.print.PrintExpectations;
import java.util.List;
import org.apiguardian.api.API;

/**
 * What a test wants of device prints, and how they are judged.
 *
 * @param wanted whether the test looks at prints itself, or demands something of them
 * @param rules what they are judged by
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record PrintPlan(boolean wanted, PrintExpectations rules) {

    /** For whatever has nothing to do with prints. */
    public static final PrintPlan NONE = new PrintPlan(false, PrintExpectations.DEFAULT);

    /** Everything that is demanded. */
    public List<String> demands() {
        return rules.demands().stream().map(PrintExpectation::words).toList();
    }
}
