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
 * @param origin the last execution
 * @param expectation the expectation of the test; empty without one
 * @param examined number of examined executions
 * @param faulty number of those with a fault
 * @param firstFault the first one with a fault; empty without one
 * @param last the last one; empty if none was examined
 * @param whyNotRead reason why the last one was not examined; empty if it was
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
        boolean isFaulty = !output.found().isEmpty();
        return new OutputSeries(
                output.origin(),
                expectation,
                examined + 1,
                faulty + (isFaulty ? 1 : 0),
                firstFault.or(() -> Optional.of(output).filter(each -> isFaulty)),
                Optional.of(output),
                "",
                sameBytes
                        && (!isFaulty
                                || firstFault
                                        .filter(first -> !first.hash().equals(output.hash()))
                                        .isEmpty()),
                compared || hasTwin);
    }

    OutputSeries withComparison() {
        return new OutputSeries(origin, expectation, examined, faulty, firstFault, last, whyNotRead, sameBytes, true);
    }

    OutputSeries notRead(OutputOrigin unread, String reason) {
        return new OutputSeries(unread, expectation, examined, faulty, firstFault, last, reason, sameBytes, compared);
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
