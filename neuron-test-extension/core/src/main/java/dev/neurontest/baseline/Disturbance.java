package dev.neurontest.baseline;

import dev.neurontest.metric.Fraction;
import java.util.Optional;

/** What the runs themselves show of something other than the model. */
final class Disturbance {

    static final String DRIFT = "drift";
    static final String TWO_GROUPS = "two-groups";

    /** A suspicion costs only further runs, so that an early look is quick to have one: five runs in order have it in one case of twelve. */
    private static final double SUSPICIOUS = 0.1;

    private static final double CERTAIN = 0.01;

    private static final double SEEM_APART = 3;

    static final double APART = 4;

    /** What is well below the margin cannot turn the answer. */
    private static final double PART_OF_MARGIN = 1.0 / 3;

    private Disturbance() {}

    /**
     * Looks for a disturbance.
     *
     * @param last whether there are no further runs to get over it
     * @return its name
     */
    static Optional<String> in(double[] runs, Fraction margin, boolean last) {
        Drift drift = Drift.of(runs);
        if (drift.probability() <= (last ? CERTAIN : SUSPICIOUS)
                && Math.abs(drift.change()) > PART_OF_MARGIN * margin.value()) {
            return Optional.of(DRIFT);
        }
        return TwoGroups.in(runs, margin.value(), last ? APART : SEEM_APART).map(groups -> TWO_GROUPS);
    }
}
