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
 * By how much a counter of the driver must have moved on the leased cores when the test is over.
 *
 * <p>Passes when 100 executions succeeded, fails with a table of the counters when there were 99:
 *
 * <pre>{@code
 * @Test
 * @ExpectCounter(value = "inference_count", delta = 100)
 * void answersAHundredTimes(NeuronCore core) { ... }
 * }</pre>
 *
 * <p>A name may be short ({@code inference_count}), a path ({@code status/timeout}, {@code device_mem/tensors}), or one of
 * another driver ({@code infer_failed_to_queue} for {@code execute_failed_to_queue}). A counter that the host does not
 * have is an error of the test, never a pass. On a class it holds for each test; a method's own demand on the same
 * counter wins.
 *
 * <p>Up to driver 2.29 status and execution counters move when the owning process lets go of the device. While one still
 * has it, the demand is undecided, and {@code neuron.test.undecided} says what becomes of that.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Repeatable(ExpectCounter.List.class)
@NeuronTest
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface ExpectCounter {

    /** No bound is given. */
    long NOT_SET = Long.MIN_VALUE;

    /**
     * The counter.
     *
     * @return its name, short, as a path below {@code stats}, or an alias
     */
    String value();

    /**
     * The exact difference, in the counter's own unit; over several cores their sum.
     *
     * @return {@link #NOT_SET} when {@link #min()} or {@link #max()} say it
     */
    long delta() default NOT_SET;

    /**
     * The smallest difference that will do.
     *
     * @return {@link #NOT_SET} when there is no lower bound
     */
    long min() default NOT_SET;

    /**
     * The largest difference that will do.
     *
     * @return {@link #NOT_SET} when there is no upper bound
     */
    long max() default NOT_SET;

    /**
     * Whether the bounds hold for each leased core instead of for their sum. A test with cores of its own means each of these, and not
     * those that its class holds.
     *
     * @return false for the sum
     */
    boolean each() default false;

    /** Several demands on one test. */
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
        ExpectCounter[] value();
    }
}
