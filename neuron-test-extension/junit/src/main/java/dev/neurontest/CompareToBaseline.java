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
 * Expects a metric to be no worse than its baseline, a reviewed file in the repository ({@code neuron.test.baseline.directory}).
 *
 * <p>Passes if the median of fresh captures is within 3 % of the baseline; fails if the graph is 4 % slower, after as many captures as
 * that decision needs:
 *
 * <pre>{@code
 * @Test
 * @ProfileNeff("resnet50.neff")
 * @CompareToBaseline(metric = "total_time", margin = "3 %")
 * void isNotSlower(NeuronCore core) {}
 * }</pre>
 *
 * <p>For a metric that varies between runs, each capture is one run. After 5, 10 and 20 runs ({@code neuron.test.baseline.runs}) a test
 * decides whether the metric is worse, not worse, or still open. More captures are made only while the result is open, and only if
 * {@link ProfileNeff} describes how to make them. Captures that a test makes with its own {@code Profiler} count as they arrive. For a
 * metric that the compiler determines (counts, bytes) one run is enough, and without a margin it must be equal. An improvement passes,
 * unless {@code neuron.test.undecided} has {@code improvement=fail}. A baseline belongs to its stack: instance type, driver, runtime, compiler and tool.
 *
 * <p>The prefix {@code counter:} before the name of a driver counter compares the count per inference of the test.
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
     * Names the metric.
     *
     * @return the profiler's name of the metric, such as {@link dev.neurontest.profile.MetricNames#TOTAL_TIME}, or {@code counter:} and the
     *     name of a counter
     */
    String metric();

    /**
     * Limits the accepted worsening.
     *
     * @return a share such as {@code "3 %"}; empty for the default of the metric: 3 % if it varies, none if it does not
     */
    String margin() default "";

    /**
     * Selects the direction in which the metric improves.
     *
     * @return {@link Direction#NEITHER} to use the known direction of the metric
     */
    Direction better() default Direction.NEITHER;

    /** Holds several metrics of one test. */
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Documented
    @Inherited
    @NeuronTest
    @interface List {

        /**
         * Lists the comparisons.
         *
         * @return the comparisons in source order
         */
        CompareToBaseline[] value();
    }
}
