package dev.neurontest.baseline;

import java.util.List;
import org.apiguardian.api.API;

/**
 * What several runs gave. A run is a fresh process, load or capture; what is measured within one run shares its luck and counts once, as its median.
 *
 * @param runs one number for each run, in the order in which they ran, in the metric's unit
 * @param iterationsPerRun how many executions each number is the median of
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Sample(List<Double> runs, int iterationsPerRun) {

    /**
     * Keeps its own copy.
     *
     * @param runs one number for each run
     * @param iterationsPerRun how many executions each number is the median of
     */
    public Sample {
        runs = List.copyOf(runs);
    }

    /**
     * The numbers.
     *
     * @return a new array
     */
    public double[] toArray() {
        return runs.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
