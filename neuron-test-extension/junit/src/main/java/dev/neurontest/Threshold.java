package dev.neurontest;

import dev.neurontest.profile.Statistic;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Expects a metric of the test's profile to be within limits. A value equal to its limit is accepted.
 *
 * <p>Passes for a graph that takes 16.4 ms; fails for a graph that takes 17.1 ms, with a table of all thresholds:
 *
 * <pre>{@code
 * @Test
 * @Threshold(metric = "total_time", max = "17 ms")
 * @Threshold(metric = "mfu_estimated_percent", min = "42 %")
 * void answersInTime() { ... }
 * }</pre>
 *
 * <p>Passes if the instructions of a line take 1.2 ms in total; fails if they take 1.8 ms, or if the line has no instructions:
 *
 * <pre>{@code
 * @Test
 * @ProfileNeff("model.neff")
 * @Threshold(line = "attention.py:120", max = "1.5 ms")
 * void attendsInTime() { ... }
 * }</pre>
 *
 * <p>A limit includes its unit: {@code 17 ms}, {@code 3 MiB}, {@code 42 %}. A bare number for a percent metric is an error in the test,
 * because the tools write fractions between 0 and 1. A metric that the tool did not write violates its limit, because absent is not zero.
 * With several ranks the worst value for the limit counts; for a time that is the slowest rank. On a class the annotation applies to each
 * test. An annotation on a method overrides that of its class for the same metric.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Repeatable(Threshold.List.class)
@NeuronTest
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface Threshold {

    /**
     * Names the metric. Exactly one of this member, {@link #line()} and {@link #layer()} is set.
     *
     * @return the tool's name of the metric, such as {@link dev.neurontest.profile.MetricNames#TOTAL_TIME}; names unknown to this library
     *     are accepted too
     */
    String metric() default "";

    /**
     * Selects a source line instead of a metric. The value is the total time of the instructions that come from the line. The profile then
     * has tables.
     *
     * @return the end of its path and its number, such as {@code attention.py:120}
     */
    String line() default "";

    /**
     * Selects a layer of the model instead of a metric. The value is the total time of its instructions and of the layers in it. The
     * profile then has tables.
     *
     * @return the whole name of the layer, such as {@code LlamaDecoderLayer[0]}
     */
    String layer() default "";

    /**
     * Sets the largest accepted value.
     *
     * @return a value with its unit; empty if there is no upper limit
     */
    String max() default "";

    /**
     * Sets the smallest accepted value.
     *
     * @return a value with its unit; empty if there is no lower limit
     */
    String min() default "";

    /**
     * Selects the statistic over several executions that is compared with the limit.
     *
     * @return {@code median}, {@code worst}, {@code each}, or a percentile such as {@code p90}, as {@link Statistic#parse} reads it
     */
    String over() default "median";

    /** Holds several thresholds on one test. */
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Documented
    @Inherited
    @NeuronTest
    @interface List {

        /**
         * Lists the thresholds.
         *
         * @return the thresholds in source order
         */
        Threshold[] value();
    }
}
