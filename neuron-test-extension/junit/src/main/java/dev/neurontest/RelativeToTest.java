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
 * Expects a metric of this test to be within a share of the same metric of another test. The other test must have run before in the same
 * JVM, otherwise the expectation is undecided.
 *
 * <p>Passes for a bf16 kernel of 9 ms after an fp32 kernel of 17 ms; fails for a kernel of 12 ms:
 *
 * <pre>{@code
 * @Test
 * @Order(2)
 * @ProfileNeff("bf16.neff")
 * @RelativeToTest(method = "fp32", metric = "total_time", max = "60 %")
 * void bf16(NeuronCore core) {}
 * }</pre>
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Repeatable(RelativeToTest.List.class)
@NeuronTest
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface RelativeToTest {

    /**
     * Names the class of the other test.
     *
     * @return the class; {@code void} for the class of this test
     */
    Class<?> type() default void.class;

    /**
     * Names the method of the other test.
     *
     * @return the method name
     */
    String method();

    /**
     * Names the metric.
     *
     * @return the tool's name of the metric, such as {@link dev.neurontest.profile.MetricNames#TOTAL_TIME}
     */
    String metric();

    /**
     * Sets the largest accepted share.
     *
     * @return a share such as {@code "60 %"}; empty if there is no upper limit
     */
    String max() default "";

    /**
     * Sets the smallest accepted share.
     *
     * @return a share such as {@code "100 %"}; empty if there is no lower limit
     */
    String min() default "";

    /** Holds several expectations on one test. */
    @Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
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
        RelativeToTest[] value();
    }
}
