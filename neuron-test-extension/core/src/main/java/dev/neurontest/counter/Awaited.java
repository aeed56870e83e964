package dev.neurontest.counter;

import java.time.Duration;
import java.util.List;
import org.apiguardian.api.API;

/**
 * What came that was waited for.
 *
 * @param name the counter's path below {@code stats}, or the attribute
 * @param value what it reads now, such as {@code 13 (+10)}; of several cores with their names unless it is their sum
 * @param waited how long it took
 * @param looks how often it was read
 * @param seen each value that a file was seen with, the first reading first; of more than 50 the middle ones are left out
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Awaited(String name, String value, Duration waited, int looks, List<SeenValue> seen) {

    /**
     * Keeps its own copy.
     *
     * @param name the counter's path below {@code stats}, or the attribute
     * @param value what it reads now, such as {@code 13 (+10)}
     * @param waited how long it took
     * @param looks how often it was read
     * @param seen each value that a file was seen with, the first reading first
     */
    public Awaited {
        seen = List.copyOf(seen);
    }
}
