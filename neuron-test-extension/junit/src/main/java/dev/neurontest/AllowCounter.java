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
 * Allows error counters to change in a test that provokes the error.
 *
 * <p>Passes although an execution accesses memory out of bounds; fails without the annotation, with a table of the counters:
 *
 * <pre>{@code
 * @Test
 * @AllowCounter("oob_error")
 * void reportsAnOutOfBoundsAccess(NeuronCore core) { ... }
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Repeatable(AllowCounter.List.class)
@NeuronTest
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface AllowCounter {

    /**
     * Names the counters.
     *
     * @return names as in {@link ExpectCounter#value()}
     */
    String[] value();

    /** Holds several allowances on one test. */
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Documented
    @Inherited
    @NeuronTest
    @interface List {

        /**
         * Lists the allowances.
         *
         * @return the allowances in source order
         */
        AllowCounter[] value();
    }
}
