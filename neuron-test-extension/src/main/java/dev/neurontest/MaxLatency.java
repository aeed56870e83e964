package dev.neurontest;

import dev.neurontest.profile.Statistic;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * How long one execution of the profiled graph may take at most, by the first of {@code total_exec_time},
 * {@code total_active_time} and {@code total_time} that the tool wrote; the message says which. Of several ranks the slowest counts.
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
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface MaxLatency {

    /**
     * The limit.
     *
     * @return a time with its unit, such as {@code "17 ms"}
     */
    String value();

    /**
     * What of several executions is held against the limit.
     *
     * @return {@code median}, {@code worst}, {@code each}, or a percentile such as {@code p90}, as {@link Statistic#parse} reads it
     */
    String over() default "median";
}
