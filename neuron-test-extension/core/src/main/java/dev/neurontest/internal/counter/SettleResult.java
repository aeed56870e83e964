package dev.neurontest.internal.counter;

import dev.neurontest.counter.Counter;
import dev.neurontest.internal.text.ListText;
import java.time.Duration;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The result of a wait for counters to settle.
 *
 * @param quiet true if two readings were equal
 * @param waited duration of the wait
 * @param moving counters that were still changing at the end
 */
@API(status = API.Status.INTERNAL)
public record SettleResult(boolean quiet, Duration waited, List<Counter> moving) {

    public static final SettleResult NOT_ASKED_FOR = new SettleResult(true, Duration.ZERO, List.of());

    private static final int NAMED = 3;

    static SettleResult quiet(Duration waited) {
        return new SettleResult(true, waited, List.of());
    }

    /** Returns the notice about counters that did not settle. */
    public String notice() {
        return "The counters did not settle within %s ms; still changing: %s. The readings after the test may be too early."
                .formatted(waited.toMillis(), ListText.some(moving, NAMED));
    }
}
