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
 * How much memory the profiled graph may take at most.
 *
 * <p>Passes for a graph with 9 GiB of weights that fills 80 % of SBUF, and fails for one with 11 GiB:
 *
 * <pre>{@code
 * @Test
 * @ProfileNeff("model.neff")
 * @MaxMemory(hbm = "10 GiB", usage = "Weights")
 * @MaxMemory(hbm = "14 GiB", sbuf = "90 %", tensor = "512 MiB")
 * void fits() { ... }
 * }</pre>
 *
 * <p>The tables of the profile tell it; {@code org.duckdb:duckdb_jdbc} has to be on the class path of the tests. What they do not tell
 * is undecided. For what the driver counts while a test runs, see {@link ExpectPeakMemory}.
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
     * HBM of one core.
     *
     * @return an amount, such as {@code 10 GiB}; empty for no limit
     */
    String hbm() default "";

    /**
     * What the HBM is used for, if the limit is for that only.
     *
     * @return as the table {@code HbmUsageSummaryByType} calls it; empty for all of it
     */
    String usage() default "";

    /**
     * SBUF at its peak.
     *
     * @return a share, such as {@code 90 %}; empty for no limit
     */
    String sbuf() default "";

    /**
     * PSUM at its peak.
     *
     * @return a share, such as {@code 90 %}; empty for no limit
     */
    String psum() default "";

    /**
     * The largest single input, output or weight.
     *
     * @return an amount, such as {@code 512 MiB}; empty for no limit
     */
    String tensor() default "";

    /** Several of them on one test. */
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Documented
    @Inherited
    @NeuronTest
    @interface List {

        /**
         * The demands.
         *
         * @return in the order of the source
         */
        MaxMemory[] value();
    }
}
