package dev.neurontest.counter.rule;

import dev.neurontest.counter.CounterChange;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.Movement;
import dev.neurontest.counter.tree.CounterField;
import dev.neurontest.counter.tree.CounterKind;
import dev.neurontest.counter.tree.CounterNameException;
import dev.neurontest.counter.tree.CounterScope;
import dev.neurontest.recording.Expectation;
import dev.neurontest.recording.Judgement;
import dev.neurontest.recording.Undecided;
import dev.neurontest.recording.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The default rule. Its judgement rests on each physical core by itself. */
final class NoErrorCounterMoves implements Expectation<CounterDiff> {

    static final String RULE = "no error counter may move";

    private final Set<String> allowed;
    private final List<String> notices;

    private NoErrorCounterMoves(Set<String> allowed, List<String> notices) {
        this.allowed = allowed;
        this.notices = notices;
    }

    static NoErrorCounterMoves except(List<String> names, CounterScope scope) {
        if (names.isEmpty()) {
            return new NoErrorCounterMoves(Set.of(), List.of());
        }
        Set<String> allowed = new HashSet<>();
        List<String> notices = new ArrayList<>();
        for (String name : names) {
            try {
                String path = scope.path(name);
                if (CounterKind.isError(path)) {
                    allowed.add(path);
                } else {
                    notices.add("@AllowCounter(\"%s\") allows nothing: %s is no error counter and may always move."
                            .formatted(name, path));
                }
            } catch (CounterNameException e) {
                notices.add("@AllowCounter(\"%s\") allows nothing here. %s".formatted(name, e.getMessage()));
            }
        }
        return new NoErrorCounterMoves(allowed, notices);
    }

    @Override
    public Judgement judge(CounterDiff diff) {
        List<Violation> violations = new ArrayList<>();
        List<Undecided> undecided = new ArrayList<>();
        diff.sections()
                .forEach(section -> section.doubt()
                        .ifPresent(doubt -> undecided.add(
                                new Undecided(RULE, section.place().toString(), doubt))));
        for (CounterChange change : diff.moved()) {
            if (!forbids(change.path()) || change.field() == CounterField.PEAK) {
                continue;
            }
            if (change.movement() == Movement.CLEARED && change.delta().signum() == 0) {
                undecided.add(new Undecided(RULE, change.subject(), CounterMessages.clearedMeanwhile(change)));
            } else {
                violations.add(CounterMessages.errorMoved(change));
            }
        }
        violations.addAll(CounterMessages.unreadable(
                RULE,
                diff.unreadable().stream()
                        .filter(counter -> forbids(counter.counter().path()))
                        .filter(counter -> counter.counter().field() == CounterField.TOTAL
                                || counter.counter().field() == CounterField.VALUE)
                        .toList()));
        return new Judgement(violations, undecided, notices);
    }

    private boolean forbids(String path) {
        return CounterKind.isError(path) && !allowed.contains(path);
    }
}
