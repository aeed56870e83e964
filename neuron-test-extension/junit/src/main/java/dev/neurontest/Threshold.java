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
 * Within which limits a metric of the test's profile must be. A value that equals its limit keeps it.
 *
 * <p>Passes for a graph that takes 16.4 ms and fails for one that takes 17.1 ms, with a table of all thresholds:
 *
 * <pre>{@code
 * @Test
 * @Threshold(metric = "total_time", max = "17 ms")
 * @Threshold(metric = "mfu_estimated_percent", min = "42 %")
 * void answersInTime() { ... }
 * }</pre>
 *
 * <p>Passes when the instructions of a line take 1.2 ms together, and fails when they take 1.8 ms, or when no instruction is of it:
 *
 * <pre>{@code
 * @Test
 * @ProfileNeff("model.neff")
 * @Threshold(line = "attention.py:120", max = "1.5 ms")
 * void attendsInTime() { ... }
 * }</pre>
 *
 * <p>A limit states its unit: {@code 17 ms}, {@code 3 MiB}, {@code 42 %}. A bare number for a percent metric is an error of the
 * test, because the tools write parts of one. A metric that the tool did not write breaks its limit: absent is not zero. Of
 * several ranks the one that is worst for the limit counts, for a time the slowest. On a class it holds for each test; a
 * method's own limit on the same metric wins.
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
     * The metric. Either this, {@link #line()} or {@link #layer()} is given.
     *
     * @return as the tool names it, such as {@link dev.neurontest.profile.MetricNames#TOTAL_TIME}; one that is not known here is
     *     looked for all the same
     */
    String metric() default "";

    /**
     * A source line instead of a metric: the time of the instructions that come from it, added up. The profile then has tables.
     *
     * @return the end of its path and its number, such as {@code attention.py:120}
     */
    String line() default "";

    /**
     * A layer of the model instead of a metric: the time of its instructions and of the layers in it, added up. The profile then has
     * tables.
     *
     * @return its whole name, such as {@code LlamaDecoderLayer[0]}
     */
    String layer() default "";

    /**
     * The largest value that will do.
     *
     * @return with its unit; empty when there is no upper limit
     */
    String max() default "";

    /**
     * The smallest value that will do.
     *
     * @return with its unit; empty when there is no lower limit
     */
    String min() default "";

    /**
     * What of several executions is held against the limit.
     *
     * @return {@code median}, {@code worst}, {@code each}, or a percentile such as {@code p90}, as {@link Statistic#parse} reads it
     */
    String over() default "median";

    /** Several thresholds on one test. */
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Documented
    @Inherited
    @NeuronTest
    @interface List {

        /**
         * The thresholds.
         *
         * @return in the order of the source
         */
        Threshold[] value();
    }
}
