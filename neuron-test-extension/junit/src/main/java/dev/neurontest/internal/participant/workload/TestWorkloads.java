package dev.neurontest.internal.participant.workload;

import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.participant.DeviceUse;
import dev.neurontest.internal.participant.ParameterType;
import dev.neurontest.internal.participant.Participant;
import dev.neurontest.internal.participant.Suspicions;
import dev.neurontest.internal.participant.TestJournal;
import dev.neurontest.internal.participant.TestResult;
import dev.neurontest.internal.participant.UndecidedHandling;
import dev.neurontest.internal.participant.Verdict;
import dev.neurontest.internal.platform.Platform;
import dev.neurontest.internal.workload.FailedWorkloads;
import dev.neurontest.internal.workload.WorkloadContext;
import dev.neurontest.workload.ChildEnd;
import dev.neurontest.workload.WorkloadResult;
import dev.neurontest.workload.Workloads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A participant that provides the child processes of a test. They are prepared when the test requests them: a fake host then becomes a
 * directory.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TestWorkloads implements Participant {

    private final Platform platform;
    private final TestJournal lines;
    private final TestCores cores;
    private final Suspicions suspicions;
    private final List<Participant> participants;
    private final DeviceUse use;
    private final Set<WorkloadResult> reported = ConcurrentHashMap.newKeySet();
    private @Nullable Workloads workloads;

    /**
     * Creates a participant without processes.
     *
     * @param platform the host of the processes
     * @param use is notified of programs on cores and of simulated ones
     * @param participants all participants of the test, with their variables for programs; may still grow
     */
    public TestWorkloads(
            Platform platform,
            TestJournal lines,
            TestCores cores,
            Suspicions suspicions,
            DeviceUse use,
            List<Participant> participants) {
        this.use = use;
        this.participants = participants;
        this.platform = platform;
        this.lines = lines;
        this.cores = cores;
        this.suspicions = suspicions;
    }

    private Workloads workloads() {
        if (workloads == null) {
            workloads = new Workloads(new WorkloadContext(
                    platform.host(),
                    cores.ofPrograms(),
                    lines::folder,
                    lines.name(),
                    this::ofStart,
                    new WorkloadJournal(lines, cores, use)));
        }
        return workloads;
    }

    private Map<String, String> ofStart() {
        Map<String, String> all = new LinkedHashMap<>(platform.environment());
        Map<String, String> inherited = new HashMap<>(System.getenv());
        inherited.putAll(all);
        participants.forEach(each -> all.putAll(each.environment(inherited)));
        return all;
    }

    /** Returns the results of all workloads. */
    public List<WorkloadResult> results() {
        return workloads == null ? List.of() : workloads.results();
    }

    /** Returns whether a program of the test was started on cores, and not to simulate its kernels. */
    public boolean startedOnDevice() {
        return use.startedOnDevice();
    }

    /** Returns the parameter type for child processes on the cores of a test. */
    public static ParameterType<TestWorkloads> parameter() {
        return new ParameterType<>(
                Workloads.class, TestWorkloads.class, "", (workloads, parameter) -> Optional.of(workloads.workloads()));
    }

    /** Records which workloads a failure reports, to avoid reporting them twice. */
    @Override
    public void failed(Throwable failure) {
        reported.addAll(WorkloadFailures.in(failure));
    }

    @Override
    public void settle() {
        if (workloads != null) {
            suspicions.unlessEnded("a workload could not be stopped", workloads::close);
            results().forEach(result -> WorkloadSuspicions.add(result, cores.all(), suspicions));
        }
    }

    /**
     * Judges the result of each workload. If the body did not pass, it may have ended before it waited for a program. In that case only
     * programs that ended by themselves or at their deadline are judged.
     */
    @Override
    public List<Verdict> judge(TestResult findings) {
        if (use.isOnlySimulated()) {
            lines.append(new RunEvent.OnlySimulated(lines.test()));
        }
        if (results().isEmpty()) {
            return List.of();
        }
        FailedWorkloads failed = FailedWorkloads.of(results().stream()
                .filter(result -> !reported.contains(result))
                .filter(result -> findings.passed() || endedByItself(result))
                .toList());
        return failed.judgement().isNothing()
                ? List.of()
                : List.of(lines.verdict(failed.judgement(), UndecidedHandling.NONE, failed::toError));
    }

    private static boolean endedByItself(WorkloadResult result) {
        return result.cause() == ChildEnd.Cause.EXITED || result.timedOut();
    }

    @Override
    public List<WorkloadMeasurement> evidence(TestResult findings) {
        List<WorkloadMeasurement> measurements = new ArrayList<>();
        for (WorkloadResult result : results()) {
            measurements.add(new WorkloadMeasurement(result));
        }
        return measurements;
    }
}
