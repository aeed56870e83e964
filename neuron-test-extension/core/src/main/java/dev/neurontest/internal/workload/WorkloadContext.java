package dev.neurontest.internal.workload;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * The defaults of every workload of a test.
 *
 * @param host host of the cores
 * @param cores default cores of each workload
 * @param folder folder for the files of the test, requested when the first one is needed
 * @param tag name of the test, for monitoring
 * @param environment variables of the platform for its programs, requested at each start
 * @param observer observer of each start and end
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record WorkloadContext(
        NeuronHost host,
        List<NeuronCore> cores,
        Supplier<Path> folder,
        String tag,
        Supplier<Map<String, String>> environment,
        WorkloadObserver observer) {

    /** Creates a context with its own copy of the cores. */
    public WorkloadContext {
        cores = List.copyOf(cores);
    }
}
