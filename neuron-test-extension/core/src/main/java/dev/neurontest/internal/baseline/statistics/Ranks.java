package dev.neurontest.internal.baseline.statistics;

import java.util.Arrays;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.MannWhitneyUTest;
import org.apache.commons.statistics.inference.WilcoxonSignedRankTest;
import org.apiguardian.api.API;

/** The probability that the ranks of runs occur by chance. It assumes no distribution, and is exact if there are no ties. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface Ranks {

    /** Returns the p-value of a claim about the runs: they are greater or less than the earlier ones multiplied by a factor. */
    double chance(double factor, AlternativeHypothesis claim);

    /** Returns the probability of the ranks if the runs are at most the earlier ones multiplied by a factor. */
    default double ifAtMost(double factor) {
        return chance(factor, AlternativeHypothesis.GREATER_THAN);
    }

    /** Returns the probability of the ranks if the runs are at least the earlier ones multiplied by a factor. */
    default double ifAtLeast(double factor) {
        return chance(factor, AlternativeHypothesis.LESS_THAN);
    }

    /** Creates the ranks of runs among those of a baseline (Mann–Whitney test). */
    static Ranks ofRuns(double[] baseline, double[] now) {
        return (factor, claim) -> MannWhitneyUTest.withDefaults()
                .with(claim)
                .test(now, Arrays.stream(baseline).map(run -> run * factor).toArray())
                .getPValue();
    }

    /** Creates the ranks of the ratios of paired runs (Wilcoxon test). */
    static Ranks ofPairs(double[] ratios) {
        return (factor, claim) -> WilcoxonSignedRankTest.withDefaults()
                .with(claim)
                .test(Arrays.stream(ratios)
                        .map(ratio -> Math.log(ratio) - Math.log(factor))
                        .toArray())
                .getPValue();
    }
}
