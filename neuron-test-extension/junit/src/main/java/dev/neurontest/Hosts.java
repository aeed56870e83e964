package dev.neurontest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Requests a number of hosts, and cores on each, for a {@code NeuronCluster} parameter.
 *
 * <pre>{@code
 * @Test
 * void reducesOverTwoHosts(@Hosts(2) NeuronCluster cluster) {
 *     cluster.workloads().perCore("python3", "allreduce.py").timeout(Duration.ofMinutes(5)).run();
 * }
 * }</pre>
 *
 * <p>The hosts are the first ones of the allocation in which the JVM runs: those of a Slurm job, of a host file, or fake hosts. A test that
 * needs more hosts is skipped; with {@code neuron.test.platform=real} it fails.
 */
@Target({ElementType.PARAMETER, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public @interface Hosts {

    /**
     * Sets the number of hosts.
     *
     * @return at least 1
     */
    int value();

    /**
     * Sets the number of logical cores on each host. They have consecutive indices.
     *
     * @return at least 1; 0, the default, for all cores of each host
     */
    int coresPerHost() default 0;
}
