package dev.neurontest;

import dev.neurontest.profile.Latency;
import dev.neurontest.profile.MetricNames;
import dev.neurontest.profile.Statistic;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Limits the time of one execution of the profiled graph: its {@code total_time}, unless {@link #of} selects another time. If the tool does
 * not write that time, the expectation is undecided; no other time replaces it. With several ranks the slowest rank counts.
 *
 * <p>Passes for a graph that takes 16.4 ms and fails for a graph that takes 17.1 ms:
 *
 * <pre>{@code
 * @Test
 * @MaxLatency("17 ms")
 * void answersInTime() { ... }
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@NeuronTest
@MetricLimit(atMost = MetricNames.TOTAL_TIME)
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface MaxLatency {

    /**
     * Sets the limit.
     *
     * @return a time with its unit, such as {@code "17 ms"}
     */
    String value();

    /**
     * Selects the time to limit.
     *
     * @return {@link Latency#TOTAL} by default; every known tool writes it, and all tool versions define it equally
     */
    Latency of() default Latency.TOTAL;

    /**
     * Selects the statistic over several executions that is compared with the limit.
     *
     * @return {@code median}, {@code worst}, {@code each}, or a percentile such as {@code p90}, as {@link Statistic#parse} reads it
     */
    String over() default "median";
}
