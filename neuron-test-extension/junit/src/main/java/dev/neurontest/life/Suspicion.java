package dev.neurontest.life;

import dev.neurontest.device.NeuronCore;
import java.util.List;
import org.apiguardian.api.API;

/**
 * What makes cores of a test suspect.
 *
 * @param cores of the test
 * @param ofHardware whether the hardware itself is to blame
 * @param reason in words
 * @param gone cores that are not there any more, also those that the test did not have
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Suspicion(List<NeuronCore> cores, boolean ofHardware, String reason, List<NeuronCore> gone) {

    public Suspicion {
        cores = List.copyOf(cores);
        gone = List.copyOf(gone);
    }

    /** It is not known what goes on on these cores. */
    public static Suspicion abandoned(List<NeuronCore> cores, String reason) {
        return new Suspicion(cores, false, reason, List.of());
    }

    /** The hardware is to blame. */
    public static Suspicion ofHardware(List<NeuronCore> cores, String reason) {
        return new Suspicion(cores, true, reason, List.of());
    }
}
