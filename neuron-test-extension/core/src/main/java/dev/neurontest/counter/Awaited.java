package dev.neurontest.counter;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * What came that was waited for.
 *
 * @param name the counter's path below {@code stats}, or the attribute
 * @param value what it reads now, such as {@code 13 (+10)}; of several cores with their names unless it is their sum
 * @param waited how long it took
 * @param looks how often it was read
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Awaited(String name, String value, Duration waited, int looks) {}
