package dev.neurontest.internal.device.runtime;

import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.ProcessOwner;
import dev.neurontest.internal.thread.Uninterrupted;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/**
 * Waits until the driver knows that a program is gone. It cleans up when the last descriptor of a process closes, and only then
 * are the cores free for the next one, and its executions counted by the older drivers.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CoreRelease {

    private static final Duration POLL = Duration.ofMillis(20);

    private CoreRelease() {}

    /**
     * Waits, bounded, until processes have no device open.
     *
     * @param host whose devices
     * @param processes that are gone or going
     * @param atMost how long
     * @return who still has a device open, such as {@code neuron0 by python3 (pid 4711)}. An interrupted thread waits nevertheless
     *     and stays interrupted
     */
    public static List<String> await(NeuronHost host, List<Long> processes, Duration atMost) {
        Set<Long> own = new HashSet<>(processes);
        return await(host, owned -> own.contains(owned.owner().pid()), atMost);
    }

    /**
     * Waits, bounded, until none of some processes has a device open.
     *
     * @param host whose devices
     * @param waitedFor who must be gone, and from which device
     * @param atMost how long
     * @return who still has a device open, such as {@code neuron0 by python3 (pid 4711)}. An interrupted thread waits nevertheless
     *     and stays interrupted
     */
    public static List<String> await(NeuronHost host, Predicate<Owned> waitedFor, Duration atMost) {
        long since = System.nanoTime();
        return Uninterrupted.get(() -> {
            List<String> owners = owners(host, waitedFor);
            while (!owners.isEmpty() && System.nanoTime() - since < atMost.toNanos()) {
                TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
                owners = owners(host, waitedFor);
            }
            return owners;
        });
    }

    /**
     * A device that a process has open.
     *
     * @param device which
     * @param owner the process
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Owned(NeuronDevice device, ProcessOwner owner) {}

    private static List<String> owners(NeuronHost host, Predicate<Owned> waitedFor) {
        return host.owners().entrySet().stream()
                .flatMap(device -> device.getValue().stream().map(owner -> new Owned(device.getKey(), owner)))
                .filter(waitedFor)
                .map(owned -> owned.device().name() + " by " + owned.owner())
                .toList();
    }
}
