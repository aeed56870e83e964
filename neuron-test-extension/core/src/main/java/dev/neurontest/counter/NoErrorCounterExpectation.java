package dev.neurontest.counter;

import dev.neurontest.device.NeuronDevice;
import dev.neurontest.internal.counter.HealthChange;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.CounterScope.Section;
import dev.neurontest.internal.device.CounterKind;
import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The default rule: no error counter may change. Each physical core is judged separately. */
final class NoErrorCounterExpectation implements Expectation<CounterDiff> {

    static final String RULE = "no error counter may move";
    static final String HEALTH_RULE = "no device may become unhealthy";

    private final Set<String> allowed;
    private final boolean mayBecomeUnhealthy;
    private final List<String> notices;

    private NoErrorCounterExpectation(Set<String> allowed, boolean mayBecomeUnhealthy, List<String> notices) {
        this.allowed = allowed;
        this.mayBecomeUnhealthy = mayBecomeUnhealthy;
        this.notices = notices;
    }

    static NoErrorCounterExpectation except(List<String> names, CounterScope scope) {
        if (names.isEmpty()) {
            return new NoErrorCounterExpectation(Set.of(), false, List.of());
        }
        Set<String> allowed = new HashSet<>();
        List<String> notices = new ArrayList<>();
        boolean mayBecomeUnhealthy = false;
        for (String name : names) {
            if (name.substring(name.lastIndexOf('/') + 1).equals(NeuronDevice.COMPONENTS)) {
                mayBecomeUnhealthy = true;
                continue;
            }
            try {
                String path = scope.path(name);
                if (CounterKind.isError(path)) {
                    allowed.add(path);
                } else {
                    notices.add("@AllowCounter(\"%s\") has no effect: %s is not an error counter and may always change."
                            .formatted(name, path));
                }
            } catch (CounterNameException e) {
                notices.add("@AllowCounter(\"%s\") has no effect here. %s".formatted(name, e.getMessage()));
            }
        }
        return new NoErrorCounterExpectation(allowed, mayBecomeUnhealthy, notices);
    }

    @Override
    public Judgement judge(CounterDiff diff) {
        List<Violation> violations = new ArrayList<>();
        List<Undecided> undecided = new ArrayList<>();
        for (Section section : diff.sections()) {
            if (section.doubt().isPresent()) {
                undecided.add(new Undecided(
                        RULE, section.place().toString(), section.doubt().get()));
            }
        }
        List<Violation> unreadable = unreadable(diff.unreadable());
        // A missing error counter is unreadable and already reported as such.
        if (!diff.entryChanges().isEmpty() && unreadable.isEmpty()) {
            undecided.add(new Undecided(RULE, diff.where(), CounterMessages.otherEntries(diff.entryChanges())));
        }
        if (diff.unseenHolder().isPresent()) {
            undecided.add(new Undecided(RULE, diff.where(), diff.unseenHolder().get()));
        }
        if (!mayBecomeUnhealthy) {
            for (Map.Entry<String, HealthChange> device : diff.healthChanges().entrySet()) {
                String subject = CounterDiff.healthOf(device.getKey());
                HealthChange change = device.getValue();
                if (change.isUnreadable()) {
                    if (unreadable.isEmpty()) {
                        undecided.add(new Undecided(HEALTH_RULE, subject, change.after()));
                    }
                } else if (!change.after().isEmpty()) {
                    violations.add(CounterMessages.unhealthy(HEALTH_RULE, subject, change));
                }
            }
        }
        for (CounterChange change : diff.moved()) {
            if (!forbids(change.path()) || change.field() == CounterField.PEAK) {
                continue;
            }
            if (change.movement() == Movement.DECREASED && change.delta().signum() == 0) {
                undecided.add(new Undecided(RULE, change.subject(), CounterMessages.clearedDuringTest(change)));
            } else {
                violations.add(CounterMessages.errorMoved(change));
            }
        }
        violations.addAll(unreadable);
        return new Judgement(violations, undecided, notices);
    }

    private List<Violation> unreadable(List<UnreadableCounter> counters) {
        List<UnreadableCounter> errors = new ArrayList<>();
        for (UnreadableCounter unreadable : counters) {
            CounterField field = unreadable.counter().field();
            if (forbids(unreadable.counter().path()) && (field == CounterField.TOTAL || field == CounterField.VALUE)) {
                errors.add(unreadable);
            }
        }
        return errors.isEmpty() ? List.of() : CounterMessages.unreadable(RULE, errors);
    }

    private boolean forbids(String path) {
        return CounterKind.isError(path) && !allowed.contains(path);
    }
}
