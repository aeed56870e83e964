package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Traces the workloads of the test with their own runtime while they run. {@code @Threshold} and similar annotations judge the measured
 * metrics when the workloads have ended. Such profiles have real inputs and real neighbors. With a runtime older than 2.35 they include the
 * first execution with its start-up. Expectations on times are then undecided unless {@link #session()} is set. The profiles are never
 * comparable with those of {@link ProfileNeff}.
 *
 * <pre>{@code
 * @Test
 * @ProfileWorkloads(graph = "resnet50")
 * @MaxSpill("0 B")
 * void doesNotSpill(NeuronCore core, Workloads workloads) {
 *     workloads.command("python3", "infer.py").run();
 * }
 * }</pre>
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@NeuronTest
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface ProfileWorkloads {

    /**
     * Selects the graph to judge if a program runs helper graphs in addition to its model.
     *
     * @return a part of the name, hash or file of its NEFF; empty for the only graph that computes
     */
    String graph() default "";

    /**
     * Returns whether one trace contains all activity of a core. Asynchronous programs, serving programs and PJRT need that.
     *
     * @return false for one trace of one execution of each NEFF
     */
    boolean session() default false;

    /**
     * Sets the number of executions of each NEFF before the traced one. The runtime can skip executions since 2.35. This does not apply to
     * {@link #session()}. A NEFF with no more executions than this number leaves no trace. With 1, a program that executes a NEFF once
     * leaves none.
     *
     * @return 0 to trace the first execution
     */
    int warmup() default 1;

    /**
     * Returns whether instructions, transfers, warnings and all other events of each trace are also written as Parquet tables:
     * {@code TracedExecution.tables()}. {@code org.duckdb:duckdb_jdbc} reads them and must be on the test class path.
     *
     * @return true to keep a folder of tables next to each trace
     */
    boolean tables() default false;
}
