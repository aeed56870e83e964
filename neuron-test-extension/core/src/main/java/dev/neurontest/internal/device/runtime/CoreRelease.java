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
 * The wait for the release of a program's cores by the driver. The driver cleans up when the last descriptor of a process closes.
 * Only then are the cores free for the next program, and only then do older drivers count the executions.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CoreRelease {

    private static final Duration POLL = Duration.ofMillis(20);

    private CoreRelease() {}

    /**
     * Waits for a limited time until processes have no device open. An interrupted thread waits too and stays interrupted.
     *
     * @param processes process ids of ended or ending programs
     * @param atMost time limit
     * @return the processes that still have a device open, such as {@code neuron0 by python3 (pid 4711)}
     */
    public static List<String> await(NeuronHost host, List<Long> processes, Duration atMost) {
        Set<Long> own = new HashSet<>(processes);
        return await(host, owned -> own.contains(owned.owner().pid()), atMost);
    }

    /**
     * Waits for a limited time until none of the selected processes has a device open. An interrupted thread waits too and stays
     * interrupted.
     *
     * @param waitedFor predicate for the processes and their devices
     * @param atMost time limit
     * @return the processes that still have a device open, such as {@code neuron0 by python3 (pid 4711)}
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

    /** A device that a process has open. */
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
