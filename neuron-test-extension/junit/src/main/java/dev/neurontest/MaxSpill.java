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
 * How much the profiled graph may spill from the on-chip memory at most: {@code spill_save_bytes} and
 * {@code spill_reload_bytes}, each by itself. A tool that does not write them proves nothing, and the test fails.
 *
 * <p>Passes for a kernel whose tiles fit, and fails for one that saves 4096 bytes:
 *
 * <pre>{@code
 * @Test
 * @MaxSpill("0 B")
 * void fitsIntoTheStateBuffer() { ... }
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@NeuronTest
@MetricLimit(atMost = {MetricNames.SPILL_SAVE_BYTES, MetricNames.SPILL_RELOAD_BYTES})
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface MaxSpill {

    /**
     * The limit.
     *
     * @return an amount with its unit, such as {@code "0 B"} or {@code "3 MiB"}
     */
    String value();

    /**
     * What of several executions is held against the limit.
     *
     * @return {@code median}, {@code worst}, {@code each}, or a percentile such as {@code p90}, as {@link Statistic#parse} reads it
     */
    String over() default "median";
}
