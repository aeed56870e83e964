package dev.neurontest.internal.baseline.statistics;

import dev.neurontest.metric.Fraction;
import java.util.Optional;
import org.apiguardian.api.API;

/** What the runs themselves show of something other than the model. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Disturbance {

    public static final String DRIFT = "drift";
    public static final String TWO_GROUPS = "two-groups";

    /** A suspicion costs only further runs, so that an early look is quick to have one: five runs in order have it in one case of twelve. */
    private static final double SUSPICIOUS = 0.1;

    private static final double CERTAIN = 0.01;

    private static final double SEEM_APART = 3;

    public static final double APART = 4;

    /** What is well below the margin cannot turn the answer. */
    private static final double PART_OF_MARGIN = 1.0 / 3;

    private Disturbance() {}

    /**
     * Looks for a disturbance.
     *
     * @param last whether there are no further runs to get over it
     * @return its name
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
