package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Nothing went wrong while the test's profile was taken and processed: the profiler warns of nothing, the hardware told no error, and
 * no limit held a core back for long.
 *
 * <p>Passes for a profile without warnings and errors; fails when notifications were dropped, with the warnings as rows:
 *
 * <pre>{@code
 * @Test
 * @ProfileNeff("model.neff")
 * @ExpectCleanProfile(warnings = "Missing Data")
 * void isTracedAsAWhole() { ... }
 * }</pre>
 *
 * <p>The tables of the profile tell it; {@code org.duckdb:duckdb_jdbc} has to be on the class path of the tests. A table without rows
 * is not written: nothing is wrong only when the profile's own schema knows the table, and undecided otherwise.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@NeuronTest
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface ExpectCleanProfile {

    /**
     * Which warnings count. Some are harmless, such as those about keys that a newer compiler writes: name the others then.
     *
     * @return categories in upper or lower case, such as {@code Missing Data}; empty for all
     */
    String[] warnings() default {};

    /**
     * For how long one limit may hold a core back.
     *
     * @return a share of the time, such as {@code 5 %}
     */
    String throttled() default "5 %";
}
