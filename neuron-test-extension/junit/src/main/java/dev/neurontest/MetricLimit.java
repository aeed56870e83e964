package dev.neurontest;

import dev.neurontest.profile.Latency;
import dev.neurontest.profile.MetricNames;
import dev.neurontest.profile.Statistic;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Makes an annotation a limit of metrics of the profiler. This is all that such an annotation needs:
 *
 * <pre>{@code
 * @Target({ElementType.TYPE, ElementType.METHOD})
 * @Retention(RetentionPolicy.RUNTIME)
 * @NeuronTest
 * @MetricLimit(atMost = MetricNames.HBM_READ_BYTES)
 * public @interface MaxHbmReads {
 *
 *     String value();
 *
 *     String over() default "median";
 * }
 * }</pre>
 *
 * <p>The annotation's {@code value()} is the limit with its unit, such as {@code "3 MiB"}. Its {@code over()} selects what of several
 * executions is held against the limit, as {@link Statistic#parse} reads it, and is the median where there is none. A member
 * {@code of()} of type {@link Latency} selects the time that is limited; where the tool does not write that time, the limit is undecided.
 * The annotation that is nearer to the test wins.
 */
@Target(ElementType.ANNOTATION_TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface MetricLimit {

    /**
     * The metrics that are limited from above, each by itself.
     *
     * @return as the tool names them, such as {@link MetricNames#SPILL_SAVE_BYTES}
     */
    String[] atMost() default {};

    /**
     * The metrics that are limited from below, each by itself.
     *
     * @return as the tool names them, such as {@link MetricNames#MFU_ESTIMATED_PERCENT}
     */
    String[] atLeast() default {};
}
