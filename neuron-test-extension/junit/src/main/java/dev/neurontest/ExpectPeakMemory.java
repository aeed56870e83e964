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
 * How much device memory each leased core may have used at most during the test.
 *
 * <p>Passes when the tensors never took more than 1 GiB, fails with the peak when they did:
 *
 * <pre>{@code
 * @Test
 * @ExpectPeakMemory(category = "device_mem/tensors", atMost = "1 GiB", clearFirst = true)
 * void fitsIntoAGibibyte(NeuronCore core) { ... }
 * }</pre>
 *
 * <p>The driver's {@code peak} counts from the moment when it was loaded or cleared. A peak that did not rise during the
 * test therefore says nothing about the test unless it is cleared first, and the demand is then judged by the memory in
 * use before and after.
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
     * The limit.
     *
     * @return a size with its unit, such as {@code "1 GiB"}
     */
    String atMost();

    /**
     * The memory counter, such as {@code device_mem/tensors}.
     *
     * @return all device memory of the core unless something else is asked for
     */
    String category() default "device_mem";

    /**
     * Whether to clear the peak before the test, as {@code echo 0 > .../peak} does. Others who watch it see that; it needs
     * root and a writable {@code /sys}.
     *
     * @return false to clear nothing
     */
    boolean clearFirst() default false;

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
        ExpectPeakMemory[] value();
    }
}
