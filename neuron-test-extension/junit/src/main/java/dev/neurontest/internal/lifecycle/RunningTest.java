package dev.neurontest.internal.lifecycle;

import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.participant.DeviceUse;
import dev.neurontest.internal.participant.Interruptions;
import dev.neurontest.internal.participant.ParameterType;
import dev.neurontest.internal.participant.cluster.ClusterLease;
import dev.neurontest.internal.participant.counter.TestCounters;
import dev.neurontest.internal.participant.counter.TestKernelLog;
import dev.neurontest.internal.participant.runtime.TestRuntime;
import dev.neurontest.internal.plan.CoreSlot;
import dev.neurontest.internal.plan.Misuse;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A test, or a class with all its tests, that has started its lifecycle. JUnit's store closes a test that no callback concluded.
 *
 * @param use the use of the device by the test
 * @param runtime the test's own use of the in-process runtime; empty without one
 * @param cluster the cores on the hosts of a cluster; empty without one
 * @param enclosing the class that leases cores for it; null without one
 */
@API(status = API.Status.INTERNAL)
public record RunningTest(
        TestLifecycle lifecycle,
        String name,
        TestCores cores,
        CounterExpectations rules,
        TestCounters counting,
        TestKernelLog kernelLog,
        DeviceUse use,
        Optional<TestRuntime> runtime,
        Interruptions interruptions,
        Optional<ClusterLease> cluster,
        @Nullable RunningTest enclosing)
        implements AutoCloseable {

    /** Returns the cores of a parameter. */
    List<NeuronCore> cores(CoreSlot slot) {
        Optional<List<NeuronCore>> held = cores.of(slot);
        if (held.isEmpty()) {
            throw new IllegalArgumentException(
                    "Cores cannot be leased for this method. Take them in a test method, a constructor, @BeforeEach,"
                            + " @AfterEach, @BeforeAll or @AfterAll.");
        }
        return held.get();
    }

    /** Returns the value of a parameter that a participant provides. */
    Object value(ParameterType<?> type, Parameter parameter) {
        return type.of(lifecycle.participants(), parameter).orElseThrow(() -> Misuse.of(type.unavailable()));
    }

    /** Returns the runtime of the test, or that of an enclosing class. */
    Optional<TestRuntime> anyRuntime() {
        return runtime.isPresent() || enclosing == null ? runtime : enclosing.anyRuntime();
    }

    /** Records the activity of a thread before it is interrupted. */
    public void interrupted(Thread thread) {
        interruptions.add(thread, lifecycle.phase());
    }

    @Override
    public void close() {
        lifecycle.endUnfinished();
    }
}
