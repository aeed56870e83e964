package dev.neurontest.internal.output;

import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.text.CountText;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * One output of a model on a core in all executions of a test that were examined.
 *
 * @param origin the first execution that was not examined; the last one if all were
 * @param expectation the expectation of the test; empty without one
 * @param examined number of examined executions
 * @param faulty number of those with a fault; if one violates the expectation, the number of those that do
 * @param firstFault the first one with a fault, or the first one that violates the expectation; empty without one
 * @param last the last one; empty if none was examined
 * @param whyNotRead reason why an execution was not examined; empty if all were
 * @param sameBytes true if all executions with a fault gave the same bytes
 * @param compared true if two executions had the same inputs
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record OutputSeries(
        OutputOrigin origin,
        Optional<OutputExpectation> expectation,
        long examined,
        long faulty,
        Optional<OutputRecord> firstFault,
        Optional<OutputRecord> last,
        String whyNotRead,
        boolean sameBytes,
        boolean compared) {

    static OutputSeries of(OutputOrigin origin, Optional<OutputExpectation> expectation) {
        return new OutputSeries(origin, expectation, 0, 0, Optional.empty(), Optional.empty(), "", true, false);
    }

    OutputSeries next(OutputRecord output, boolean hasTwin) {
        boolean wasViolated = firstFault.filter(OutputSeries::isViolation).isPresent();
        boolean isWorse = isViolation(output) && !wasViolated;
        boolean isFaulty = isViolation(output) || !output.found().isEmpty() && !wasViolated;
        Optional<OutputRecord> earlierFault = firstFault.filter(first -> !isWorse);
        return new OutputSeries(
                whyNotRead.isEmpty() ? output.origin() : origin,
                expectation,
                examined + 1,
                (isWorse ? 0 : faulty) + (isFaulty ? 1 : 0),
                earlierFault.or(() -> Optional.of(output).filter(each -> isFaulty)),
                Optional.of(output),
                whyNotRead,
                isWorse
                        || sameBytes
                                && (!isFaulty
                                        || earlierFault
                                                .filter(first -> !first.hash().equals(output.hash()))
                                                .isEmpty()),
                compared || hasTwin);
    }

    private static boolean isViolation(OutputRecord output) {
        return !output.judgement().violations().isEmpty();
    }

    OutputSeries withComparison() {
        return new OutputSeries(origin, expectation, examined, faulty, firstFault, last, whyNotRead, sameBytes, true);
    }

    OutputSeries notRead(OutputOrigin unread, String reason) {
        return whyNotRead.isEmpty()
                ? new OutputSeries(unread, expectation, examined, faulty, firstFault, last, reason, sameBytes, compared)
                : this;
    }

    boolean isOf(ExecutedModel executed, String output) {
        return origin.model().equals(executed.model())
                && origin.core().equals(executed.core())
                && origin.output().equals(output);
    }

    /** Returns the first faulty record, or else the last one. */
    Optional<OutputRecord> shown() {
        return firstFault.or(() -> last);
    }

    /** Judges the series. Of many executions with a fault, the first one is judged, and the others are counted. */
    Judgement judgement() {
        Judgement first = firstFault.map(OutputRecord::judgement).orElse(Judgement.NOTHING);
        if (faulty > 1) {
            String others = " (and in %s%s)"
                    .formatted(CountText.of(faulty - 1, "later execution"), sameBytes ? " with the same bytes" : "");
            first = new Judgement(
                    first.violations().stream()
                            .map(each -> new Violation(
                                    each.rule(),
                                    each.subject(),
                                    each.expected(),
                                    each.actual() + others,
                                    each.advice()))
                            .toList(),
                    first.undecided(),
                    first.notices().stream()
                            .map(notice -> notice.replaceFirst("\\.$", "") + others + ".")
                            .toList());
        }
        return Judgement.of(List.of(first, unread()));
    }

    private Judgement unread() {
        String reason = whyNotRead.isEmpty()
                        && examined > 0
                        && !compared
                        && expectation.filter(OutputExpectation::same).isPresent()
                ? "no two executions with the same inputs were examined. Execute the model twice with the same inputs."
                : whyNotRead;
        return reason.isEmpty() || expectation.isEmpty()
                ? Judgement.NOTHING
                : Judgement.of(new Undecided(expectation.get().words(), origin.text(), reason));
    }
}
