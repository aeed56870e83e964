package dev.neurontest.internal.lifecycle;

import dev.neurontest.Neff;
import dev.neurontest.baseline.Comparisons;
import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.counter.Counters;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.participant.Interruptions;
import dev.neurontest.internal.participant.comparison.TestComparisons;
import dev.neurontest.internal.participant.counter.TestCounters;
import dev.neurontest.internal.participant.counter.TestKernelLog;
import dev.neurontest.internal.participant.print.TestPrints;
import dev.neurontest.internal.participant.profile.TestProfiles;
import dev.neurontest.internal.participant.runtime.TestRuntime;
import dev.neurontest.internal.participant.workload.TestWorkloads;
import dev.neurontest.internal.plan.CoreSlot;
import dev.neurontest.internal.plan.Misuse;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.Profiler;
import dev.neurontest.runtime.LoadedModel;
import dev.neurontest.runtime.NeuronRuntime;
import dev.neurontest.workload.Workloads;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A test, or a class for all its tests, that has begun: its life, and what its parameters are given. JUnit's store closes what a test
 * could not end itself.
 *
 * @param runtime its own
 * @param prints empty for a class, and where nothing could print
 * @param isTest false for a class
 * @param enclosing the class that leases for it; null without one
 */
@API(status = API.Status.INTERNAL)
public record RunningTest(
        TestLifecycle life,
        String name,
        TestCores cores,
        CounterExpectations rules,
        TestCounters counting,
        TestKernelLog kernelLog,
        TestWorkloads starting,
        TestProfiles profiling,
        Optional<TestRuntime> runtime,
        Optional<TestPrints> printing,
        TestComparisons comparing,
        Interruptions interruptions,
        boolean isTest,
        @Nullable RunningTest enclosing)
        implements AutoCloseable {

    /** The cores of a parameter. */
    List<NeuronCore> cores(CoreSlot slot) {
        return cores.of(slot)
                .orElseThrow(() -> new IllegalArgumentException(
                        "Cores cannot be leased for this method. Take them in a test method, a constructor, @BeforeEach,"
                                + " @AfterEach, @BeforeAll or @AfterAll."));
    }

    Counters counters() {
        return counting.counters();
    }

    Workloads workloads() {
        return starting.workloads(
                profiling::environment,
                () -> printing.map(TestPrints::environment).orElse(Map.of()));
    }

    Profiler profiler() {
        return profiling.profiler();
    }

    Profile profile() {
        return profiling
                .replayed()
                .orElseThrow(
                        () -> Misuse.of(
                                "A Profile is there for a test method and what runs around each test, not for all tests of a class."));
    }

    NeuronRuntime neuronRuntime() {
        return ownRuntime().runtime();
    }

    /** Its own, or that of a class around it. */
    Optional<TestRuntime> anyRuntime() {
        return runtime.or(() -> Optional.ofNullable(enclosing).flatMap(RunningTest::anyRuntime));
    }

    /** Loads what a parameter wants. */
    LoadedModel model(Neff wanted) {
        TestRuntime its = ownRuntime();
        if (wanted.core() < 0 || wanted.core() >= its.coresOfModels().size()) {
            throw Misuse.of("@Neff(value = \"%s\", core = %s): %s has %s, and they are counted from 0."
                    .formatted(
                            wanted.value(),
                            wanted.core(),
                            name,
                            its.coresOfModels().size()));
        }
        return its.load(wanted.core(), Path.of(wanted.value()));
    }

    private TestRuntime ownRuntime() {
        return runtime.orElseThrow(() -> Misuse.of("The runtime in this JVM cannot be used here. Take it in a test"
                + " method, a constructor, @BeforeEach, @AfterEach, @BeforeAll or @AfterAll."));
    }

    DevicePrints prints() {
        return printing.orElseThrow(
                        () -> Misuse.of(
                                "DevicePrints are there for a test method and what runs around each test, not for all tests of a class."))
                .prints();
    }

    /** Compares what the test measures itself. */
    Comparisons comparisons() {
        if (!isTest) {
            throw Misuse.of(
                    "Comparisons are there for a test method and what runs around each test, not for all tests of a class:"
                            + " a baseline is one test's.");
        }
        return comparing.own();
    }

    /** Keeps what is going on before a thread is interrupted. */
    public void interrupted(Thread thread) {
        interruptions.add(thread, life.phase());
    }

    @Override
    public void close() {
        life.endUnfinished();
    }
}
