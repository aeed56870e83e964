package dev.neurontest.counter;

import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.counter.CounterText;
import dev.neurontest.internal.device.CounterKind;
import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.text.ListText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * An expectation that is always met and only adds notices about a difference.
 *
 * @param reportsForeignActivity false if another expectation already reports foreign activity
 * @param reportsHeldBack false if another expectation already reports deferred counts
 */
record CounterNotices(boolean reportsForeignActivity, boolean reportsHeldBack) implements Expectation<CounterDiff> {

    private static final int NAMED = 4;

    @Override
    public Judgement judge(CounterDiff diff) {
        List<String> notices = new ArrayList<>();
        if (reportsForeignActivity) {
            foreignActivity(diff, notices);
        }
        if (reportsHeldBack) {
            add("Error counters may be incomplete. ", diff.deferredBy(), notices);
        }
        add("", diff.stillOpen(), notices);
        unjudged(diff, notices);
        add("", diff.unsettled(), notices);
        List<UnreadableCounter> unreadable = new ArrayList<>();
        for (UnreadableCounter counter : diff.unreadable()) {
            if (!CounterKind.isError(counter.counter().path())) {
                unreadable.add(counter);
            }
        }
        if (!unreadable.isEmpty()) {
            notices.add("Not readable: %s%s"
                    .formatted(
                            unreadable.get(0).cause().getMessage(),
                            unreadable.size() == 1 ? "" : " (and " + (unreadable.size() - 1) + " more)"));
        }
        return notices.isEmpty() ? Judgement.NOTHING : new Judgement(List.of(), List.of(), notices);
    }

    private static void add(String beginning, Optional<String> notice, List<String> notices) {
        if (notice.isPresent()) {
            notices.add(beginning + notice.get());
        }
    }

    /** Adds notices about counters of unknown kind that changed. A counter of a newer driver may count errors. */
    private static void unjudged(CounterDiff diff, List<String> notices) {
        List<CounterChange> events = new ArrayList<>();
        List<CounterChange> moved = new ArrayList<>();
        for (CounterChange change : diff.moved()) {
            if (change.kind() == CounterKind.OTHER) {
                (CounterKind.isHardwareEvent(change.path()) ? events : moved).add(change);
            }
        }
        if (!events.isEmpty()) {
            notices.add("The device had hardware error events, which no rule judges: %s. Look at dmesg."
                    .formatted(some(events, CounterChange::subject)));
        }
        if (!moved.isEmpty()) {
            notices.add(
                    "These counters changed, but no rule judges them, because their meaning is unknown to this version: %s."
                            .formatted(some(moved, CounterChange::subject)));
        }
    }

    private static void foreignActivity(CounterDiff diff, List<String> notices) {
        Map<String, List<CounterChange>> places = new LinkedHashMap<>();
        for (CounterChange change : diff.foreign()) {
            places.computeIfAbsent(change.where(), place -> new ArrayList<>()).add(change);
        }
        for (NeuronSysfsException cause : diff.unwatched()) {
            notices.add("Foreign activity cannot be detected: " + cause.getMessage());
        }
        for (Map.Entry<String, List<CounterChange>> place : places.entrySet()) {
            List<CounterChange> changes = place.getValue();
            notices.add("Foreign activity on %s, which this test does not hold: %s%s."
                    .formatted(place.getKey(), some(changes, CounterChange::path), CounterText.by(changes, diff)));
        }
    }

    private static String some(List<CounterChange> changes, Function<CounterChange, String> name) {
        List<String> named = changes.stream()
                .map(change -> name.apply(change) + " " + CounterText.moved(change))
                .toList();
        return ListText.some(named, NAMED);
    }
}
