package dev.neurontest.counter;

import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The treatment of a violated expectation when another process may have caused the violation. This concerns counters of a whole
 * device, such as ECC errors, while another process was on that device. The driver does not report the process that caused a
 * change. The counters of a leased core are judged the same way in any case.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Attribution {
    /** Violated: the expectation fails, and the advice lists the processes that may have caused it. */
    STRICT,
    /** Undecided: {@code neuron.test.undecided} defines the result. The reason lists the other processes on the device. */
    TOLERANT;

    Judgement attribute(Judgement judgement, CounterDiff diff) {
        if (diff.neighbours().isEmpty()) {
            return judgement;
        }
        List<Violation> violations = new ArrayList<>();
        List<Undecided> undecided = new ArrayList<>(judgement.undecided());
        for (Violation violation : judgement.violations()) {
            Optional<CounterChange> shared =
                    diff.find(violation.subject()).filter(diff::isShared).filter(Attribution::mayBeCausedByOthers);
            if (shared.isEmpty()) {
                violations.add(violation);
            } else if (this == STRICT) {
                violations.add(CounterMessages.perhapsByOthers(violation, diff.neighbours(shared.get())));
            } else {
                undecided.add(CounterMessages.notAttributable(violation, diff.neighbours(shared.get())));
            }
        }
        return new Judgement(violations, undecided, judgement.notices());
    }

    /**
     * Checks whether another process can have caused a violation. It cannot make a file unreadable or prevent a count from
     * increasing. But a release by another process can hide an allocation.
     */
    private static boolean mayBeCausedByOthers(CounterChange change) {
        return switch (change.movement()) {
            case UNREADABLE -> false;
            case UNCHANGED -> !change.kind().isMonotonic();
            default -> true;
        };
    }
}
