package dev.neurontest.cluster;

import dev.neurontest.internal.cluster.rank.ClusterContext;
import dev.neurontest.internal.cluster.rank.ClusterRun;
import dev.neurontest.internal.cluster.rank.RankPlan;
import dev.neurontest.internal.workload.NeuronVariables;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A program that runs on all hosts of a test, as one or several processes on each host. All processes have one deadline. When one of them
 * fails or its host is lost, the others have one second to end before they are stopped.
 *
 * <pre>{@code
 * ClusterResult result = cluster.workloads()
 *         .perCore("python", "all_reduce.py")
 *         .environment("NEURON_RT_EXEC_TIMEOUT", "10")
 *         .timeout(Duration.ofMinutes(5))
 *         .run();
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ClusterWorkload implements AutoCloseable {

    private final String name;
    private final ClusterRun run;

    private ClusterWorkload(String name, ClusterRun run) {
        this.name = name;
        this.run = run;
    }

    /** Builder of a workload on several hosts. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder {

        private final ClusterWorkloads owner;
        private final ClusterContext context;
        private final RankPlan plan;
        private final List<String> command;
        private final Map<String, String> environment = new LinkedHashMap<>();
        private String name;
        private Duration timeout = Duration.ofMinutes(10);
        private @Nullable Path workingDirectory;

        Builder(ClusterWorkloads owner, ClusterContext context, RankPlan plan, List<String> command) {
            this.owner = owner;
            this.context = context;
            this.plan = plan;
            this.command = command;
            Path program = Path.of(command.get(0)).getFileName();
            this.name = program == null ? command.get(0) : program.toString();
        }

        /**
         * Sets the maximum run time of the workload, by default 10 minutes. All its processes are ended then, and the workload has failed.
         *
         * @param atMost maximum time from the start
         * @return this
         */
        public Builder timeout(Duration atMost) {
            if (atMost.isZero() || atMost.isNegative()) {
                throw new IllegalArgumentException("timeout must be longer than %s.".formatted(atMost));
            }
            this.timeout = atMost;
            return this;
        }

        /**
         * Sets an environment variable of all processes. It has precedence over all others, such as {@code NEURON_RT_ROOT_COMM_ID}. The
         * value is in no command line, so it can be a secret.
         *
         * @param variable name of the variable
         * @param value value of the variable
         * @return this
         * @throws IllegalArgumentException for a variable that is derived from the cores or the host
         */
        public Builder environment(String variable, String value) {
            NeuronVariables.check(variable);
            environment.put(variable, value);
            return this;
        }

        /**
         * Sets several environment variables of all processes.
         *
         * @param variables values by name
         * @return this
         * @throws IllegalArgumentException for a variable that is derived from the cores or the host
         */
        public Builder environment(Map<String, String> variables) {
            variables.forEach(this::environment);
            return this;
        }

        /**
         * Sets the working directory of all processes. The default is the working directory of this JVM on hosts where it exists, and
         * elsewhere that of the agent.
         *
         * @param existing an absolute path of a directory that exists on all hosts
         * @return this
         */
        public Builder workingDirectory(Path existing) {
            this.workingDirectory = existing.toAbsolutePath();
            return this;
        }

        /**
         * Sets the name of the workload in messages. The default is the name of the program or script.
         *
         * @param text a name for human readers
         * @return this
         */
        public Builder name(String text) {
            this.name = text;
            return this;
        }

        /**
         * Starts the processes on all hosts. The workload fails its test if it fails, or if it still runs at the end of the test.
         *
         * @return the running workload
         * @throws RuntimeException if a process cannot be started; then none runs
         */
        public ClusterWorkload start() {
            return owner.start(() -> new ClusterWorkload(
                    name,
                    ClusterRun.start(
                            context,
                            plan,
                            new ClusterRun.Options(
                                    name, command, environment, Optional.ofNullable(workingDirectory), timeout))));
        }

        /**
         * Starts the processes on all hosts and waits until all have ended.
         *
         * @return the result
         * @throws ClusterFailure when the workload failed
         * @throws RuntimeException if a process cannot be started; then none runs
         */
        public ClusterResult run() {
            return start().await();
        }
    }

    /**
     * Waits until all processes have ended and their output has been brought over.
     *
     * @return the result
     * @throws ClusterFailure when the workload failed or reached its deadline. Also when the waiting thread was interrupted, which stops the
     *     workload; the thread keeps its interrupt status
     */
    public ClusterResult await() {
        ClusterResult ended = run.await();
        if (!ended.succeeded()) {
            throw new ClusterFailure(ended);
        }
        return ended;
    }

    /**
     * Stops all processes on all hosts. Their exit codes are ignored then. A workload that failed before the stop still fails its test.
     *
     * @return the result, also when the workload had already ended
     */
    public ClusterResult stop() {
        return run.stop();
    }

    /** Stops the workload like {@link #stop()}. This method can be called repeatedly. */
    @Override
    public void close() {
        stop();
    }

    /** Stops the workload because its test is over. */
    void endWithTest() {
        run.endWithTest();
    }

    /**
     * Returns the result.
     *
     * @return the result; empty while a process runs
     */
    public Optional<ClusterResult> result() {
        return run.result();
    }

    @Override
    public String toString() {
        return "Workload " + name;
    }
}
