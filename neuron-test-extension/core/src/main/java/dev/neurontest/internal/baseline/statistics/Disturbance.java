package dev.neurontest.internal.baseline.statistics;

import dev.neurontest.metric.Fraction;
import java.util.Optional;
import org.apiguardian.api.API;

/** Signs in the runs of an influence other than the model. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Disturbance {

    public static final String DRIFT = "drift";
    public static final String TWO_GROUPS = "two-groups";

    /**
     * Significance level for a drift at an early look. A suspicion only causes further runs, therefore the level is high. Five runs reach
     * it by chance in one case of twelve.
     */
    private static final double SUSPICIOUS = 0.1;

    private static final double CERTAIN = 0.01;

    private static final double SEEM_APART = 3;

    public static final double APART = 4;

    /** Fraction of the margin that a drift must exceed. A smaller drift cannot change the result. */
    private static final double PART_OF_MARGIN = 1.0 / 3;

    private Disturbance() {}

    /**
     * Searches for a disturbance and returns its name.
     *
     * @param last true if no further runs can outweigh it
     */
    public static Optional<String> in(double[] runs, Fraction margin, boolean last) {
        Drift drift = Drift.of(runs);
        if (drift.probability() <= (last ? CERTAIN : SUSPICIOUS)
                && Math.abs(drift.change()) > PART_OF_MARGIN * margin.value()) {
            return Optional.of(DRIFT);
        }
        return TwoGroups.in(runs, margin.value(), last ? APART : SEEM_APART).map(groups -> TWO_GROUPS);
    }
}
