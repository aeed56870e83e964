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
 * Within which share of another test's metric this test's must be. The other one has to have run before in the same JVM; else the
 * demand is undecided.
 *
 * <p>Passes for a bf16 kernel of 9 ms after an fp32 kernel of 17 ms, and fails for one of 12 ms:
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
     * The class of the other test.
     *
     * @return the class; {@code void} for the class of this test
     */
    Class<?> type() default void.class;

    /**
     * The method of the other test.
     *
     * @return its name
     */
    String method();

    /**
     * The metric.
     *
     * @return as the tool names it, such as {@link dev.neurontest.profile.MetricNames#TOTAL_TIME}
     */
    String metric();

    /**
     * The largest share that will do.
     *
     * @return such as {@code "60 %"}; empty when there is no upper limit
     */
    String max() default "";

    /**
     * The smallest share that will do.
     *
     * @return such as {@code "100 %"}; empty when there is no lower limit
     */
    String min() default "";

    /** Several on one test. */
    @Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
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
        RelativeToTest[] value();
    }
}
