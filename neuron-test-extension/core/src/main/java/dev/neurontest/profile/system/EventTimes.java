package dev.neurontest.profile.system;

import dev.neurontest.text.DurationText;
import java.time.Duration;
import java.util.Locale;
import org.apiguardian.api.API;

/**
 * What the events of one name took. Percentiles are the least time that so many of them kept.
 *
 * @param name such as {@code nrt_execute} or {@code nc_exec_running}
 * @param onDevice whether they happened on a NeuronCore; what runtime and framework did happened on the host
 * @param count how many; an execution counts once, though each physical core of a logical one has an event of it
 * @param total of all
 * @param p50 half of them took no longer
 * @param p99 99 of 100 took no longer
 * @param max the longest
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record EventTimes(
        String name, boolean onDevice, long count, Duration total, Duration p50, Duration p99, Duration max) {

    /** In one line. */
    String inWords() {
        return String.format(
                Locale.ROOT,
                "%s: %,d, p50 %s, p99 %s, longest %s, in all %s",
                name,
                count,
                DurationText.exact(p50),
                DurationText.exact(p99),
                DurationText.exact(max),
                DurationText.exact(total));
    }
}
