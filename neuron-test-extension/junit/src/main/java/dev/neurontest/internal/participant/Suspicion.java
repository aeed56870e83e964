package dev.neurontest.internal.participant;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.runtime.RuntimeStatus;
import dev.neurontest.runtime.RuntimeStatus.Fault;
import dev.neurontest.runtime.RuntimeStatus.Stage;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * What keeps cores of a test from the next one.
 *
 * @param cores of the test
 * @param until what ends their quarantine
 * @param reason in words
 * @param status that the runtime returned; a second device that returns the same to the same test speaks for the kernel
 * @param gone cores that are not there any more, also those that the test did not have
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Suspicion(
        List<NeuronCore> cores, Until until, String reason, Optional<RuntimeStatus> status, List<NeuronCore> gone) {

    private static final Set<Fault> OF_THE_PROGRAM = Set.of(Fault.KERNEL, Fault.EARLIER_FAILURE);

    public Suspicion {
        cores = List.copyOf(cores);
        gone = List.copyOf(gone);
    }

    /** Creates a suspicion without a status. */
    public static Suspicion of(List<NeuronCore> cores, Until until, String reason) {
        return new Suspicion(cores, until, reason, Optional.empty(), List.of());
    }

    /** Creates a suspicion against cores on which something may still run. */
    public static Suspicion abandoned(List<NeuronCore> cores, String reason) {
        return of(cores, Until.IDLE, reason);
    }

    /** Creates a suspicion against cores that need a reset, also where the kernel is to blame. */
    public static Suspicion ofHardware(List<NeuronCore> cores, String reason) {
        return of(cores, Until.RESET, reason);
    }

    /** Creates a suspicion against cores of a device that is not there any more. */
    public static Suspicion vanished(List<NeuronCore> cores, String reason, List<NeuronCore> gone) {
        return new Suspicion(cores, Until.RESET, reason, Optional.empty(), gone);
    }

    /** Creates the same suspicion with the status that it comes from. */
    public Suspicion because(RuntimeStatus status) {
        return new Suspicion(cores, until, reason, Optional.of(status), gone);
    }

    /** Returns whether an error of the program on the core explains it. */
    boolean mayBeTheProgram() {
        return until == Until.WELL
                && status.filter(reported ->
                                reported.faults(Stage.EXECUTE).stream().anyMatch(OF_THE_PROGRAM::contains))
                        .isPresent();
    }

    /** Returns whether the kernel may be to blame instead: a second device decides. */
    boolean mayBeTheKernel() {
        return status.isPresent() && (until == Until.WELL || until == Until.RESET);
    }
}
