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
 * Limits the device memory that each leased core may use during the test.
 *
 * <p>Passes if the tensors never take more than 1 GiB, and otherwise fails with the peak:
 *
 * <pre>{@code
 * @Test
 * @ExpectPeakMemory(category = "device_mem/tensors", atMost = "1 GiB", clearFirst = true)
 * void fitsIntoAGibibyte(NeuronCore core) { ... }
 * }</pre>
 *
 * <p>The driver records the {@code peak} since it was loaded or since the peak was cleared. If the peak is above the limit but did not rise
 * during the test, it may be older than the test. The memory in use before and after the test then decides: above the limit the expectation
 * is violated, otherwise it is undecided. Set {@link #clearFirst()} to avoid that.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Repeatable(ExpectPeakMemory.List.class)
@NeuronTest
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface ExpectPeakMemory {

    /**
     * Sets the limit.
     *
     * @return a size with its unit, such as {@code "1 GiB"}
     */
    String atMost();

    /**
     * Names the memory counter, such as {@code device_mem/tensors}.
     *
     * @return all device memory of the core by default
     */
    String category() default "device_mem";

    /**
     * Returns whether to clear the peak before the test, as {@code echo 0 > .../peak} does. Other observers of the peak see the change.
     * Clearing needs root and a writable {@code /sys}.
     *
     * @return false to leave the peak unchanged
     */
    boolean clearFirst() default false;

    /** Holds several peak memory limits on one test. */
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
        ExpectPeakMemory[] value();
    }
}
