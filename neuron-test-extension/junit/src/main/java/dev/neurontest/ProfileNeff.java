package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * The profiler tool executes a NEFF on the cores of the test and traces it, as {@code neuron-explorer capture} does; what it
 * measured is judged by {@code @Threshold} and its relatives. The body comes first and may make the NEFF, unless the test
 * takes the {@code Profile} as a parameter: then the NEFF has to be there when the test begins. No process may have the cores
 * meanwhile, and what the tool itself does to the counters of the driver is not judged. A test that takes no cores gets one.
 *
 * <p>Passes at 16.4 ms, fails at 17.3 ms, and is undecided when the device was throttled:
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
     * The compiled model.
     *
     * @return a path, seen from the working directory
     */
    String value();

    /**
     * Executions before those that are traced. The first one carries start-up and cold caches.
     *
     * @return how many, at least 0
     */
    int warmup() default 1;

    /**
     * Executions of one capture that are traced.
     *
     * @return how many, at least 1
     */
    int executions() default 1;

    /**
     * Captures, each with a process of its own. Several show how much the times vary from run to run.
     *
     * @return how many, at least 1
     */
    int captures() default 1;

    /**
     * Inputs other than zeros.
     *
     * @return each a name of the NEFF, {@code =}, and the path of an {@code .npy} or raw file
     */
    String[] inputs() default {};

    /**
     * Whether executions may fail, such as with NaN for inputs of zeros.
     *
     * @return true for {@code --ignore-exec-errors}
     */
    boolean ignoreExecErrors() default false;

    /**
     * Whether all tensors share one buffer, which saves memory and makes outputs wrong.
     *
     * @return true for {@code --single-io}
     */
    boolean singleIo() default false;

    /**
     * Whether dynamic DMA descriptors are traced, which may overflow queues and slow down.
     *
     * @return true for {@code --enable-dge-notifs}
     */
    boolean dgeNotifications() default false;

    /**
     * Whether the trace is written for the Perfetto viewer too.
     *
     * @return true to keep an {@code .pftrace} file in the folder of the test
     */
    boolean perfetto() default false;

    /**
     * Whether every event is written as JSON too, which may take a gigabyte. Tools after SDK 2.33 write {@link #tables()} instead.
     *
     * @return true to keep a {@code .json} file in the folder of the test
     */
    boolean fullJson() default false;

    /**
     * Whether instructions, transfers, warnings and all else are written as Parquet tables, too: {@code Profile.tables()}. They are read
     * by {@code org.duckdb:duckdb_jdbc}, which has to be on the class path of the test.
     *
     * @return true to keep a folder of tables in the folder of the test
     */
    boolean tables() default false;
}
