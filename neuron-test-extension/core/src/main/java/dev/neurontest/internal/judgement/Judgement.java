package dev.neurontest.internal.judgement;

import java.util.Collection;
import java.util.List;
import org.apiguardian.api.API;

/**
 * What the expectations found in one recording.
 *
 * @param violations demands that were not met
 * @param undecided demands that could not be judged
 * @param notices what a reader should know although nothing is wrong
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Judgement(List<Violation> violations, List<Undecided> undecided, List<String> notices) {

    /** Nothing found. */
    public static final Judgement NOTHING = new Judgement(List.of(), List.of(), List.of());

    /**
     * Keeps its own copies.
     *
     * @param violations demands that were not met
     * @param undecided demands that could not be judged
     * @param notices what a reader should know although nothing is wrong
     */
    public Judgement {
        violations = List.copyOf(violations);
        undecided = List.copyOf(undecided);
        notices = List.copyOf(notices);
    }

    /**
     * Checks whether nothing was found.
     *
     * @return true without violations, undecided demands and notices
     */
    public boolean isNothing() {
        return violations.isEmpty() && undecided.isEmpty() && notices.isEmpty();
    }

    /**
     * Creates the judgement of one demand that was not met.
     *
     * @param violation of it
     * @return without anything else
     */
    public static Judgement of(Violation violation) {
        return new Judgement(List.of(violation), List.of(), List.of());
    }

    /**
     * Creates the judgement of one demand that could not be judged.
     *
     * @param undecided why
     * @return without anything else
     */
    public static Judgement of(Undecided undecided) {
        return new Judgement(List.of(), List.of(undecided), List.of());
    }

    /**
     * Puts several judgements together, in their order; a notice that repeats is kept once.
     *
     * @param judgements what single expectations found
     * @return all of it
     */
    public static Judgement of(Collection<Judgement> judgements) {
        return new Judgement(
                judgements.stream().flatMap(each -> each.violations.stream()).toList(),
                judgements.stream().flatMap(each -> each.undecided.stream()).toList(),
                judgements.stream()
                        .flatMap(each -> each.notices.stream())
                        .distinct()
                        .toList());
    }
}
