package dev.neurontest;

import dev.neurontest.counter.CounterDiff;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.RuntimeStatus;
import dev.neurontest.device.StatusLines;
import dev.neurontest.process.ExitCode;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ToolRun;
import dev.neurontest.workload.WorkloadResult;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What makes the cores of a test suspect when it is over. Such cores do not go to the next one. */
final class Suspicions {

    private final TestHost host;
    private final TestCores cores;
    private final Set<String> reasons = new LinkedHashSet<>();
    private final Set<NeuronCore> gone = new LinkedHashSet<>();

    Suspicions(TestHost host, TestCores cores) {
        this.host = host;
        this.cores = cores;
    }

    /** A program that was killed may have left its cores in the middle of something; the runtime may have blamed them. */
    void after(WorkloadResult result) {
        boolean killed = result.killed()
                || result.exitCode()
                        .flatMap(ExitCode::signal)
                        .filter("SIGKILL"::equals)
                        .isPresent();
        List<NeuronCore> used = usedBy(result);
        if (killed || !result.released()) {
            abandoned(
                    used,
                    "%s (pid %d) %s"
                            .formatted(
                                    result.name(),
                                    result.pid(),
                                    killed ? "was killed while it held the core" : "still has the device open"));
        }
        result.statuses().stream()
                .filter(status -> status.kind() == RuntimeStatus.Kind.HARDWARE)
                .forEach(status -> hardware(used, "%s (pid %d) got %s".formatted(result.name(), result.pid(), status)));
    }

    /** What the runtime in this JVM returned of a core. */
    void afterRuntime(SessionRuntime.Trouble trouble) {
        hardware(List.of(trouble.core()), trouble.reason());
    }

    /** A profiler tool leaves cores behind as any other program does. */
    void afterTool(ProcessHandle tool, boolean killed) {
        abandoned(
                cores.all(),
                "the profiler tool (pid %d) %s"
                        .formatted(
                                tool.pid(),
                                killed ? "was killed while it held the core" : "still has the device open"));
    }

    /** What the runtime in a profiler tool returned. */
    void after(Profile profile) {
        for (ToolRun run : profile.runs()) {
            StatusLines lines = new StatusLines();
            run.log().lines().forEach(lines::read);
            lines.statuses().stream()
                    .filter(status -> status.kind() == RuntimeStatus.Kind.HARDWARE)
                    .forEach(status -> hardware(cores.all(), "%s got %s".formatted(profile.tool(), status)));
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

    void after(CounterDiff diff) {
        diff.hardwareSuspicions()
                .forEach(suspicion -> hardware(
                        cores.all().stream()
                                .filter(core -> suspicion.core().equals(core.name()))
                                .toList(),
                        suspicion.reason()));
        if (diff.moved().stream().anyMatch(change -> change.path().contains("reset_"))) {
            devices().forEach(this::afterReset);
        }
        if (diff.unreadable().stream().anyMatch(counter -> counter.moment().equals("after"))) {
            devices().filter(device -> !isThere(device)).forEach(this::vanished);
        }
    }

    private Stream<NeuronDevice> devices() {
        return cores.all().stream().map(NeuronCore::device).distinct();
    }

    private List<NeuronCore> coresOf(NeuronDevice device) {
        return cores.all().stream().filter(core -> core.device().equals(device)).toList();
    }

    /** The runtime resets its cores when it begins; what matters is a device that did not come back from it. */
    private void afterReset(NeuronDevice device) {
        CoreHealth.unready(device).ifPresent(trouble -> hardware(coresOf(device), trouble));
    }

    private void vanished(NeuronDevice device) {
        gone.addAll(device.cores());
        hardware(coresOf(device), device.name() + " vanished");
    }

    private static boolean isThere(NeuronDevice device) {
        String directory = device.directory();
        int end = directory.lastIndexOf('/');
        try {
            return device.host().tree().list(directory.substring(0, end)).contains(directory.substring(end + 1));
        } catch (IOException unreadable) {
            return false;
        }
    }

    /** A body that was timed out in a thread of its own may drive its cores for ever. */
    void after(UserCode code) {
        code.stillRunning().ifPresent(thread -> {
            host.health().abandon(cores.all(), code);
            abandoned(cores.all(), "timed out, and thread \"%s\" still runs".formatted(thread.getName()));
            code.atEnd(host.leases()::checkAgain);
        });
    }

    /** Nobody knows what is going on on these cores. */
    void afterFailing(String what) {
        abandoned(cores.all(), what);
    }

    private void abandoned(List<NeuronCore> suspects, String reason) {
        quarantine(suspects, false, reason);
    }

    private void hardware(List<NeuronCore> suspects, String reason) {
        quarantine(suspects, true, reason);
    }

    private void quarantine(List<NeuronCore> suspects, boolean ofHardware, String reason) {
        if (!suspects.isEmpty()) {
            reasons.add(reason);
            cores.quarantine(suspects, ofHardware, reason);
        }
    }

    /** The cores of devices that are not there any more, also those that the test did not have. */
    Set<NeuronCore> gone() {
        return Set.copyOf(gone);
    }

    /** Why cores went into quarantine. */
    List<String> reasons() {
        return List.copyOf(reasons);
    }
}
