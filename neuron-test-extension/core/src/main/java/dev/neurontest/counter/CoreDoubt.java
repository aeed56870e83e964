package dev.neurontest.counter;

import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import java.util.ArrayList;
import java.util.List;

/**
 * The reason why the physical cores of the lease are uncertain. The counters may then belong to other cores of the device.
 *
 * @param reason text for messages
 */
record CoreDoubt(String reason) {

    private static final String ADVICE =
            "Lease whole devices, or set neuron.test.core.map to the core order of this host.";

    /**
     * Converts violations by counters of cores into undecided results. Violations by counters of a device stay. Without any
     * violation the judgement is undecided too, because the counters may be those of other cores.
     */
    Judgement judge(Judgement judgement, CounterDiff diff) {
        List<Violation> violations = new ArrayList<>();
        List<Undecided> undecided = new ArrayList<>();
        for (Violation violation : judgement.violations()) {
            if (ofDevice(violation, diff)) {
                violations.add(violation);
            } else {
                undecided.add(new Undecided(
                        violation.rule(),
                        violation.subject(),
                        "Expected %s, was %s; but it may belong to a core that is not leased: %s. %s %s"
                                .formatted(
                                        violation.expected(), violation.actual(), reason, ADVICE, violation.advice())));
            }
        }
        undecided.addAll(judgement.undecided());
        if (undecided.isEmpty()) {
            undecided.add(new Undecided(
                    "counters of the leased cores",
                    diff.where(),
                    "These may belong to other cores of the device: %s. %s".formatted(reason, ADVICE)));
        }
        return new Judgement(violations, undecided, judgement.notices());
    }

    private static boolean ofDevice(Violation violation, CounterDiff diff) {
        return diff.find(violation.subject())
                .filter(change -> change.counters().stream()
                        .allMatch(counter -> counter.place().core().isEmpty()))
                .isPresent();
    }
}
