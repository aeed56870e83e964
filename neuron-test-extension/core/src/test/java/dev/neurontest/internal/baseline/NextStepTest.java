package dev.neurontest.internal.baseline;

import static dev.neurontest.internal.baseline.ComparedFixture.TIME;
import static dev.neurontest.internal.baseline.ComparedFixture.times;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.metric.Fraction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NextStepTest {

    private static final NextStep NEXT = new NextStep(TIME, Fraction.ofPercent(3), 0.05);

    /** Returns as many values above 1 as below, with the given standard deviation. */
    private static double[] around1(int number, double deviation) {
        double distance = deviation * Math.sqrt((number - 1.0) / number);
        return IntStream.range(0, number)
                .mapToDouble(run -> run % 2 == 0 ? 1 + distance : 1 - distance)
                .toArray();
    }

    /**
     * Verifies the number of pairs: normal runs need (1.645 * 10 % / 3 %)² = 30.1, and the rank test π/3 times as many:
     * 31.5.
     */
    @Test
    void requestsMissingPairs() {
        // then
        assertThat(NEXT.ofPairs(around1(10, 0.1))).isEqualTo("about 22 more pairs (neuron.test.baseline.runs)");
        assertThat(NEXT.ofPairs(around1(30, 0.1))).isEqualTo("about 2 more pairs (neuron.test.baseline.runs)");
        assertThat(NEXT.ofPairs(around1(10, 0.2)))
                .isEqualTo("a quieter host: pair-to-pair 20.0 % against a margin of 3 %");
    }

    @Test
    void requestsOnePairWhenEnoughExist() {
        // then
        assertThat(NEXT.ofPairs(around1(40, 0.1))).isEqualTo("about 1 more pair (neuron.test.baseline.runs)");
    }

    /** Verifies the number of runs. The baseline is not exact either: it uses 1/100 of 1/31.5, and 1/46 remains. */
    @Test
    void requestsMissingRunsForComparisonWithBaseline() {
        // then
        assertThat(NEXT.ofRuns(around1(100, 0.1), around1(20, 0.1)))
                .isEqualTo("about 26 more runs (neuron.test.baseline.runs)");
        assertThat(NEXT.ofRuns(new double[] {0, 0}, new double[] {1, 1})).isEqualTo("a baseline that is not zero");
    }

    /** Creates new runs with a median of 0, which have no spread relative to it. */
    @Test
    void requestsNoRunsWithoutSpread() {
        // then
        assertThat(NEXT.ofRuns(new double[] {1, 1, 1}, new double[] {0, 0, 2})).doesNotContain("more run");
        assertThat(NEXT.ofPairs(new double[] {1.03, 1.03, 1.03})).doesNotContain("more pair");
    }

    /** Creates 10 and 20 runs with medians that are exact to 39 % of the spread. */
    @Test
    void suggestsOtherMarginForQuietRunsAtMargin() {
        // then
        assertThat(NEXT.ofRuns(around1(10, 0.01), times(1.03, around1(20, 0.01))))
                .isEqualTo("another margin, because the change of 3.0 % is at the margin of 3 % itself");
        assertThat(NEXT.ofRuns(around1(10, 0.03), times(1.03, around1(20, 0.03))))
                .isEqualTo("a quieter host: run-to-run 3.0 % against a margin of 3 %");
    }
}
