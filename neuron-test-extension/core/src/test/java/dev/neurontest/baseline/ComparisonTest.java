package dev.neurontest.baseline;

import static dev.neurontest.baseline.ComparedFixture.QUIET;
import static dev.neurontest.baseline.ComparedFixture.TIME;
import static dev.neurontest.baseline.ComparedFixture.against;
import static dev.neurontest.baseline.ComparedFixture.fed;
import static dev.neurontest.baseline.ComparedFixture.times;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonTest {

    private final Comparison improved =
            fed(against(TIME, QUIET), times(0.9, QUIET)).result();

    @Test
    void knowsItsOwnDemandAmongOthers() {
        // then
        assertThat(improved.rule()).isEqualTo("not worse than the baseline by more than 3 %");
        assertThat(Comparison.isRule(improved.rule())).isTrue();
        assertThat(Comparison.isRule("@Threshold(metric = \"total_time\", max = \"17 ms\")"))
                .isFalse();
    }

    @Test
    void isContaminatedByWhatIsKnownOnlyAfterItsRuns() {
        // when
        Comparison disturbed = improved.disturbed(List.of("throttled", "another process was there"));

        // then
        assertThat(disturbed.outcome()).isEqualTo(ComparisonOutcome.CONTAMINATED);
        assertThat(disturbed.improved()).isFalse();
        assertThat(disturbed.decides()).isEqualTo("runs that nothing disturbs: throttled; another process was there");
        assertThat(disturbed.sample()).isEqualTo(improved.sample());
    }

    @ParameterizedTest
    @CsvSource({"2.30.51.0, 2.30", "2.30, 2.30", "' 2.30-rc1 ', 2.30", "2, 2", "' unknown ', unknown"})
    void isOfOneStackWhereTheFirstTwoNumbersOfAVersionAreTheSame(String version, String part) {
        // then
        assertThat(Stack.majorMinor(version)).isEqualTo(part);
    }
}
