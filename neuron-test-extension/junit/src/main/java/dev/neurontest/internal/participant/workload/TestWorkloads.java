package dev.neurontest.internal.participant.workload;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.participant.ParameterType;
import dev.neurontest.internal.participant.Participant;
import dev.neurontest.internal.participant.ReportSuspicions;
import dev.neurontest.internal.participant.Suspicion;
import dev.neurontest.internal.participant.Suspicions;
import dev.neurontest.internal.participant.TestJournal;
import dev.neurontest.internal.participant.TestResult;
import dev.neurontest.internal.participant.UndecidedHandling;
import dev.neurontest.internal.participant.Verdict;
import dev.neurontest.internal.platform.Platform;
import dev.neurontest.internal.workload.FailedWorkloads;
import dev.neurontest.internal.workload.WorkloadContext;
import dev.neurontest.workload.ChildEnd;
import dev.neurontest.workload.ExitCode;
import dev.neurontest.workload.WorkloadResult;
import dev.neurontest.workload.Workloads;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The child processes of a test. They are prepared when the test asks for them: a fake host then becomes a directory. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TestWorkloads implements Participant {

    /** Starts child processes on the cores of a test. */
    public static final ParameterType<TestWorkloads> PARAMETER = new ParameterType<>(
            Workloads.class, TestWorkloads.class, "", (workloads, parameter) -> Optional.of(workloads.workloads()));

    private final Platform platform;
    private final TestJournal lines;
    private final TestCores cores;
    private final Suspicions suspicions;
    private final Supplier<Map<String, String>> environment;
    private final Set<WorkloadResult> reported = ConcurrentHashMap.newKeySet();
    private @Nullable Workloads workloads;

    /**
     * None yet.
     *
     * @param platform where they run
     * @param lines of the test
     * @param cores of the test
     * @param suspicions against its cores
     * @param environment returns the variables that other participants add, at each start of a program
     */
    public TestWorkloads(
            Platform platform,
            TestJournal lines,
            TestCores cores,
            Suspicions suspicions,
            Supplier<Map<String, String>> environment) {
        this.environment = environment;
        this.platform = platform;
        this.lines = lines;
        this.cores = cores;
        this.suspicions = suspicions;
    }

    private Workloads workloads() {
        if (workloads == null) {
            // A participant that adds variables expects a program from now on, even if none starts.
            environment.get();
            workloads = new Workloads(new WorkloadContext(
                    platform.host(),
                    cores.ofPrograms(),
                    lines::folder,
                    lines.name(),
                    this::ofStart,
                    new WorkloadJournal(lines, cores)));
        }
        return workloads;
    }

    private Map<String, String> ofStart() {
        Map<String, String> all = new LinkedHashMap<>(platform.environment());
        all.putAll(environment.get());
        return all;
    }

    /** How they ended. */
    public List<WorkloadResult> results() {
        return workloads == null ? List.of() : workloads.results();
    }

    /** Keeps which workloads a failure is about, to report none of them twice. */
    @Override
    public void failed(Throwable failure) {
        reported.addAll(WorkloadFailures.in(failure));
    }

    @Override
    public void settle() {
        if (workloads != null) {
            suspicions.unlessEnded("a workload could not be stopped", workloads::close);
            results().forEach(this::suspect);
        }
    }

    /** A program that was killed may have left its cores in the middle of something; the runtime may have blamed them. */
    private void suspect(WorkloadResult result) {
        boolean killed = result.killed()
                || result.exitCode()
                        .flatMap(ExitCode::signal)
                        .filter("SIGKILL"::equals)
                        .isPresent();
        List<NeuronCore> used = usedBy(result);
        if (killed || !result.released()) {
            suspicions.add(Suspicion.abandoned(
                    used,
                    "%s (pid %s) %s"
                            .formatted(
                                    result.name(),
                                    result.pid(),
                                    killed ? "was killed while it held the core" : "still has the device open")));
        }
        if (!result.endedWithZero()) {
            new ReportSuspicions(used)
                    .after(line -> "%s (pid %s)".formatted(result.name(), result.pid()), result.report())
                    .forEach(suspicions::add);
        }
    }

    /** The cores that its runtime saw, {@code 3} or {@code 8-11}; a program without any says nothing about the others. */
    private List<NeuronCore> usedBy(WorkloadResult result) {
        if (result.visibleCores().isEmpty()) {
            return List.of();
        }
        String[] range = result.visibleCores().split("-", 2);
        int first = Integer.parseInt(range[0]);
        int last = Integer.parseInt(range[range.length - 1]);
        return cores.all().stream()
                .filter(core -> first <= core.index() && core.index() <= last)
                .toList();
    }

    /**
     * Judges how each has ended. A body that did not pass may have left before it awaited a program, so only a program that ended by
     * itself or at its deadline is judged then.
     */
    @Override
    public List<Verdict> judge(TestResult findings) {
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
    public List<WorkloadResult> evidence(TestResult findings) {
        return results();
    }
}
