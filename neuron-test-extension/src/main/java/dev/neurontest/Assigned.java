package dev.neurontest;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.lease.CoreRequest;
import java.util.List;

/**
 * What one run of a {@link ForEachCore} or {@link ForEachDevice} is for; its parameters are served from that and from
 * nothing else.
 *
 * @param request what is leased
 * @param name what the run is called
 */
record Assigned(CoreRequest request, String name) {

    /** The cores for a slot, out of those that the run is for. */
    List<NeuronCore> serve(Slot slot, List<NeuronCore> cores) {
        CoreRequest wanted = slot.request();
        if (wanted instanceof CoreRequest.AnyDevice && request instanceof CoreRequest.Devices) {
            return cores;
        }
        if (wanted.equals(CoreRequest.any()) && slot.ordinal() < cores.size()) {
            return List.of(cores.get(slot.ordinal()));
        }
        if (wanted instanceof CoreRequest.OnOneDevice several && several.count() <= cores.size()) {
            return cores.subList(0, several.count());
        }
        if (wanted instanceof CoreRequest.InARow several && several.count() <= cores.size()) {
            return cores.subList(0, several.count());
        }
        throw new IllegalArgumentException(
                "This run is for %s only, and a parameter asks for %s. Take it out of @ForEachCore or @ForEachDevice."
                        .formatted(name, wanted.description()));
    }
}
