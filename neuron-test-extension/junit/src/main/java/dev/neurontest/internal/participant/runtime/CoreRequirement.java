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
 * The cores that a test or class requests.
 *
 * @param places the slots to lease for it
 * @param ofClass the slots that it takes from the cores of its class
 * @param ofSession the slots to lease for it and for all later tests of the session
 * @param target the core or device of this run, if it is one of several
 * @param avoided the cores on which earlier attempts failed
 * @param usesRuntime true if it uses the runtime in this JVM
 * @param enclosing the cores of the enclosing class; null without one
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record CoreRequirement(
        TestId test,
        Set<CoreSlot> places,
        Set<CoreSlot> ofClass,
        Set<CoreSlot> ofSession,
        Optional<RunTarget> target,
        Set<NeuronCore> avoided,
        boolean usesRuntime,
        @Nullable TestCores enclosing) {}
