package dev.neurontest.assertj;

import dev.neurontest.metric.Quantity;
import dev.neurontest.profile.system.EventDemand;
import dev.neurontest.profile.system.EventStatistic;
import dev.neurontest.recording.Judgement;
import dev.neurontest.recording.JudgementText;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Assertions on the events of one name. When events were dropped, or there is none of that name, nothing is decided, which fails. What
 * counts is the 99th percentile until one of {@link #count}, {@link #total}, {@link #p50}, {@link #p99} and {@link #max} says otherwise.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class SystemEventAssert extends AbstractNeuronAssert<SystemEventAssert, ObservedEvent> {

    private EventStatistic over = EventStatistic.P99;

    /**
     * Starts assertions; {@link SystemProfileAssert#event} is the usual way.
     *
     * @param actual which events of which profile
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public SystemEventAssert(ObservedEvent actual) {
        super(actual, SystemEventAssert.class);
    }

    /**
     * From here on their number counts.
     *
     * <pre>{@code
     * // three executions: 16 ms, 16 ms and 18.1 ms
     * assertThat(systemProfile).event("nrt_execute").count().isAtMost("3"); // succeeds
     * assertThat(systemProfile).event("nrt_execute").count().isAtMost("2"); // fails
     * }</pre>
     *
     * @return this
     */
    public SystemEventAssert count() {
        return over(EventStatistic.COUNT);
    }

    /**
     * From here on the time of all together counts.
     *
     * <pre>{@code
     * // three executions: 16 ms, 16 ms and 18.1 ms
     * assertThat(systemProfile).event("nrt_execute").total().isAtMost("60 ms"); // succeeds
     * assertThat(systemProfile).event("nrt_execute").total().isAtMost("50 ms"); // fails
     * }</pre>
     *
     * @return this
     */
    public SystemEventAssert total() {
        return over(EventStatistic.TOTAL);
    }

    /**
     * From here on the time counts that half of them do not exceed.
     *
     * <pre>{@code
     * // three executions: 16 ms, 16 ms and 18.1 ms
     * assertThat(systemProfile).event("nrt_execute").p50().isAtMost("17 ms"); // succeeds
     * assertThat(systemProfile).event("nrt_execute").p50().isAtMost("15 ms"); // fails
     * }</pre>
     *
     * @return this
     */
    public SystemEventAssert p50() {
        return over(EventStatistic.P50);
    }

    /**
     * From here on the time counts that 99 of 100 do not exceed.
     *
     * <pre>{@code
     * // three executions: 16 ms, 16 ms and 18.1 ms
     * assertThat(systemProfile).event("nrt_execute").p99().isAtMost("19 ms"); // succeeds
     * assertThat(systemProfile).event("nrt_execute").p99().isAtMost("17 ms"); // fails
     * }</pre>
     *
     * @return this
     */
    public SystemEventAssert p99() {
        return over(EventStatistic.P99);
    }

    /**
     * From here on the time of the longest counts.
     *
     * <pre>{@code
     * // three executions: 16 ms, 16 ms and 18.1 ms
     * assertThat(systemProfile).event("nrt_execute").max().isAtMost("19 ms"); // succeeds
     * assertThat(systemProfile).event("nrt_execute").max().isAtMost("17 ms"); // fails
     * }</pre>
     *
     * @return this
     */
    public SystemEventAssert max() {
        return over(EventStatistic.MAX);
    }

    private SystemEventAssert over(EventStatistic statistic) {
        over = statistic;
        return this;
    }

    /**
     * It is not over a limit.
     *
     * <pre>{@code
     * assertThat(systemProfile).event("nrt_execute").p99().isAtMost("2 ms"); // succeeds
     * assertThat(systemProfile).event("nrt_execute").max().isAtMost("2 ms"); // fails, as after events were dropped
     * }</pre>
     *
     * @param max the limit, which may be reached: a time with its unit, or a number of events
     * @return this
     * @throws IllegalArgumentException when it cannot be read
     */
    public SystemEventAssert isAtMost(String max) {
        return meets(Optional.of(over.parse(max)), Optional.empty(), "isAtMost(\"%s\")".formatted(max));
    }

    /**
     * It is not under a limit.
     *
     * <pre>{@code
     * assertThat(systemProfile).event("nc_exec_running").count().isAtLeast("10"); // succeeds
     * assertThat(systemProfile).event("nc_exec_running").count().isAtLeast("11"); // fails
     * }</pre>
     *
     * @param min the limit, which may be reached: a time with its unit, or a number of events
     * @return this
     * @throws IllegalArgumentException when it cannot be read
     */
    public SystemEventAssert isAtLeast(String min) {
        return meets(Optional.empty(), Optional.of(over.parse(min)), "isAtLeast(\"%s\")".formatted(min));
    }

    private SystemEventAssert meets(Optional<Quantity> most, Optional<Quantity> least, String words) {
        isNotNull();
        Judgement found = new EventDemand(
                        actual.name(), over, most, least, "event(\"%s\").%s().%s".formatted(actual.name(), over, words))
                .judge(actual.profile());
        JudgementText text = new JudgementText(found);
        if (text.isFailure()) {
            throw failureWithActualExpected(
                    text.actual(),
                    text.expected(),
                    "%nSystem profile of %s by %s: %s%n%s",
                    actual.profile().title(),
                    actual.profile().tool(),
                    text.found(),
                    text.explained());
        }
        return myself;
    }
}
