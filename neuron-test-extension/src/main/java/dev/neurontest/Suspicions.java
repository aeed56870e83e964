package dev.neurontest;

import dev.neurontest.counter.CounterDiff;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.RuntimeStatus;
import dev.neurontest.process.ExitCode;
import dev.neurontest.workload.WorkloadResult;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What makes the cores of a test suspect when it is over. Such cores do not go to the next one. */
final class Suspicions {

    private final TestHost host;
    private final TestCores cores;
    private final Set<String> ofHardware = new LinkedHashSet<>();
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
            cores.quarantine(
                    used,
                    false,
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
        if (diff.unreadable().stream().anyMatch(counter -> counter.moment().equals("after"))) {
            cores.all().stream()
                    .map(NeuronCore::device)
                    .distinct()
                    .filter(device -> !isThere(device))
                    .forEach(this::vanished);
        }
    }

    private void vanished(NeuronDevice device) {
        gone.addAll(device.cores());
        hardware(
                cores.all().stream()
                        .filter(core -> core.device().equals(device))
                        .toList(),
                device.name() + " vanished");
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
            cores.quarantine(cores.all(), false, "timed out, and thread \"%s\" still runs".formatted(thread.getName()));
            code.atEnd(host.leases()::checkAgain);
        });
    }

    private void hardware(List<NeuronCore> suspects, String reason) {
        if (!suspects.isEmpty()) {
            ofHardware.add(reason);
            cores.quarantine(suspects, true, reason);
        }
    }

    /** The cores of devices that are not there any more, also those that the test did not have. */
    Set<NeuronCore> gone() {
        return Set.copyOf(gone);
    }

    /** What was wrong with the hardware itself. */
    List<String> ofHardware() {
        return List.copyOf(ofHardware);
    }
}
