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
 * Expects kernels to print a given number of tensors under a prefix with {@code device_print} while the annotated test runs.
 *
 * <p>Passes if each of four tiles was printed; fails with the prints that arrived if there were only three:
 *
 * <pre>{@code
 * @Test
 * @ExpectPrint(prefix = "acc", count = 4)
 * void printsEachTile(@Neff("build/tiles.neff") LoadedModel tiles) {
 *     tiles.execute(Map.of());
 * }
 * }</pre>
 *
 * <p>An expectation is undecided if prints are known to be lost, or could not be read, and the missing prints could have met it.
 * {@code neuron.test.undecided} decides how that is reported. On a class the annotation applies to each test. An annotation on a method
 * overrides that of its class for the same prefix.
 *
 * <p>In a test over several hosts, the expectation applies to each rank that ended.
 *
 * <p>A print that was abbreviated in text, such as a tile in a simulation, counts. Whether it has NaN is undecided, unless one is among the
 * values that were written.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Repeatable(ExpectPrint.List.class)
@NeuronTest
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface ExpectPrint {

    /** Value of a number that is not set. */
    int NOT_SET = -1;

    /**
     * Names the prefix: the literal that the kernel passes to {@code device_print}.
     *
     * @return the exact prefix
     */
    String prefix();

    /**
     * Sets the exact number of prints over all cores of the test, or of each rank in a test over several hosts.
     *
     * @return {@link #NOT_SET} if {@link #min()} or {@link #max()} is used instead, or if any number except 0 is accepted
     */
    int count() default NOT_SET;

    /**
     * Sets the smallest accepted number.
     *
     * @return {@link #NOT_SET} if there is no lower bound
     */
    int min() default NOT_SET;

    /**
     * Sets the largest accepted number.
     *
     * @return {@link #NOT_SET} if there is no upper bound
     */
    int max() default NOT_SET;

    /**
     * Returns whether a NaN in one of the prints fails the test.
     *
     * @return false to only report a NaN
     */
    boolean noNaN() default false;

    /** Holds several print expectations on one test. */
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
        ExpectPrint[] value();
    }
}
