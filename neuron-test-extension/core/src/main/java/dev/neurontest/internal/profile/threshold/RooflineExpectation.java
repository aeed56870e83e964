package dev.neurontest.internal.profile.threshold;

import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.profile.Doubts;
import dev.neurontest.metric.Fraction;
import dev.neurontest.profile.Profile;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * How much a graph has to reach of what its machine lets it reach: of the peak where computing is the limit, and of what the
 * bandwidth of HBM leaves of it where memory is. The peak is the profiler's own ({@code peak_flops_bandwidth_ratio} beside
 * {@code mm_arithmetic_intensity} and the utilisation that it estimates), never a table kept here.
 *
 * @param min the least share that will do
 * @param words how the user stated it, for messages
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RooflineExpectation(Fraction min, String words) implements Expectation<Profile> {

    private static final String SUBJECT = "share of the roofline";
    private static final String UTILISATION = "mfu_estimated_percent";

    @Override
    public Judgement judge(Profile profile) {
        String doubts = (Doubts.reasons(profile, UTILISATION) + " " + Doubts.ofDma(profile)).strip();
        if (!doubts.isEmpty()) {
            return Judgement.of(new Undecided(words, SUBJECT, doubts));
        }
        Optional<Roofline> roofline = Roofline.of(profile);
        if (roofline.isEmpty()) {
            return violated(
                    "the profile has none of the metrics for it",
                    "A graph without matrix multiplications has no roofline, nor has a summary without"
                            + " mm_arithmetic_intensity, peak_flops_bandwidth_ratio and an estimated utilisation. Absent is not zero.");
        }
        Roofline there = roofline.get();
        double share = there.achieved() / there.attainable();
        return share >= min.value()
                ? Judgement.NOTHING
                : violated(
                        new Fraction(share).toString(),
                        there.text() + " If that is all that it can be, state the lower share.");
    }

    private Judgement violated(String actual, String advice) {
        return Judgement.of(new Violation(words, SUBJECT, "at least " + min, actual, advice));
    }
}
