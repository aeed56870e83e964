package dev.neurontest.internal.workload;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * What every workload of a test begins with.
 *
 * @param host where the cores are
 * @param cores the cores of each workload unless it chooses others
 * @param folder where the test's files go, asked when the first one is needed
 * @param tag the test's name, for monitoring
 * @param environment what the platform wants its programs to know, asked at each start
 * @param observer hears of each start and end
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record WorkloadContext(
        NeuronHost host,
        List<NeuronCore> cores,
        Supplier<Path> folder,
        String tag,
        Supplier<Map<String, String>> environment,
        WorkloadObserver observer) {

    /**
     * Keeps its own copies.
     *
     * @param host where the cores are
     * @param cores the cores of each workload unless it chooses others
     * @param folder where the test's files go
     * @param tag the test's name
     * @param environment what the platform wants its programs to know, asked at each start
     * @param observer hears of each start and end
     */
    public WorkloadContext {
        cores = List.copyOf(cores);
    }
}
