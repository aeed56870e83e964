package dev.neurontest;

import dev.neurontest.metric.Direction;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * A metric must not be worse than its baseline, which is a reviewed file in the repository ({@code neuron.test.baseline.directory}).
 *
 * <p>Passes where the median of fresh captures stays within 3 % of the baseline, and fails where it is slower by 4 %, after as many captures as
 * that takes:
 *
 * <pre>{@code
 * @Test
 * @ProfileNeff("resnet50.neff")
 * @CompareToBaseline(metric = "total_time", margin = "3 %")
 * void isNotSlower(NeuronCore core) {}
 * }</pre>
 *
 * <p>Of a metric that varies, one capture is one run. After 5, 10 and 20 of them ({@code neuron.test.baseline.runs}) it is asked whether it is worse, is
 * not, or is still open; more are made only while it is open, and only where {@link ProfileNeff} says how. What a test captures with its own {@code Profiler}
 * counts as it comes. Of a metric that the compiler lays down (counts, bytes) one run is enough, and without a margin it has to be the same. Getting better
 * fails nothing. A baseline belongs to its stack: instance type, driver, runtime, compiler and tool.
 *
 * <p>{@code counter:} before the name of a driver's counter compares what it counts for each inference of the test.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Repeatable(CompareToBaseline.List.class)
@NeuronTest
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface CompareToBaseline {

    /**
     * The metric.
     *
     * @return as the profiler names it, such as {@link dev.neurontest.profile.MetricNames#TOTAL_TIME}, or {@code counter:} and the name of a
     *     counter
     */
    String metric();

    /**
     * By how much worse is accepted.
     *
     * @return such as {@code "3 %"}; empty for what is usual for the metric: 3 % where it varies, nothing where it does not
     */
    String margin() default "";

    /**
     * Which way the metric gets better.
     *
     * @return {@link Direction#NEITHER} to go by what is known of it
     */
    Direction better() default Direction.NEITHER;

    /** Several metrics of one test. */
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Documented
    @Inherited
    @NeuronTest
    @interface List {

        /**
         * The metrics.
         *
         * @return in the order of the source
         */
        CompareToBaseline[] value();
    }
}
