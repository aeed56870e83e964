package dev.neurontest.life.counter;

import dev.neurontest.counter.CounterDiff;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.life.Suspicion;
import dev.neurontest.life.host.CoreHealth;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What the counters of a test say against its cores. */
record CounterSuspicions(List<NeuronCore> cores) {

    List<Suspicion> after(CounterDiff diff) {
        List<Suspicion> all = new ArrayList<>();
        diff.hardwareSuspicions()
                .forEach(suspicion -> all.add(Suspicion.ofHardware(
                        cores.stream()
                                .filter(core -> suspicion.core().equals(core.name()))
                                .toList(),
                        suspicion.reason())));
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
