package dev.neurontest.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.apiguardian.api.API;

/**
 * Several workers that execute one NEFF with collectives. On more than one node {@code capture} runs on each at the same time, and
 * each worker's trace stays on the node that ran it.
 *
 * @param workersPerNode how many workers run on this host, one on each logical core
 * @param workerCount how many there are on all hosts
 * @param startId the rank of the first worker of this host
 * @param profileRank the only rank that is traced, which is the cheap choice for a gate; empty: all
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Collectives(int workersPerNode, int workerCount, int startId, OptionalInt profileRank) {

    /**
     * Checks that the numbers go together.
     *
     * @param workersPerNode workers on this host
     * @param workerCount workers on all hosts
     * @param startId the first rank of this host
     * @param profileRank the only rank that is traced
     * @throws IllegalArgumentException when they do not
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
                    "Rank %s runs on another node, and its trace stays there: this one runs the ranks %s to %s."
                            .formatted(profileRank.getAsInt(), startId, startId + workersPerNode - 1));
        }
    }

    /**
     * All workers on this host, all of them traced.
     *
     * @param workers how many
     * @return ranks from 0
     * @throws IllegalArgumentException when there is none
     */
    public static Collectives of(int workers) {
        return new Collectives(workers, workers, 0, OptionalInt.empty());
    }

    /**
     * The same with one rank traced only; the others run too.
     *
     * @param rank one of this host
     * @return the workers
     * @throws IllegalArgumentException when that rank runs on another node
     */
    public Collectives profiling(int rank) {
        return new Collectives(workersPerNode, workerCount, startId, OptionalInt.of(rank));
    }

    /**
     * The same as a part of more workers.
     *
     * @param first the rank of the first worker of this host
     * @param count how many there are on all hosts
     * @return the workers
     * @throws IllegalArgumentException when they do not fit
     */
    public Collectives from(int first, int count) {
        return new Collectives(workersPerNode, count, first, profileRank);
    }

    /** Which ranks leave their traces here. */
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
