package dev.neurontest.internal.baseline;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The result of one run.
 *
 * @param value the median of its executions, in the metric's unit
 * @param iterations number of executions behind the median
 * @param rejection the reason why it does not count, such as {@code throttled for 40 % of the time}; empty when it counts
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record MeasuredRun(double value, int iterations, Optional<String> rejection) {}
