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
 * Error counters that may move in a test that provokes the error.
 *
 * <p>Passes although an execution ran out of bounds, and would fail with the table of the counters without it:
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
     * The counters.
     *
     * @return names as in {@link ExpectCounter#value()}
     */
    String[] value();

    /** Several allowances on one test. */
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Documented
    @Inherited
    @NeuronTest
    @interface List {

        /**
         * The allowances.
         *
         * @return in the order of the source
         */
        AllowCounter[] value();
    }
}
