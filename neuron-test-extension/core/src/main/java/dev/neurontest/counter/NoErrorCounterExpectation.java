package dev.neurontest.counter;

import dev.neurontest.device.NeuronDevice;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.device.CounterKind;
import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
        diff.sections()
                .forEach(section -> section.doubt()
                        .ifPresent(doubt -> undecided.add(
                                new Undecided(RULE, section.place().toString(), doubt))));
        List<Violation> unreadable = CounterMessages.unreadable(
                RULE,
                diff.unreadable().stream()
                        .filter(counter -> forbids(counter.counter().path()))
                        .filter(counter -> counter.counter().field() == CounterField.TOTAL
                                || counter.counter().field() == CounterField.VALUE)
                        .toList());
        // A missing error counter is unreadable and already reported as such.
        if (!diff.entryChanges().isEmpty() && unreadable.isEmpty()) {
            undecided.add(new Undecided(RULE, diff.where(), CounterMessages.otherEntries(diff.entryChanges())));
        }
        diff.unseenHolder().ifPresent(reason -> undecided.add(new Undecided(RULE, diff.where(), reason)));
        if (!mayBecomeUnhealthy) {
            diff.healthChanges().forEach((device, change) -> {
                if (change.isUnreadable()) {
                    if (unreadable.isEmpty()) {
                        undecided.add(new Undecided(HEALTH_RULE, CounterDiff.healthOf(device), change.after()));
                    }
                } else if (!change.after().isEmpty()) {
                    violations.add(CounterMessages.unhealthy(HEALTH_RULE, CounterDiff.healthOf(device), change));
                }
            });
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

    private boolean forbids(String path) {
        return CounterKind.isError(path) && !allowed.contains(path);
    }
}
