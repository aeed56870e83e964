package dev.neurontest.counter;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * What one file held while it was waited for.
 *
 * @param after since waiting began
 * @param value as a person reads it, without the end of the line; why there was none where it could not be read
 * @param location what a person would open to see the same
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SeenValue(Duration after, String value, String location) {}
