package dev.neurontest.internal.participant.runtime;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.lifecycle.lease.RunTarget;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.plan.CoreSlot;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The cores that a test or class wants.
 *
 * @param test which
 * @param places what is leased for it
 * @param ofClass what it takes of the cores that its class has for all its tests
 * @param ofSession what is leased for it and for all after it
 * @param target what the run is for, if it is one of several
 * @param avoided the cores that earlier attempts failed on
 * @param usesRuntime whether it uses the runtime in this JVM
 * @param around what the class around it has; null without one
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record CoreDemand(
        TestId test,
        Set<CoreSlot> places,
        Set<CoreSlot> ofClass,
        Set<CoreSlot> ofSession,
        Optional<RunTarget> target,
        Set<NeuronCore> avoided,
        boolean usesRuntime,
        @Nullable TestCores around) {}
