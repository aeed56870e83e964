package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Limits the memory of the profiled graph.
 *
 * <p>Passes for a graph with 9 GiB of weights that fills 80 % of SBUF; fails for a graph with 11 GiB of weights:
 *
 * <pre>{@code
 * @Test
 * @ProfileNeff("model.neff")
 * @MaxMemory(hbm = "10 GiB", usage = "Weights")
 * @MaxMemory(hbm = "14 GiB", sbuf = "90 %", tensor = "512 MiB")
 * void fits() { ... }
 * }</pre>
 *
 * <p>This check reads the tables of the profile and needs {@code org.duckdb:duckdb_jdbc} on the test class path. If the tables do not
 * contain a value, its limit is undecided. {@link ExpectPeakMemory} limits the memory that the driver counts while a test runs.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Repeatable(MaxMemory.List.class)
@NeuronTest
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface MaxMemory {

    /**
     * Limits the HBM of one core.
     *
     * @return an amount, such as {@code 10 GiB}; empty for no limit
     */
    String hbm() default "";

    /**
     * Selects the kind of HBM usage to which the HBM limit applies.
     *
     * @return the name of the usage in the table {@code HbmUsageSummaryByType}; empty for all HBM
     */
    String usage() default "";

    /**
     * Limits the peak usage of SBUF.
     *
     * @return a share, such as {@code 90 %}; empty for no limit
     */
    String sbuf() default "";

    /**
     * Limits the peak usage of PSUM.
     *
     * @return a share, such as {@code 90 %}; empty for no limit
     */
    String psum() default "";

    /**
     * Limits the largest single input, output or weight.
     *
     * @return an amount, such as {@code 512 MiB}; empty for no limit
     */
    String tensor() default "";

    /** Holds several memory limits on one test. */
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Documented
    @Inherited
    @NeuronTest
    @interface List {

        /**
         * Lists the limits.
         *
         * @return the limits in source order
         */
        MaxMemory[] value();
    }
}
