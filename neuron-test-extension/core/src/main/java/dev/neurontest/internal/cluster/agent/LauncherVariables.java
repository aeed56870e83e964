package dev.neurontest.internal.cluster.agent;

import java.util.List;
import java.util.Set;

/**
 * The variables in which launchers describe the ranks that they started. An agent may have inherited them from the launcher of the test JVM,
 * whose ranks are others. Those of Slurm remain: they describe the step of the agent, and its programs belong to this step.
 */
final class LauncherVariables {

    private static final Set<String> NAMES = Set.of(
            "RANK",
            "WORLD_SIZE",
            "LOCAL_RANK",
            "LOCAL_WORLD_SIZE",
            "NODE_RANK",
            "GROUP_RANK",
            "GROUP_WORLD_SIZE",
            "ROLE_RANK",
            "ROLE_NAME",
            "ROLE_WORLD_SIZE",
            "MASTER_ADDR",
            "MASTER_PORT",
            "MPI_LOCALRANKID",
            "MPI_LOCALNRANKS",
            "NEURON_RANK_ID",
            "NEURON_LOCAL_TP");

    private static final List<String> PREFIXES =
            List.of("OMPI_", "PRTE_", "PMIX_", "PMI_", "HYDRA_", "TORCHELASTIC_", "NEURON_PJRT_", "LWS_");

    private LauncherVariables() {}

    /** Returns whether a rank must not inherit a variable. */
    static boolean isOfLauncher(String name) {
        return NAMES.contains(name) || PREFIXES.stream().anyMatch(name::startsWith);
    }
}
