package dev.neurontest.cluster;

import dev.neurontest.internal.cluster.rank.ClusterMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apiguardian.api.API;

/**
 * The end of a workload on several hosts. Secrets are masked in all fields.
 *
 * @param name name in messages
 * @param ranks ends of its programs, ordered by rank
 * @param first rank of the program that explains the failure: of those that failed without a message about the end of another one, the first
 *     that ended. After a deadline it is a program for which others waited. Empty if the workload succeeded
 * @param unmet the violated expectation; empty if the workload ended as expected
 * @param duration time from the start until the last program had ended
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ClusterResult(
        String name, List<RankResult> ranks, OptionalInt first, Optional<String> unmet, Duration duration) {

    /**
     * Creates a result with its own copy of the list.
     *
     * @param name name in messages
     * @param ranks ends of its programs
     * @param first rank of the program that explains the failure
     * @param unmet the violated expectation
     * @param duration time from the start until the last program had ended
     */
    public ClusterResult {
        ranks = List.copyOf(ranks);
    }

    /**
     * Returns the end of a program.
     *
     * @param rank its rank
     * @return the end
     * @throws IndexOutOfBoundsException if there is no such rank
     */
    public RankResult rank(int rank) {
        return ranks.get(rank);
    }

    /**
     * Returns the ends of the programs of a host.
     *
     * @param host name of the host
     * @return the ends, ordered by rank; empty for another host
     */
    public List<RankResult> ofHost(String host) {
        return ranks.stream().filter(rank -> rank.host().equals(host)).toList();
    }

    /**
     * Returns whether the workload ended as expected: each program with exit code 0, or all because the test stopped them.
     *
     * @return false when it fails its test
     */
    public boolean succeeded() {
        return unmet.isEmpty();
    }

    /**
     * Returns the end of the workload without its output.
     *
     * @return one line
     */
    @Override
    public String toString() {
        return ClusterMessage.headline(this);
    }
}
