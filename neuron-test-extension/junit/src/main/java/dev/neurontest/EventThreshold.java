package dev.neurontest;

import dev.neurontest.profile.system.EventStatistic;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Within which limits the events of one name must be, in the test's system profile. A value that equals its limit keeps it.
 *
 * <p>Passes where 99 of 100 calls of {@code nrt_execute} take 1.8 ms at most, and fails where they take 2.1 ms:
 *
 * <pre>{@code
 * @Test
 * @ProfileWorkloads
 * @EventThreshold(event = "nrt_execute", max = "2 ms")
 * void answersInTime(NeuronCore core, Workloads workloads) { ... }
 * }</pre>
 *
 * <p>It is undecided when events were dropped, or there is none of that name, which is not zero; then
 * {@code neuron.test.undecided} says what becomes of the test. On a class it holds for each test; a method's own limit on the
 * same event and statistic wins.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Repeatable(EventThreshold.List.class)
@NeuronTest
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface EventThreshold {

    /**
     * The name of the events.
     *
     * @return such as {@code nrt_execute} on the host, or {@code nc_exec_running} on the device
     */
    String event();

    /**
     * What of them counts.
     *
     * @return the 99th percentile of their times without
     */
    EventStatistic over() default EventStatistic.P99;

    /**
     * The largest value that will do.
     *
     * @return a time with its unit, or a number for {@link EventStatistic#COUNT}; empty when there is no upper limit
     */
    String max() default "";

    /**
     * The smallest value that will do.
     *
     * @return a time with its unit, or a number for {@link EventStatistic#COUNT}; empty when there is no lower limit
     */
    String min() default "";

    /** Several of them. */
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Documented
    @Inherited
    @NeuronTest
    @interface List {

        /**
         * The thresholds.
         *
         * @return in the order of the source
         */
        EventThreshold[] value();
    }
}
