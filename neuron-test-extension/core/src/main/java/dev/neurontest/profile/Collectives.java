package dev.neurontest.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.apiguardian.api.API;

/**
 * The workers that execute one NEFF with collectives. With more than one node, {@code capture} runs on every node at the same time. The
 * trace of a worker stays on the node that ran it.
 *
 * @param workersPerNode number of workers on this host, one on each logical core
 * @param workerCount number of workers on all hosts
 * @param startId the rank of the first worker of this host
 * @param profileRank the only traced rank, which is the cheap choice for a gate; empty to trace all ranks
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Collectives(int workersPerNode, int workerCount, int startId, OptionalInt profileRank) {

    /**
     * Creates a set of workers and checks that the numbers are consistent.
     *
     * @param workersPerNode number of workers on this host
     * @param workerCount number of workers on all hosts
     * @param startId the first rank of this host
     * @param profileRank the only traced rank; empty for all
     * @throws IllegalArgumentException when the numbers contradict each other
     */
    public Collectives {
        if (workersPerNode < 1 || startId < 0 || workerCount < startId + workersPerNode) {
            throw new IllegalArgumentException(
                    "%s workers from rank %s do not fit into %s workers in all: a node runs some of all workers, counted from 0."
                            .formatted(workersPerNode, startId, workerCount));
        }
        if (profileRank.isPresent()
                && (profileRank.getAsInt() < startId || profileRank.getAsInt() >= startId + workersPerNode)) {
            throw new IllegalArgumentException(
                    "Rank %s runs on another node, and its trace stays there: this node runs the ranks %s to %s."
                            .formatted(profileRank.getAsInt(), startId, startId + workersPerNode - 1));
        }
    }

    /**
     * Creates workers that all run on this host and are all traced.
     *
     * @param workers number of workers
     * @return workers with ranks from 0
     * @throws IllegalArgumentException when the number is less than 1
     */
    public static Collectives of(int workers) {
        return new Collectives(workers, workers, 0, OptionalInt.empty());
    }

    /**
     * Returns the same workers with only one rank traced. The other ranks run too.
     *
     * @param rank a rank of this host
     * @return the workers
     * @throws IllegalArgumentException when that rank runs on another node
     */
    public Collectives profiling(int rank) {
        return new Collectives(workersPerNode, workerCount, startId, OptionalInt.of(rank));
    }

    /**
     * Returns the same workers as part of a larger group.
     *
     * @param first the rank of the first worker of this host
     * @param count number of workers on all hosts
     * @return the workers
     * @throws IllegalArgumentException when the numbers contradict each other
     */
    public Collectives from(int first, int count) {
        return new Collectives(workersPerNode, count, first, profileRank);
    }

    /** Returns the ranks that write a trace on this host. */
    List<Integer> traced() {
        return profileRank.isPresent()
                ? List.of(profileRank.getAsInt())
                : IntStream.range(startId, startId + workersPerNode).boxed().toList();
    }

    List<String> flags() {
        List<String> flags = new ArrayList<>(List.of(
                "--collectives-workers-per-node", Integer.toString(workersPerNode),
                "--collectives-worker-count", Integer.toString(workerCount),
                "--collectives-worker-start-id", Integer.toString(startId)));
        profileRank.ifPresent(rank -> flags.addAll(List.of("--collectives-profile-id", Integer.toString(rank))));
        return flags;
    }
}
