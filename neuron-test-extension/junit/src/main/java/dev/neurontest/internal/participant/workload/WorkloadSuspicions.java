package dev.neurontest.internal.participant.workload;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.participant.ReportSuspicions;
import dev.neurontest.internal.participant.Suspicion;
import dev.neurontest.internal.participant.Suspicions;
import dev.neurontest.workload.ExitCode;
import dev.neurontest.workload.WorkloadResult;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Suspicions against the cores of a workload: a killed program may have left them in an undefined state, and the runtime may have reported
 * problems.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class WorkloadSuspicions {

    private WorkloadSuspicions() {}

    /**
     * Adds suspicions against the cores of a workload.
     *
     * @param cores the cores of the test on the host of the program
     */
    public static void add(WorkloadResult result, List<NeuronCore> cores, Suspicions suspicions) {
        boolean killed = result.killed()
                || result.exitCode()
                        .flatMap(ExitCode::signal)
                        .filter("SIGKILL"::equals)
                        .isPresent();
        List<NeuronCore> used = usedBy(result, cores);
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

    /**
     * Returns the cores that the runtime of a workload could use, such as {@code 3} or {@code 8-11}. A program without cores proves nothing
     * about any core.
     */
    private static List<NeuronCore> usedBy(WorkloadResult result, List<NeuronCore> cores) {
        if (result.visibleCores().isEmpty()) {
            return List.of();
        }
        String[] range = result.visibleCores().split("-", 2);
        int first = Integer.parseInt(range[0]);
        int last = Integer.parseInt(range[range.length - 1]);
        return cores.stream()
                .filter(core -> first <= core.index() && core.index() <= last)
                .toList();
    }
}
