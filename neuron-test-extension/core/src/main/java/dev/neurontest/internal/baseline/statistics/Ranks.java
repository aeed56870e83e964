package dev.neurontest.internal.baseline.statistics;

import java.util.Arrays;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.MannWhitneyUTest;
import org.apache.commons.statistics.inference.WilcoxonSignedRankTest;
import org.apiguardian.api.API;

/** How likely the ranks of runs are by chance: nothing is assumed about their distribution, and it is exact where there are no ties. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface Ranks {

    /** How likely they are where the opposite of a claim about the runs is true: more or less than so many times what they were before. */
    double chance(double factor, AlternativeHypothesis claim);

    /** How likely they are where the runs are at most so many times what they were before. */
    default double ifAtMost(double factor) {
        return chance(factor, AlternativeHypothesis.GREATER_THAN);
    }

    /** How likely they are where the runs are at least so many times what they were before. */
    default double ifAtLeast(double factor) {
        return chance(factor, AlternativeHypothesis.LESS_THAN);
    }

    /** Of runs among those of a baseline (Mann and Whitney). */
    static Ranks ofRuns(double[] baseline, double[] now) {
        return (factor, claim) -> MannWhitneyUTest.withDefaults()
                .with(claim)
                .test(now, Arrays.stream(baseline).map(run -> run * factor).toArray())
                .getPValue();
    }

    /** Of the ratios of runs that were made in pairs (Wilcoxon). */
    static Ranks ofPairs(double[] ratios) {
        return (factor, claim) -> WilcoxonSignedRankTest.withDefaults()
                .with(claim)
                .test(Arrays.stream(ratios)
                        .map(ratio -> Math.log(ratio) - Math.log(factor))
                        .toArray())
                .getPValue();
    }
}
