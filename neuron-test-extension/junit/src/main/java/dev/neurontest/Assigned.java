package dev.neurontest;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.lease.CoreRequest;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one run of a {@link ForEachCore} or {@link ForEachDevice} is for; its parameters are served from that and from
 * nothing else.
 *
 * @param request what is leased
 * @param name what the run is called
 */
record Assigned(CoreRequest request, String name) {

    /** The cores of each slot, out of those that the run is for; no core goes to two slots. */
    Map<Slot, List<NeuronCore>> serve(Collection<Slot> slots, List<NeuronCore> cores) {
        Map<Slot, List<NeuronCore>> served = new LinkedHashMap<>();
        int next = 0;
        for (Slot slot : slots) {
            if (isThisDevice(slot.request())) {
                served.put(slot, cores);
                continue;
            }
            int wanted = count(slot.request());
            if (wanted == 0 || next + wanted > cores.size()) {
                throw new IllegalArgumentException(
                        "This run is for %s only, and a parameter asks for %s. Take it out of @ForEachCore or @ForEachDevice."
                                .formatted(name, slot.request().description()));
            }
            served.put(slot, cores.subList(next, next + wanted));
            next += wanted;
        }
        return served;
    }

    private boolean isThisDevice(CoreRequest wanted) {
        return request instanceof CoreRequest.Devices && wanted instanceof CoreRequest.AnyDevice;
    }

    /** How many cores are wanted of whatever this run is for; 0 when others are wanted. */
    private static int count(CoreRequest wanted) {
        if (wanted instanceof CoreRequest.InARow inARow) {
            return inARow.count();
        }
        if (wanted instanceof CoreRequest.OnOneDevice onOneDevice) {
            return onOneDevice.count();
        }
        return wanted instanceof CoreRequest.Scattered scattered ? scattered.count() : 0;
    }
}
