package dev.neurontest.internal.judgement;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The test of a measurement, and its result, for the heading of a page in {@code measured.mustache}.
 *
 * @param name display names of the test, such as {@code InferenceTest > oneCore()}
 * @param cores names of its cores
 * @param judgement judgement of all expectations of the measurement
 * @param passed true if the test passed, as known when the page is written
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record MeasuredTest(String name, List<String> cores, Judgement judgement, boolean passed) {

    /** Creates a test with its own copy of the cores. */
    public MeasuredTest {
        cores = List.copyOf(cores);
    }

    /** Returns a copy with the final result of the test. */
    public MeasuredTest ended(boolean hasPassed) {
        return new MeasuredTest(name, cores, judgement, hasPassed);
    }

    /** Returns the word of the verdict, which is also a CSS class. */
    public String verdict() {
        return !judgement.violations().isEmpty()
                ? "failed"
                : !judgement.undecided().isEmpty() ? "undecided" : passed ? "passed" : "kept";
    }

    /** Returns sentences that name the expectations that were not met. */
    public List<String> verdictWords() {
        List<String> words = Stream.of(
                        rules("Violated", judgement.violations(), Violation::rule),
                        rules("Undecided", judgement.undecided(), Undecided::rule),
                        rules("Not applicable", judgement.notApplicable(), NotApplicable::rule))
                .flatMap(Optional::stream)
                .toList();
        if (!words.isEmpty()) {
            return words;
        }
        return passed
                ? List.of()
                : List.of("All expectations shown here are met. The test did not pass for another reason.");
    }

    private static <T> Optional<String> rules(String label, List<T> expectations, Function<T, String> rule) {
        return expectations.isEmpty()
                ? Optional.empty()
                : Optional.of(label + ": "
                        + expectations.stream().map(rule).distinct().collect(Collectors.joining(", ")));
    }
}
