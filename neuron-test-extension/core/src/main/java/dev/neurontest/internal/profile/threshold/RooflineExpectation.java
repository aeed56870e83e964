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
 * An expectation for the share that a graph reaches of the performance that its machine allows. Where computing is the limit, this is the
 * peak; where memory is, it is the part of the peak that the bandwidth of HBM allows. The peak comes from the profiler
 * ({@code peak_flops_bandwidth_ratio} with {@code mm_arithmetic_intensity} and the estimated utilisation), never from a table in this
 * project.
 *
 * @param min the smallest allowed share
 * @param words the text of the user, for messages
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
        Roofline point = roofline.get();
        double share = point.achieved() / point.attainable();
        return share >= min.value()
                ? Judgement.NOTHING
                : violated(
                        new Fraction(share).toString(), point.text() + " If it cannot be more, set the lower share.");
    }

    private Judgement violated(String actual, String advice) {
        return Judgement.of(new Violation(words, SUBJECT, "at least " + min, actual, advice));
    }
}
