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
 * Limits the bytes that the profiled graph spills from on-chip memory. The limit applies to {@code spill_save_bytes} and to
 * {@code spill_reload_bytes} separately. If the tool does not write these metrics, the test fails.
 *
 * <p>Passes for a kernel that spills nothing; fails for a kernel that saves 4096 bytes:
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
     * Sets the limit.
     *
     * @return an amount with its unit, such as {@code "0 B"} or {@code "3 MiB"}
     */
    String value();

    /**
     * Selects the statistic over several executions that is compared with the limit.
     *
     * @return {@code median}, {@code worst}, {@code each}, or a percentile such as {@code p90}, as {@link Statistic#parse} reads it
     */
    String over() default "median";
}
