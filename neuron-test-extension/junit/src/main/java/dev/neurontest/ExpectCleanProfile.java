package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Expects a profile without problems: no warnings of the profiler, no hardware errors, and no limit that throttled a core for long.
 *
 * <p>Passes for a profile without warnings and errors; fails if notifications were dropped, and shows the warnings as rows:
 *
 * <pre>{@code
 * @Test
 * @ProfileNeff("model.neff")
 * @ExpectCleanProfile(warnings = "Missing Data")
 * void isTracedAsAWhole() { ... }
 * }</pre>
 *
 * <p>This check reads the tables of the profile and needs {@code org.duckdb:duckdb_jdbc} on the test class path. The profiler does not
 * write a table without rows. A missing table therefore counts as clean only if the profile's own schema lists it; otherwise the result is
 * undecided.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@NeuronTest
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface ExpectCleanProfile {

    /**
     * Selects the warnings that fail the test. Some warnings are harmless, such as those about keys of a newer compiler. In that case, list
     * the other categories.
     *
     * @return categories in upper or lower case, such as {@code Missing Data}; empty for all
     */
    String[] warnings() default {};

    /**
     * Limits the time for which one limit may throttle a core.
     *
     * @return a share of the time, such as {@code 5 %}
     */
    String throttled() default "5 %";
}
