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
 * Turns an annotation into a limit of profiler metrics. Such an annotation needs no further code:
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
 * <p>The {@code value()} of the annotation is the limit with its unit, such as {@code "3 MiB"}. Its {@code over()} selects the statistic
 * over several executions that is compared with the limit, as {@link Statistic#parse} reads it. Without {@code over()} the median is used.
 * A member {@code of()} of type {@link Latency} selects the time to limit. If the tool does not write that time, the limit is undecided. If
 * several elements have the annotation, the nearest one to the test applies.
 */
@Target(ElementType.ANNOTATION_TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface MetricLimit {

    /**
     * Names the metrics that have an upper limit. The limit applies to each metric separately.
     *
     * @return names as the tool writes them, such as {@link MetricNames#SPILL_SAVE_BYTES}
     */
    String[] atMost() default {};

    /**
     * Names the metrics that have a lower limit. The limit applies to each metric separately.
     *
     * @return names as the tool writes them, such as {@link MetricNames#MFU_ESTIMATED_PERCENT}
     */
    String[] atLeast() default {};
}
