package dev.neurontest.internal.output;

import dev.neurontest.tensor.Tolerance;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The expectation of a test about one output, or about each output that no other expectation names.
 *
 * @param output name of the output; {@link #EACH} for all others
 * @param golden file with the expected values; empty for none
 * @param tolerance allowed difference from them
 * @param dtype expected data type; empty for that of the golden
 * @param allowed contents that are right for this output
 * @param same true to expect the same bytes from executions with the same inputs
 * @param words the expectation as written in the test
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record OutputExpectation(
        String output,
        Optional<Path> golden,
        Tolerance tolerance,
        String dtype,
        Set<OutputOddity> allowed,
        boolean same,
        String words) {

    /** Name for the outputs that no expectation names. */
    public static final String EACH = "";

    /** Creates an expectation with its own copy of the allowed contents. */
    public OutputExpectation {
        allowed = Set.copyOf(allowed);
    }

    /** Returns the output for messages. */
    String subject() {
        return output.equals(EACH) ? "outputs" : "output \"%s\"".formatted(output);
    }
}
