package dev.neurontest.internal.report;

import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.internal.judgement.Measurement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A measurement of kind {@code profile}, with the parts that a report shows.
 *
 * @param title title of the profile
 * @param tool tool that made it
 * @param capture method of the capture
 * @param executions traced executions
 * @param doubts doubts about all executions
 * @param thresholds checked thresholds
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ParsedProfile(
        String title,
        String tool,
        String capture,
        List<Execution> executions,
        List<ParsedDoubt> doubts,
        List<Threshold> thresholds) {

    /** Kind of the parsed measurements. */
    public static final String KIND = Measurement.PROFILE;

    /**
     * Parses a measurement. Missing members are empty.
     *
     * @param recording measurement of kind {@link #KIND}
     */
    public static ParsedProfile of(JsonObject recording) {
        return RecordReader.LENIENT.read(recording, ParsedProfile.class);
    }

    /**
     * A traced execution.
     *
     * @param rank rank of the core; empty for a single one
     * @param doubts doubts about this execution
     * @param metrics values by name
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Execution(Optional<Long> rank, List<ParsedDoubt> doubts, Map<String, Double> metrics) {}

    /**
     * The result of a threshold.
     *
     * @param rule rule in the words of the test
     * @param metric name of the metric
     * @param outcome kept, violated or undecided
     * @param value value of the metric
     * @param bound bound of the threshold
     * @param shown value with its unit
     * @param limit bound with its unit
     * @param margin distance between value and bound
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
