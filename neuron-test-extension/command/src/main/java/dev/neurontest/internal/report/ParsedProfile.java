package dev.neurontest.internal.report;

import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.json.RecordReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A recording of kind {@code profile} as far as a report shows it.
 *
 * @param title of the profile
 * @param tool that made it
 * @param capture how it was taken
 * @param executions that were traced
 * @param doubts about all of them
 * @param thresholds that were checked
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ParsedProfile(
        String title,
        String tool,
        String capture,
        List<Execution> executions,
        List<ParsedDoubt> doubts,
        List<Threshold> thresholds) {

    /** The kind of the recordings that can be read. */
    public static final String KIND = "profile";

    /**
     * Reads a recording. What it lacks is empty.
     *
     * @param recording of kind {@link #KIND}
     * @return its content
     */
    public static ParsedProfile of(JsonObject recording) {
        return RecordReader.LENIENT.read(recording, ParsedProfile.class);
    }

    /**
     * An execution that was traced.
     *
     * @param rank of its core; empty for one alone
     * @param doubts about it
     * @param metrics its numbers by name
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Execution(Optional<Long> rank, List<ParsedDoubt> doubts, Map<String, Double> metrics) {}

    /**
     * The result of a threshold.
     *
     * @param rule in the words of the test
     * @param metric its name
     * @param outcome kept, violated or undecided
     * @param value of the metric
     * @param bound of the threshold
     * @param shown the value with its unit
     * @param limit the bound with its unit
     * @param margin how far they are from each other
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Threshold(
            String rule,
            String metric,
            String outcome,
            Optional<Double> value,
            Optional<Double> bound,
            String shown,
            String limit,
            String margin) {}
}
