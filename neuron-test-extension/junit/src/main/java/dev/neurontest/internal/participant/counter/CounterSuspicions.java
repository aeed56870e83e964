package dev.neurontest.internal.participant.counter;

import dev.neurontest.counter.CounterChange;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterPlace;
import dev.neurontest.counter.UnreadableCounter;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.PhysicalCore;
import dev.neurontest.internal.counter.HardwareSuspicion;
import dev.neurontest.internal.counter.HealthChange;
import dev.neurontest.internal.device.CounterKind;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.open.CoreHealth;
import dev.neurontest.internal.participant.ReportSuspicions;
import dev.neurontest.internal.participant.Suspicion;
import dev.neurontest.runtime.RuntimeStatus;
import dev.neurontest.runtime.RuntimeStatus.Fault;
import dev.neurontest.runtime.RuntimeStatus.Stage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Suspicions against the cores of a test, derived from its counters. */
record CounterSuspicions(List<NeuronCore> cores) {

    List<Suspicion> after(CounterDiff diff) {
        List<Suspicion> all = new ArrayList<>();
        for (HardwareSuspicion suspicion : diff.hardwareSuspicions()) {
            all.add(of(suspicion));
        }
        List<CounterChange> moved = diff.moved();
        if (!moved.isEmpty() && moved.stream().anyMatch(change -> change.kind() == CounterKind.RESET)) {
            // The runtime resets its cores when it starts. Only a device that did not return from the reset matters.
            devices()
                    .forEach(device -> CoreHealth.unready(device)
                            .ifPresent(trouble -> all.add(Suspicion.ofHardware(coresOf(device), trouble))));
        }
        if (!diff.healthChanges().isEmpty()) {
            diff.healthChanges().forEach((device, change) -> addHealth(device, change, all));
        }
        List<UnreadableCounter> unreadable = diff.unreadable();
        if (!unreadable.isEmpty()
                && unreadable.stream().anyMatch(counter -> counter.moment().equals("after"))) {
            devices()
                    .filter(device -> !isThere(device))
                    .forEach(device ->
                            all.add(Suspicion.vanished(coresOf(device), device.name() + " vanished", device.cores())));
        }
        return all;
    }

    private void addHealth(String name, HealthChange change, List<Suspicion> all) {
        if (!change.after().isEmpty() && !change.isUnreadable()) {
            devices()
                    .filter(device -> device.name().equals(name))
                    .forEach(device -> all.add(Suspicion.of(
                            coresOf(device),
                            CoreHealth.untilWithout(change.after()),
                            CoreHealth.broken(name, change.after()))));
        }
    }

    private Suspicion of(HardwareSuspicion counted) {
        List<NeuronCore> suspects = cores.stream()
                .filter(core -> counted.core().equals(core.name()))
                .toList();
        String gravest = counted.counters().stream()
                .max(Comparator.comparing(CounterSuspicions::until))
                .orElseThrow();
        Suspicion suspicion = Suspicion.of(suspects, until(gravest), counted.reason());
        return status(gravest)
                .filter(status -> !status.faults(Stage.EXECUTE).equals(Set.of(Fault.HARDWARE_REPLACE)))
                .map(suspicion::because)
                .orElse(suspicion);
    }

    private static Until until(String counter) {
        return CounterKind.of(counter) == CounterKind.ECC
                ? CounterKind.isRepairable(counter) ? Until.RELOAD : Until.REPLACED
                : status(counter)
                        .map(status -> ReportSuspicions.until(status.core(Stage.EXECUTE)))
                        .orElse(Until.RESET);
    }

    private static Optional<RuntimeStatus> status(String counter) {
        return RuntimeStatus.ofCounter(counter.substring(counter.lastIndexOf('/') + 1));
    }

    /** Returns the cores on which the driver counted an error of the program. */
    List<NeuronCore> programErrors(CounterDiff diff) {
        List<CounterChange> moved = diff.moved();
        if (moved.isEmpty()) {
            return List.of();
        }
        return cores.stream()
                .filter(core -> moved.stream()
                        .filter(change -> CounterKind.isProgramError(change.path()))
                        .anyMatch(change -> change.delta().signum() > 0
                                && core.physicalCores().stream().anyMatch(physical -> isOf(change, physical))))
                .toList();
    }

    private static boolean isOf(CounterChange change, PhysicalCore core) {
        CounterPlace place = change.counters().get(0).place();
        return place.device() == core.device()
                && place.core().isPresent()
                && place.core().getAsInt() == core.index();
    }

    private Stream<NeuronDevice> devices() {
        return cores.stream().map(NeuronCore::device).distinct();
    }

    private List<NeuronCore> coresOf(NeuronDevice device) {
        return cores.stream().filter(core -> core.device().equals(device)).toList();
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
}
