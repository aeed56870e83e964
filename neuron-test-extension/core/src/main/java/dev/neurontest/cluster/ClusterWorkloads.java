package dev.neurontest.cluster;

import dev.neurontest.internal.cluster.rank.ClusterContext;
import dev.neurontest.internal.cluster.rank.RankPlan;
import dev.neurontest.internal.thread.Failures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Launcher of workloads on all hosts of a test. It stops workloads that still run at the end of the test.
 *
 * <pre>{@code
 * cluster.workloads().perCore("python", "all_reduce.py").timeout(Duration.ofMinutes(5)).run();
 * }</pre>
 *
 * <p>Each program gets its leased cores and {@code NEURON_RT_ROOT_COMM_ID}, with the address of the first host and a free port. Variables
 * with which another launcher described ranks are not inherited: {@code RANK}, {@code WORLD_SIZE}, {@code MASTER_ADDR} and their relatives,
 * and those that begin with {@code OMPI_}, {@code PRTE_}, {@code PMIX_}, {@code PMI_}, {@code HYDRA_}, {@code TORCHELASTIC_},
 * {@code NEURON_PJRT_} or {@code LWS_}. Those of Slurm remain and describe the step of the agent of the host.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ClusterWorkloads implements AutoCloseable {

    private final ClusterContext context;
    private final List<ClusterWorkload> started = new ArrayList<>();
    private boolean closed;

    ClusterWorkloads(ClusterContext context) {
        this.context = context;
    }

    /**
     * Creates a builder for a workload with one program on each host. A program gets all leased cores of its host, and {@code GROUP_RANK},
     * {@code MASTER_ADDR}, {@code MASTER_PORT}, {@code NEURON_PJRT_PROCESSES_NUM_DEVICES} and {@code NEURON_PJRT_PROCESS_INDEX}.
     *
     * @param program a program name that is searched in the {@code PATH} of each host, or a path
     * @param arguments the arguments of the program, passed unchanged and without a shell
     * @return a builder with default options
     */
    public ClusterWorkload.Builder perHost(String program, String... arguments) {
        return builder(RankPlan.PER_HOST, program, arguments);
    }

    /**
     * Creates a builder for a workload with one program on each leased core. A program gets one core, the variables of
     * {@link #perHost}, and {@code RANK}, {@code WORLD_SIZE}, {@code LOCAL_RANK} and {@code LOCAL_WORLD_SIZE}.
     *
     * @param program a program name that is searched in the {@code PATH} of each host, or a path
     * @param arguments the arguments of the program, passed unchanged and without a shell
     * @return a builder with default options
     */
    public ClusterWorkload.Builder perCore(String program, String... arguments) {
        return builder(RankPlan.PER_CORE, program, arguments);
    }

    /**
     * Creates a builder for a workload with one {@code torchrun} on each host, which starts the script once for each leased core. The
     * {@code torchrun} gets all leased cores of its host.
     *
     * @param script the script, or an option of {@code torchrun} followed by the script in the arguments
     * @param arguments the arguments of the script, passed unchanged and without a shell
     * @return a builder with default options
     */
    public ClusterWorkload.Builder torchrun(String script, String... arguments) {
        return builder(RankPlan.TORCHRUN, script, arguments);
    }

    private ClusterWorkload.Builder builder(RankPlan plan, String program, String... arguments) {
        return new ClusterWorkload.Builder(
                this,
                context,
                plan,
                Stream.concat(Stream.of(program), Arrays.stream(arguments)).toList());
    }

    ClusterWorkload start(Supplier<ClusterWorkload> start) {
        synchronized (started) {
            if (closed) {
                throw new IllegalStateException("The test has ended: no workload can be started for it.");
            }
        }
        ClusterWorkload workload = start.get();
        synchronized (started) {
            if (!closed) {
                started.add(workload);
                return workload;
            }
        }
        workload.stop();
        throw new IllegalStateException(
                "The test ended while %s was being started, so it was stopped again.".formatted(workload));
    }

    /**
     * Returns the results of the workloads that have ended so far.
     *
     * @return the results in the order of the starts
     */
    public List<ClusterResult> results() {
        synchronized (started) {
            return started.stream()
                    .map(ClusterWorkload::result)
                    .flatMap(Optional::stream)
                    .toList();
        }
    }

    /** Stops the running workloads, the newest first. Afterwards no workload can be started. This method can be called repeatedly. */
    @Override
    public void close() {
        List<ClusterWorkload> running;
        synchronized (started) {
            closed = true;
            running = new ArrayList<>(started);
        }
        Collections.reverse(running);
        Failures.throwFirst(Failures.of(running, ClusterWorkload::endWithTest));
    }
}
