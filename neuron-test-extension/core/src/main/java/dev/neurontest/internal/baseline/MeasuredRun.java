package dev.neurontest.internal.baseline;

import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What one run gave.
 *
 * @param value the median of its executions, in the metric's unit
 * @param iterations how many executions that is the median of
 * @param rejection why it does not count, such as {@code throttled for 40 % of the time}; empty when it does
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record MeasuredRun(double value, int iterations, Optional<String> rejection) {}
