package dev.neurontest.internal.lifecycle.lease;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.plan.CoreSlot;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The target of one run of a {@code @ForEachCore} or {@code @ForEachDevice} test. The parameters of the run are served only from this
 * target.
 *
 * @param request the request to lease
 * @param name the display name of the run
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RunTarget(CoreRequest request, String name) {

    /** Returns the cores of each slot, taken from the cores of the run; no core is used for two slots. */
    public Map<CoreSlot, List<NeuronCore>> serve(Collection<CoreSlot> places, List<NeuronCore> cores) {
        Map<CoreSlot, List<NeuronCore>> served = new LinkedHashMap<>();
        int next = 0;
        for (CoreSlot place : places) {
            if (isThisDevice(place.request())) {
                served.put(place, cores);
                continue;
            }
            int required = count(place.request());
            if (required > 0 && place.request() instanceof CoreRequest.ForCollectives) {
                while (next < cores.size() && cores.get(next).index() % required != 0) {
                    next++;
                }
            }
            if (required == 0 || next + required > cores.size()) {
                throw new IllegalArgumentException(
                        "This run has only %s, but a parameter requires %s. Remove that parameter, or do not use @ForEachCore or @ForEachDevice."
                                .formatted(name, place.request().description()));
            }
            served.put(place, cores.subList(next, next + required));
            next += required;
        }
        return served;
    }

    private boolean isThisDevice(CoreRequest required) {
        return request instanceof CoreRequest.Devices && required instanceof CoreRequest.AnyDevice;
    }

    /** Returns the number of cores requested from the target of this run; 0 if other cores are requested. */
    private static int count(CoreRequest required) {
        if (required instanceof CoreRequest.ForCollectives group) {
            return count(group.run());
        }
        if (required instanceof CoreRequest.InARow inARow) {
            return inARow.count();
        }
        if (required instanceof CoreRequest.OnOneDevice onOneDevice) {
            return onOneDevice.count();
        }
        return required instanceof CoreRequest.Scattered scattered ? scattered.count() : 0;
    }
}
