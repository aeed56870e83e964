package dev.neurontest.workload;

import dev.neurontest.device.NeuronHost;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Waits until the driver knows that a program is gone. It cleans up when the last descriptor of a process closes, and only then
 * are the cores free for the next one, and its executions counted by the older drivers.
 */
final class CoreRelease {

    private static final Duration POLL = Duration.ofMillis(20);

    private CoreRelease() {}

    /**
     * Waits, bounded.
     *
     * @param processes that are gone or going
     * @return who still has a device open, such as {@code neuron0 by python3 (pid 4711)}
     */
    static List<String> await(NeuronHost host, List<Long> processes, Duration atMost) {
        Set<Long> own = new HashSet<>(processes);
        long since = System.nanoTime();
        boolean interrupted = false;
        try {
            while (true) {
                List<String> owners = owners(host, own);
                if (owners.isEmpty() || System.nanoTime() - since >= atMost.toNanos()) {
                    return owners;
                }
                try {
                    TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static List<String> owners(NeuronHost host, Set<Long> own) {
        return host.owners().entrySet().stream()
                .flatMap(device -> device.getValue().stream()
                        .filter(owner -> own.contains(owner.pid()))
                        .map(owner -> device.getKey().name() + " by " + owner))
                .toList();
    }
}
