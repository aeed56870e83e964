package dev.neurontest.internal.judgement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The result of all expectations on one measurement.
 *
 * @param violations expectations that were not met
 * @param undecided expectations that could not be judged
 * @param notApplicable expectations that do not apply to what the test did
 * @param notices information for the reader without a fault
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Judgement(
        List<Violation> violations,
        List<Undecided> undecided,
        List<NotApplicable> notApplicable,
        List<String> notices) {

    /** A judgement without findings. */
    public static final Judgement NOTHING = new Judgement(List.of(), List.of(), List.of());

    /** Creates a judgement with copies of the lists. */
    public Judgement {
        violations = List.copyOf(violations);
        undecided = List.copyOf(undecided);
        notApplicable = List.copyOf(notApplicable);
        notices = List.copyOf(notices);
    }

    /** Creates a judgement of expectations that all apply. */
    public Judgement(List<Violation> violations, List<Undecided> undecided, List<String> notices) {
        this(violations, undecided, List.of(), notices);
    }

    /** Checks whether there are no findings. */
    public boolean isNothing() {
        return violations.isEmpty() && undecided.isEmpty() && notApplicable.isEmpty() && notices.isEmpty();
    }

    /** Creates the judgement of expectations that do not apply. */
    public static Judgement notApplicable(List<NotApplicable> expectations) {
        return new Judgement(List.of(), List.of(), expectations, List.of());
    }

    /** Creates the judgement of one expectation that was not met. */
    public static Judgement of(Violation violation) {
        return new Judgement(List.of(violation), List.of(), List.of());
    }

    /** Creates the judgement of one expectation that could not be judged. */
    public static Judgement of(Undecided undecided) {
        return new Judgement(List.of(), List.of(undecided), List.of());
    }

    /**
     * Returns the judgement with the name of a host before each subject and notice.
     *
     * @param host such as {@code n1}
     */
    public Judgement on(String host) {
        String place = host + ": ";
        return new Judgement(
                violations.stream()
                        .map(each -> new Violation(
                                each.rule(), place + each.subject(), each.expected(), each.actual(), each.advice()))
                        .toList(),
                undecided.stream()
                        .map(each -> new Undecided(each.rule(), place + each.subject(), each.reason()))
                        .toList(),
                notApplicable.stream()
                        .map(each -> new NotApplicable(each.rule(), place + each.subject(), each.reason()))
                        .toList(),
                notices.stream().map(place::concat).toList());
    }

    /** Joins several judgements in their order. Repeated notices are kept once. */
    public static Judgement of(Collection<Judgement> judgements) {
        List<Violation> violations = new ArrayList<>();
        List<Undecided> undecided = new ArrayList<>();
        List<NotApplicable> notApplicable = new ArrayList<>();
        Set<String> notices = new LinkedHashSet<>();
        for (Judgement each : judgements) {
            violations.addAll(each.violations);
            undecided.addAll(each.undecided);
            notApplicable.addAll(each.notApplicable);
            notices.addAll(each.notices);
        }
        return new Judgement(violations, undecided, notApplicable, List.copyOf(notices));
    }
}
