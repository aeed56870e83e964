package dev.neurontest.baseline;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The values of several runs. A run is a new process, load or capture. Measurements within one run share its conditions and count once, as
 * their median.
 *
 * @param runs one number for each run, in the order of the runs, in the metric's unit
 * @param iterationsPerRun number of executions behind each median
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Sample(List<Double> runs, int iterationsPerRun) {

    /**
     * Creates a sample with its own copy of the values.
     *
     * @param runs one number for each run
     * @param iterationsPerRun number of executions behind each median
     */
    public Sample {
        runs = List.copyOf(runs);
    }

    /**
     * Returns the values.
     *
     * @return a new array
     */
    public double[] toArray() {
        return runs.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
