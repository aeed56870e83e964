package dev.neurontest.baseline;

import java.util.Arrays;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.MannWhitneyUTest;
import org.apache.commons.statistics.inference.WilcoxonSignedRankTest;

/** How likely the ranks of runs are by chance: nothing is assumed about their distribution, and it is exact where there are no ties. */
interface Ranks {

    /** How likely they are where the runs are at most so many times what they were before. */
    double ifAtMost(double factor);

    /** How likely they are where the runs are at least so many times what they were before. */
    double ifAtLeast(double factor);

    /** Of runs among those of a baseline (Mann and Whitney). */
    static Ranks ofRuns(double[] baseline, double[] now) {
        return new Ranks() {

            @Override
            public double ifAtMost(double factor) {
                return chance(factor, AlternativeHypothesis.GREATER_THAN);
            }

            @Override
            public double ifAtLeast(double factor) {
                return chance(factor, AlternativeHypothesis.LESS_THAN);
            }

            private double chance(double factor, AlternativeHypothesis claim) {
                double[] moved =
                        Arrays.stream(baseline).map(run -> run * factor).toArray();
                return MannWhitneyUTest.withDefaults()
                        .with(claim)
                        .test(now, moved)
                        .getPValue();
            }
        };
    }

    /** Of the ratios of runs that were made in pairs (Wilcoxon). */
    static Ranks ofPairs(double[] ratios) {
        return new Ranks() {

            @Override
            public double ifAtMost(double factor) {
                return chance(factor, AlternativeHypothesis.GREATER_THAN);
            }

            @Override
            public double ifAtLeast(double factor) {
                return chance(factor, AlternativeHypothesis.LESS_THAN);
            }

            private double chance(double factor, AlternativeHypothesis claim) {
                double[] over = Arrays.stream(ratios)
                        .map(ratio -> Math.log(ratio) - Math.log(factor))
                        .toArray();
                return WilcoxonSignedRankTest.withDefaults()
                        .with(claim)
                        .test(over)
                        .getPValue();
            }
        };
    }
}
