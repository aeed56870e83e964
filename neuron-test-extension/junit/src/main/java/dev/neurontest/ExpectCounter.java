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
 * Expects a driver counter to change by a given amount on the leased cores while the annotated test runs.
 *
 * <p>Passes if 100 executions succeeded; fails with a table of the counters if only 99 did:
 *
 * <pre>{@code
 * @Test
 * @ExpectCounter(value = "inference_count", delta = 100)
 * void answersAHundredTimes(NeuronCore core) { ... }
 * }</pre>
 *
 * <p>A name can be short ({@code inference_count}), a path ({@code status/timeout}, {@code device_mem/tensors}), or the name that another
 * driver uses ({@code infer_failed_to_queue} for {@code execute_failed_to_queue}). A counter that the host does not have is an error in the
 * test, never a pass. On a class the annotation applies to each test, or to all of them together with {@link #wholeClass()}. An annotation
 * on a method overrides that of its class for the same counter.
 *
 * <p>Up to driver 2.29, status and execution counters change only when the owning process releases the device. While a process still holds
 * it, the expectation is undecided, and {@code neuron.test.undecided} decides how that is reported.
 *
 * <p>The expectation is not applicable in a test whose programs all {@linkplain dev.neurontest.workload.NeuronWorkload.Builder#simulated()
 * simulated} their kernels.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Repeatable(ExpectCounter.List.class)
@NeuronTest
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface ExpectCounter {

    /** Value of a bound that is not set. */
    long NOT_SET = Long.MIN_VALUE;

    /**
     * Names the counter.
     *
     * @return a short name, a path below {@code stats}, or an alias
     */
    String value();

    /**
     * Sets the exact difference, in the unit of the counter. With several cores this is their sum.
     *
     * @return {@link #NOT_SET} if {@link #min()} or {@link #max()} is used instead
     */
    long delta() default NOT_SET;

    /**
     * Sets the smallest accepted difference.
     *
     * @return {@link #NOT_SET} if there is no lower bound
     */
    long min() default NOT_SET;

    /**
     * Sets the largest accepted difference.
     *
     * @return {@link #NOT_SET} if there is no upper bound
     */
    long max() default NOT_SET;

    /**
     * Returns whether the bounds apply to each leased core instead of to the sum. For a test with its own cores these are its own cores,
     * not the cores that its class holds.
     *
     * @return false for the sum
     */
    boolean each() default false;

    /**
     * Returns whether the bounds apply to the whole class instead of to each test. Such an expectation belongs on a class that leases cores
     * for all its tests, such as those of {@code @BeforeAll}. It is judged once, when the class ends, and fails the class.
     *
     * @return false for each test
     */
    boolean wholeClass() default false;

    /** Holds several counter expectations on one test. */
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Documented
    @Inherited
    @NeuronTest
    @interface List {

        /**
         * Lists the expectations.
         *
         * @return the expectations in source order
         */
        ExpectCounter[] value();
    }
}
