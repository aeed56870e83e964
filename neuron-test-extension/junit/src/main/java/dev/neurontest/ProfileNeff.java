package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Runs the profiler tool to execute and trace a NEFF on the cores of the test, as {@code neuron-explorer capture} does. {@code @Threshold}
 * and similar annotations judge the measured metrics. The body runs first and can create the NEFF. If the test takes the {@code Profile} as
 * a parameter, the NEFF must exist when the test begins. No other process may hold the cores during the capture. Changes of driver counters
 * by the tool itself are not judged. A test that takes no cores gets one.
 *
 * <p>Passes at 16.4 ms, fails at 17.3 ms, and is undecided if the device was throttled:
 *
 * <pre>{@code
 * @Test
 * @ProfileNeff("build/resnet50.neff")
 * @MaxLatency("17 ms")
 * void isFastEnough() {}
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@NeuronTest
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface ProfileNeff {

    /**
     * Names the file of the compiled model.
     *
     * @return a path relative to the working directory
     */
    String value();

    /**
     * Sets the number of executions before those that are traced. The first execution includes start-up and cold caches.
     *
     * @return at least 0
     */
    int warmup() default 1;

    /**
     * Sets the number of traced executions of one capture.
     *
     * @return at least 1
     */
    int executions() default 1;

    /**
     * Sets the number of captures, each in its own process. Several captures show how much the times vary between runs.
     *
     * @return at least 1
     */
    int captures() default 1;

    /**
     * Lists inputs to use instead of zeros.
     *
     * @return for each input its name in the NEFF, {@code =}, and the path of an {@code .npy} or raw file
     */
    String[] inputs() default {};

    /**
     * Returns whether executions may fail, for example because inputs of zeros result in NaN.
     *
     * @return true for {@code --ignore-exec-errors}
     */
    boolean ignoreExecErrors() default false;

    /**
     * Returns whether all tensors share one buffer. That saves memory but produces wrong outputs.
     *
     * @return true for {@code --single-io}
     */
    boolean singleIo() default false;

    /**
     * Returns whether dynamic DMA descriptors are traced. That can overflow queues and slow the execution down.
     *
     * @return true for {@code --enable-dge-notifs}
     */
    boolean dgeNotifications() default false;

    /**
     * Returns whether the trace is also written for the Perfetto viewer.
     *
     * @return true to keep an {@code .pftrace} file in the folder of the test
     */
    boolean perfetto() default false;

    /**
     * Returns whether every event is also written as JSON, which can take a gigabyte. Tools after SDK 2.33 write {@link #tables()} instead.
     *
     * @return true to keep a {@code .json} file in the folder of the test
     */
    boolean fullJson() default false;

    /**
     * Returns whether instructions, transfers, warnings and all other events are also written as Parquet tables: {@code Profile.tables()}.
     * {@code org.duckdb:duckdb_jdbc} reads them and must be on the test class path.
     *
     * @return true to keep a folder of tables in the folder of the test
     */
    boolean tables() default false;
}
