package dev.neurontest;

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
 * Expects the profiled graph to use a minimum share of the peak performance for the computations of the model:
 * {@code mfu_estimated_percent}. The definition of this metric differs between tool versions. Older tools write 0 for kernels without a
 * source graph.
 *
 * <p>Passes for a graph that reaches 45 % and fails for a graph that reaches 40 %:
 *
 * <pre>{@code
 * @Test
 * @MinMfu("42 %")
 * void keepsTheTensorEngineBusy() { ... }
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@NeuronTest
@MetricLimit(atLeast = MetricNames.MFU_ESTIMATED_PERCENT)
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface MinMfu {

    /**
     * Sets the limit.
     *
     * @return a share with the percent sign, such as {@code "42 %"}
     */
    String value();

    /**
     * Selects the statistic over several executions that is compared with the limit.
     *
     * @return {@code median}, {@code worst}, {@code each}, or a percentile such as {@code p90}, as {@link Statistic#parse} reads it
     */
    String over() default "median";
}
