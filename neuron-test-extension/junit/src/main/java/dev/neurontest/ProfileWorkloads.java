package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * The workloads of the test are traced by their own runtime while they run, and what was measured is judged by
 * {@code @Threshold} and its relatives when they have ended. Real inputs and real neighbours, but with a
 * runtime older than 2.35 also the first execution with its start-up: demands on times are then undecided unless {@link #session()}. They
 * are never comparable with those of {@link ProfileNeff}.
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
     * Which graph is judged, where a program runs helpers beside its model.
     *
     * @return a part of the name, hash or file of its NEFF; empty for the only one that computes
     */
    String graph() default "";

    /**
     * Whether everything that a core did is one trace, which asynchronous and serving programs need, and PJRT.
     *
     * @return false for one trace of one execution of each NEFF
     */
    boolean session() default false;

    /**
     * How many executions of each NEFF come before the one that is traced, where the runtime can skip them (2.35 and later); not for
     * {@link #session()}. A NEFF that is executed no more often than that leaves no trace there. With 1,
     * a program that executes a NEFF once leaves none.
     *
     * @return 0 to trace the first
     */
    int warmup() default 1;

    /**
     * Whether instructions, transfers, warnings and all else of each trace are written as Parquet tables, too:
     * {@code TracedExecution.tables()}. They are read by {@code org.duckdb:duckdb_jdbc}, which has to be on the class path of the test.
     *
     * @return true to keep a folder of tables beside each trace
     */
    boolean tables() default false;
}
