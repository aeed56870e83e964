package dev.neurontest.cluster;

import dev.neurontest.workload.WorkloadResult;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The end of one program of a workload on several hosts.
 *
 * @param rank number of the program among all programs of the workload
 * @param host name of its host
 * @param localRank number of the program among those of its host
 * @param result its end and output; the folder is on this machine. Empty if its host was lost
 * @param lost reason why its end is unknown; empty with a result
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RankResult(int rank, String host, int localRank, Optional<WorkloadResult> result, Optional<String> lost) {

    /**
     * Returns whether the program ended as expected: with exit code 0, or because the test stopped it.
     *
     * @return false if it failed or its host was lost
     */
    public boolean succeeded() {
        return result.filter(WorkloadResult::succeeded).isPresent();
    }
}
