package dev.neurontest.internal.lease.table;

import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The direct links between the devices of a host. A link listed by only one of its devices counts for both. */
final class DeviceLinks {

    private final Map<Integer, Set<Integer>> neighbours = new HashMap<>();

    private DeviceLinks() {}

    static DeviceLinks of(NeuronHost host) {
        DeviceLinks links = new DeviceLinks();
        for (NeuronDevice device : host.devices()) {
            for (int neighbour : device.connectedDevices()) {
                links.between(device.index(), neighbour);
                links.between(neighbour, device.index());
            }
        }
        return links;
    }

    private void between(int from, int to) {
        neighbours.computeIfAbsent(from, none -> new HashSet<>()).add(to);
    }

    /** Checks whether the devices are connected by links among themselves. */
    boolean connect(Collection<NeuronDevice> devices) {
        Set<Integer> unreached = new HashSet<>();
        devices.forEach(device -> unreached.add(device.index()));
        Deque<Integer> reached = new ArrayDeque<>();
        devices.stream().findFirst().ifPresent(first -> {
            unreached.remove(first.index());
            reached.add(first.index());
        });
        while (!reached.isEmpty()) {
            for (int neighbour : neighbours.getOrDefault(reached.remove(), Set.of())) {
                if (unreached.remove(neighbour)) {
                    reached.add(neighbour);
                }
            }
        }
        return unreached.isEmpty();
    }
}
