package dev.neurontest.counter;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * The result of a successful wait.
 *
 * @param name the counter's path below {@code stats}, or the attribute
 * @param value current value, such as {@code 13 (+10)}; for several cores it includes their names unless it is their sum
 * @param waited duration of the wait
 * @param looks number of readings
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Awaited(String name, String value, Duration waited, int looks) {}
