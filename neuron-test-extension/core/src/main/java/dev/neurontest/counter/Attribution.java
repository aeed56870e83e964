package dev.neurontest.counter;

import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What becomes of a demand that was broken by a counter of a whole device, such as an ECC error, while another process was on
 * that device too. The driver does not tell whose doing it is. A leased core's own counters are judged the same way in any case.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Attribution {
    /** The demand is violated; the advice names who may have caused it. */
    STRICT,
    /** The demand is undecided, and {@code neuron.test.undecided} says what becomes of that; the reason names who was there. */
    TOLERANT;

    Judgement attribute(Judgement judgement, CounterDiff diff) {
        if (diff.neighbours().isEmpty()) {
            return judgement;
        }
        List<Violation> violations = new ArrayList<>();
        List<Undecided> undecided = new ArrayList<>(judgement.undecided());
        for (Violation violation : judgement.violations()) {
            Optional<CounterChange> shared =
                    diff.find(violation.subject()).filter(diff::isShared).filter(Attribution::canBeTheDoingOfOthers);
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

    /** Another process cannot make a file unreadable nor keep a count from rising; but its release can hide an allocation. */
    private static boolean canBeTheDoingOfOthers(CounterChange change) {
        return switch (change.movement()) {
            case UNREADABLE -> false;
            case UNCHANGED -> !change.kind().isMonotonic();
            default -> true;
        };
    }
}
