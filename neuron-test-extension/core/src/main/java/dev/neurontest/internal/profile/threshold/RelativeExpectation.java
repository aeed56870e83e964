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
 * An expectation for a metric relative to that of another test of the run. Example: a bf16 kernel takes at most 60 % of the time of the
 * fp32 kernel.
 *
 * @param metric the tool's name of the metric
 * @param max the largest allowed share of the other value; empty when there is no upper limit
 * @param min the smallest allowed share of the other value; empty when there is no lower limit
 * @param otherTest name of the other test in messages
 * @param other supplier of the other profile, called when this expectation is judged; empty while there is none
 * @param words the text of the user, for messages
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
        Optional<Profile> otherProfile = other.get();
        if (otherProfile.isEmpty()) {
            return undecided(
                    "%s has no profile in this JVM. It must run first: order them with @TestMethodOrder or @TestClassOrder, in one JVM."
                            .formatted(otherTest));
        }
        String doubts = Doubts.reasons(profile, otherProfile.get(), metric);
        if (!doubts.isEmpty()) {
            return undecided(doubts);
        }
        OptionalDouble own = profile.number(metric);
        OptionalDouble base = otherProfile.get().number(metric);
        if (own.isEmpty() || base.isEmpty()) {
            return violated(
                    "the tool did not write it for %s"
                            .formatted(
                                    own.isEmpty()
                                            ? profile.title()
                                            : otherProfile.get().title()),
                    "Absent is not zero. Name a metric that both summaries have.");
        }
        if (base.getAsDouble() == 0 || isNoTime(base.getAsDouble())) {
            return undecided(
                    "It is %s in %s, and a share of 0 is undefined.".formatted(shown(base.getAsDouble()), otherTest));
        }
        if (isNoTime(own.getAsDouble())) {
            return undecided("It is %s in %s but more in %s: a time of 0 is neither a measurement nor an improvement."
                    .formatted(shown(own.getAsDouble()), profile.title(), otherTest));
        }
        double share = own.getAsDouble() / base.getAsDouble();
        boolean kept = max.stream().allMatch(most -> share <= most.value())
                && min.stream().allMatch(least -> share >= least.value());
        return kept
                ? Judgement.NOTHING
                : violated(
                        "%s: %s compared with %s of %s"
                                .formatted(
                                        new Fraction(share),
                                        shown(own.getAsDouble()),
                                        shown(base.getAsDouble()),
                                        otherTest),
                        "Both profiles are attached to their tests; if the change is intended, set the new ratio.");
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
