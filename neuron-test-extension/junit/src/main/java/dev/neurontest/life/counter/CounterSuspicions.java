package dev.neurontest.life.counter;

import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.HardwareSuspicion;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.lease.Quarantine.Until;
import dev.neurontest.life.Suspicion;
import dev.neurontest.life.host.CoreHealth;
import dev.neurontest.status.RuntimeStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What the counters of a test say against its cores. */
record CounterSuspicions(List<NeuronCore> cores) {

    /** The statuses that are counted where the kernel may be to blame. */
    private static final Map<String, Integer> STATUSES =
            Map.of("status/hw_error", 6, "status/hw_dma_abort_error", 1203);

    List<Suspicion> after(CounterDiff diff) {
        List<Suspicion> all = new ArrayList<>();
        diff.hardwareSuspicions().forEach(suspicion -> all.add(of(suspicion)));
        if (diff.moved().stream().anyMatch(change -> change.path().contains("reset_"))) {
            // The runtime resets its cores when it begins; what matters is a device that did not come back from it.
            devices()
                    .forEach(device -> CoreHealth.unready(device)
                            .ifPresent(trouble -> all.add(Suspicion.ofHardware(coresOf(device), trouble))));
        }
        diff.healthChanges().forEach((name, change) -> {
            if (!change.after().isEmpty() && !change.isUnreadable()) {
                devices()
                        .filter(device -> device.name().equals(name))
                        .forEach(device -> all.add(Suspicion.of(
                                coresOf(device),
                                CoreHealth.untilWithout(change.after()),
                                CoreHealth.broken(name, change.after()))));
            }
        });
        if (diff.unreadable().stream().anyMatch(counter -> counter.moment().equals("after"))) {
            devices()
                    .filter(device -> !isThere(device))
                    .forEach(device ->
                            all.add(Suspicion.vanished(coresOf(device), device.name() + " vanished", device.cores())));
        }
        return all;
    }

    private Suspicion of(HardwareSuspicion counted) {
        List<NeuronCore> suspects = cores.stream()
                .filter(core -> counted.core().equals(core.name()))
                .toList();
        String gravest = counted.counters().stream()
                .max(Comparator.comparing(CounterSuspicions::until))
                .orElseThrow();
        Suspicion suspicion = Suspicion.of(suspects, until(gravest), counted.reason());
        return Optional.ofNullable(STATUSES.get(gravest))
                .map(code -> suspicion.because(RuntimeStatus.of(code)))
                .orElse(suspicion);
    }

    private static Until until(String counter) {
        return switch (counter) {
            case "hardware/mem_ecc_repairable_uncorrected", "status/hw_repairable_hbm_ue_error" -> Until.RELOAD;
            case "status/hw_hbm_ue_error", "status/hw_nc_ue_error" -> Until.REPLACED;
            case "status/hw_error" -> Until.WELL;
            default -> counter.startsWith("hardware/") ? Until.REPLACED : Until.RESET;
        };
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
