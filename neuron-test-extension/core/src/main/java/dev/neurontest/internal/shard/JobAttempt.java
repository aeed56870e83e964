package dev.neurontest.internal.shard;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The start of a job, as its engine distinguishes it from other starts.
 *
 * @param job for example {@code Slurm job 4711_3 on node-7}; null if no engine names it
 * @param restarts the number of times that the engine has restarted the job
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record JobAttempt(@Nullable String job, int restarts) {

    /** The variables with job ids. Kubernetes needs none, because the name of the machine identifies a pod. */
    private static final List<Map.Entry<String, String>> JOBS =
            List.of(Map.entry("CI_JOB_ID", "GitLab job"), Map.entry("CIRCLE_WORKFLOW_JOB_ID", "CircleCI job"));

    static JobAttempt of(Map<String, String> environment) {
        return new JobAttempt(
                slurm(environment)
                        .or(() -> JOBS.stream()
                                .filter(each -> environment.containsKey(each.getKey()))
                                .map(each -> each.getValue() + " " + environment.get(each.getKey()))
                                .findFirst())
                        .orElse(null),
                restarts(environment.getOrDefault("SLURM_RESTART_COUNT", "0")));
    }

    /**
     * Returns the name of a Slurm job as in {@code squeue} and {@code scontrol}, with the node. The name of the node might differ
     * from that of its machine.
     */
    private static Optional<String> slurm(Map<String, String> environment) {
        boolean array = environment.keySet().containsAll(List.of("SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID"));
        return Optional.ofNullable(
                        array
                                ? environment.get("SLURM_ARRAY_JOB_ID") + "_" + environment.get("SLURM_ARRAY_TASK_ID")
                                : environment.get("SLURM_JOB_ID"))
                .map(job -> "Slurm job " + job
                        + Optional.ofNullable(environment.get("SLURMD_NODENAME"))
                                .map(node -> " on " + node)
                                .orElse(""));
    }

    private static int restarts(String text) {
        try {
            return Math.max(0, Integer.parseInt(text.strip()));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
