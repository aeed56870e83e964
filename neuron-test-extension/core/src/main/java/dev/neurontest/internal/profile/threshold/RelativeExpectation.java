package dev.neurontest.internal.profile.threshold;

import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.profile.Doubts;
import dev.neurontest.internal.profile.ProfileMetrics;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.Profile;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * A metric must stay within limits that another test of the run sets: a bf16 kernel takes at most 60 % of what the fp32 kernel
 * takes.
 *
 * @param metric as the tool names it
 * @param max the largest share of the other one's that will do; empty when there is no upper limit
 * @param min the smallest share of the other one's that will do; empty when there is no lower limit
 * @param otherTest what messages call the other test
 * @param other its profile, asked when it is judged; empty while it has none
 * @param words how the user stated it, for messages
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RelativeExpectation(
        String metric,
        Optional<Fraction> max,
        Optional<Fraction> min,
        String otherTest,
        Supplier<Optional<Profile>> other,
        String words)
        implements Expectation<Profile> {

    @Override
    public Judgement judge(Profile profile) {
        Optional<Profile> beside = other.get();
        if (beside.isEmpty()) {
            return undecided(
                    "%s has no profile in this JVM. It has to run before: order them by @TestMethodOrder or @TestClassOrder, in one JVM."
                            .formatted(otherTest));
        }
        String doubts = Doubts.reasons(profile, beside.get(), metric);
        if (!doubts.isEmpty()) {
            return undecided(doubts);
        }
        OptionalDouble mine = profile.number(metric);
        OptionalDouble its = beside.get().number(metric);
        if (mine.isEmpty() || its.isEmpty()) {
            return violated(
                    "the tool did not write it for %s"
                            .formatted(
                                    mine.isEmpty()
                                            ? profile.title()
                                            : beside.get().title()),
                    "Absent is not zero. Name a metric that both summaries have.");
        }
        if (its.getAsDouble() == 0 || isNoTime(its.getAsDouble())) {
            return undecided(
                    "It is %s in %s, and of nothing there is no share.".formatted(shown(its.getAsDouble()), otherTest));
        }
        if (isNoTime(mine.getAsDouble())) {
            return undecided("It is %s in %s but more in %s: a time of 0 is no measurement and no improvement."
                    .formatted(shown(mine.getAsDouble()), profile.title(), otherTest));
        }
        double share = mine.getAsDouble() / its.getAsDouble();
        boolean kept = max.stream().allMatch(most -> share <= most.value())
                && min.stream().allMatch(least -> share >= least.value());
        return kept
                ? Judgement.NOTHING
                : violated(
                        "%s: %s beside %s of %s"
                                .formatted(
                                        new Fraction(share),
                                        shown(mine.getAsDouble()),
                                        shown(its.getAsDouble()),
                                        otherTest),
                        "Both profiles are attached to their tests; if the ratio is meant to change, state the new one.");
    }

    private boolean isNoTime(double value) {
        return ProfileMetrics.unit(metric).filter(unit -> unit.isNoTime(value)).isPresent();
    }

    private String shown(double value) {
        return new Quantity(value, ProfileMetrics.unit(metric).orElse(Unit.COUNT)).toString();
    }

    private Judgement undecided(String reason) {
        return Judgement.of(new Undecided(words, metric, reason));
    }

    private Judgement violated(String actual, String advice) {
        String limits = max.map(most -> "at most " + most).orElse("")
                + (max.isPresent() && min.isPresent() ? " and " : "")
                + min.map(least -> "at least " + least).orElse("");
        return Judgement.of(
                new Violation(words, metric, "%s of that of %s".formatted(limits, otherTest), actual, advice));
    }
}
