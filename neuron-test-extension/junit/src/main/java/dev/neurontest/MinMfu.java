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
 * How much of the peak the profiled graph must use at least for what the model computes: {@code mfu_estimated_percent}. Its
 * definition differs between versions of the tools; older ones write 0 for kernels that come from no source graph.
 *
 * <p>Passes for a graph that reaches 45 % and fails for one that reaches 40 %:
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
     * The limit.
     *
     * @return with the percent sign, such as {@code "42 %"}
     */
    String value();

    /**
     * What of several executions is held against the limit.
     *
     * @return {@code median}, {@code worst}, {@code each}, or a percentile such as {@code p90}, as {@link Statistic#parse} reads it
     */
    String over() default "median";
}
