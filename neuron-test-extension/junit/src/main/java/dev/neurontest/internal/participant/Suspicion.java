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
 * A reason to withhold cores of a test from the next test.
 *
 * @param until the condition that ends their quarantine
 * @param reason a text for the user
 * @param status the status that the runtime returned; if the same test gets it on a second device too, the kernel caused it
 * @param gone cores that no longer exist, including cores that the test did not have
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

    /** Creates a suspicion against cores that need a reset, even if the kernel caused it. */
    public static Suspicion ofHardware(List<NeuronCore> cores, String reason) {
        return of(cores, Until.RESET, reason);
    }

    /** Creates a suspicion against cores of a device that no longer exists. */
    public static Suspicion vanished(List<NeuronCore> cores, String reason, List<NeuronCore> gone) {
        return new Suspicion(cores, Until.RESET, reason, Optional.empty(), gone);
    }

    /** Creates a copy with the status that caused the suspicion. */
    public Suspicion because(RuntimeStatus status) {
        return new Suspicion(cores, until, reason, Optional.of(status), gone);
    }

    /** Returns whether an error of the program on the core explains the suspicion. */
    boolean mayBeTheProgram() {
        return until == Until.WELL
                && status.filter(reported ->
                                reported.faults(Stage.EXECUTE).stream().anyMatch(OF_THE_PROGRAM::contains))
                        .isPresent();
    }

    /** Returns whether the kernel may be the cause instead; a second device decides. */
    boolean mayBeTheKernel() {
        return status.isPresent() && (until == Until.WELL || until == Until.RESET);
    }
}
