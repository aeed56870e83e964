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
 * How long one execution of the profiled graph may take at most: its {@code total_time}, unless {@link #of} says otherwise. Where the tool
 * does not write that time, the demand is undecided; another is never taken in its place. With several ranks the slowest counts.
 *
 * <p>Passes for a graph that takes 16.4 ms and fails for one that takes 17.1 ms:
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
     * The limit.
     *
     * @return a time with its unit, such as {@code "17 ms"}
     */
    String value();

    /**
     * Which time is meant.
     *
     * @return {@link Latency#TOTAL}, which every known tool writes, unless said otherwise; the same with every version of the tools
     */
    Latency of() default Latency.TOTAL;

    /**
     * What of several executions is held against the limit.
     *
     * @return {@code median}, {@code worst}, {@code each}, or a percentile such as {@code p90}, as {@link Statistic#parse} reads it
     */
    String over() default "median";
}
