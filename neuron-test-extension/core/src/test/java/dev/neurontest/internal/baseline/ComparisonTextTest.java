package dev.neurontest.internal.baseline;

import static dev.neurontest.internal.baseline.ComparedFixture.MFU;
import static dev.neurontest.internal.baseline.ComparedFixture.QUIET;
import static dev.neurontest.internal.baseline.ComparedFixture.SPILL;
import static dev.neurontest.internal.baseline.ComparedFixture.STACK;
import static dev.neurontest.internal.baseline.ComparedFixture.TIME;
import static dev.neurontest.internal.baseline.ComparedFixture.against;
import static dev.neurontest.internal.baseline.ComparedFixture.fed;
import static dev.neurontest.internal.baseline.ComparedFixture.key;
import static dev.neurontest.internal.baseline.ComparedFixture.rejected;
import static dev.neurontest.internal.baseline.ComparedFixture.run;
import static dev.neurontest.internal.baseline.ComparedFixture.times;
import static dev.neurontest.internal.baseline.ComparedFixture.withoutBaseline;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.Stack;
import dev.neurontest.metric.Fraction;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

class ComparisonTextTest {

    private static String text(RunComparison comparison) {
        return new ComparisonText(comparison.result()).text();
    }

    @Test
    void printsWorseResultInFull() {
        // given
        RunComparison comparison = against(TIME, QUIET).on(LocalDate.of(2026, 11, 21));
        comparison.add(rejected(0.034, "throttled for 40 % of the time"));
        comparison.add(rejected(0.033, "throttled for 40 % of the time"));

        // when
        String text = text(fed(comparison, times(1.05, QUIET)));

        // then
        assertThat(text).isEqualTo("""
                total_time 17.85 ms is 5.0 % slower than its baseline; 3 % accepted
                Worse (slower): com.acme.BertTest#inference(int)[1] total_time
                  baseline     17.01 ms, 10 runs of 30 executions, run-to-run 0.2 %
                               17 ms, 16.98 ms, 17.03 ms, 17.01 ms, 16.97 ms, 17.04 ms, 16.99 ms, 17.02 ms, 16.96 ms, 17.05 ms
                  now          17.85 ms, 5 runs of 30 executions, run-to-run 0.1 %
                               17.85 ms, 17.83 ms, 17.88 ms, 17.86 ms, 17.82 ms
                  change       5.0 % slower (95 % interval: +4.7 % to +5.2 %); up to 3 % is accepted
                  asked        after 5 runs
                  stack        driver 2.30, instance trn2.48xlarge, lnc 2
                  file         src/test/resources/neuron-baselines/com.acme.BertTest.json /entries/3
                  not counted  2 runs: throttled for 40 % of the time
                  note         The baseline is 204 days old, of 2026-05-01.
                  to accept    neuron-test baseline approve com.acme.BertTest --note "why"
                """);
    }

    @Test
    void printsUndecidedResultInFull() {
        // given
        double[] loud = {1.09, 0.93, 1.12, 0.88, 1.02, 0.97, 1.15, 0.86, 1.05, 0.92};

        // when
        String text = text(fed(against(MFU, times(0.4, loud)), times(0.39, loud)));

        // then
        assertThat(text).isEqualTo("""
                Undecided (too noisy): com.acme.BertTest#inference(int)[1] mfu_estimated_percent
                  baseline     39.8 %, 10 runs of 30 executions, run-to-run 10.3 %
                               43.6 %, 37.2 %, 44.8 %, 35.2 %, 40.8 %, 38.8 %, 46 %, 34.4 %, 42 %, 36.8 %
                  now          38.8 %, 20 runs of 30 executions, run-to-run 10.0 %
                               42.5 %, 36.3 %, 43.7 %, 34.3 %, 39.8 %, 37.8 %, 44.8 %, 33.5 %, 41 %, 35.9 %
                               42.5 %, 36.3 %, 43.7 %, 34.3 %, 39.8 %, 37.8 %, 44.8 %, 33.5 %, 41 %, 35.9 %
                  change       2.5 % lower (95 % interval: -14.1 % to +10.1 %); up to 3 % is accepted
                  asked        after 5, 10, 20 runs
                  needed       a quieter host: run-to-run 10.3 % against a margin of 3 %
                  stack        driver 2.30, instance trn2.48xlarge, lnc 2
                  file         src/test/resources/neuron-baselines/com.acme.BertTest.json /entries/3
                """);
    }

    @Test
    void printsBetterResultInFull() {
        // when
        Comparison better = fed(against(TIME, QUIET), times(0.95, QUIET)).result();

        // then
        assertThat(new ComparisonText(better).text()).isEqualTo("""
                Better by more than the margin: com.acme.BertTest#inference(int)[1] total_time
                  baseline     17.01 ms, 10 runs of 30 executions, run-to-run 0.2 %
                               17 ms, 16.98 ms, 17.03 ms, 17.01 ms, 16.97 ms, 17.04 ms, 16.99 ms, 17.02 ms, 16.96 ms, 17.05 ms
                  now          16.15 ms, 5 runs of 30 executions, run-to-run 0.1 %
                               16.15 ms, 16.13 ms, 16.18 ms, 16.16 ms, 16.12 ms
                  change       5.0 % faster (95 % interval: -5.3 % to -4.8 %); up to 3 % is accepted
                  asked        after 5 runs
                  stack        driver 2.30, instance trn2.48xlarge, lnc 2
                  file         src/test/resources/neuron-baselines/com.acme.BertTest.json /entries/3
                  to check     whether the test still does the same; only then the better value is a gain
                  to accept    neuron-test baseline approve com.acme.BertTest --note "why" --early
                """);
        assertThat(new ComparisonText(better).improvement())
                .isEqualTo(
                        "16.15 ms instead of 17.01 ms, 5.0 % faster. Check whether the test still does the same; only then the"
                                + " better value is a gain. To accept it: neuron-test baseline approve com.acme.BertTest --note \"why\" --early");
    }

    @Test
    void reportsMissingBaselineAndNearestStack() {
        // given
        Stack older = Stack.of(Map.of("instance", "trn2.48xlarge", "driver", "2.29", "profiler", "2.29"));

        // when
        String text = text(fed(withoutBaseline(SPILL, Optional.of(older)), 4096));

        // then
        assertThat(text).isEqualTo("""
                No baseline (other stack): com.acme.BertTest#inference(int)[1] spill_save_bytes
                  now          4 KiB (4096 B), 1 run of 30 executions
                  asked        after 1 run
                  needed       a baseline of this stack
                  stack        driver 2.30, instance trn2.48xlarge, lnc 2
                  nearest      a baseline of driver 2.29 instead of 2.30, lnc unknown instead of 2, profiler 2.29 instead of unknown; it was not compared
                  file         src/test/resources/neuron-baselines/com.acme.BertTest.json /entries/3
                  to accept    neuron-test baseline approve com.acme.BertTest --note "why"
                """);
    }

    @Test
    void doesNotOfferToAcceptContaminatedResult() {
        // given
        RunComparison comparison = against(TIME, QUIET);

        // when
        while (comparison.wantsMore()) {
            comparison.add(rejected(0.034, "another process used neuron0/neuron_core1"));
        }

        // then
        assertThat(text(comparison)).isEqualTo("""
                Contaminated (disturbed): com.acme.BertTest#inference(int)[1] total_time
                  baseline     17.01 ms, 10 runs of 30 executions, run-to-run 0.2 %
                               17 ms, 16.98 ms, 17.03 ms, 17.01 ms, 16.97 ms, 17.04 ms, 16.99 ms, 17.02 ms, 16.96 ms, 17.05 ms
                  now          no run that counts
                  needed       runs that are not disturbed, after 20 that did not count
                  stack        driver 2.30, instance trn2.48xlarge, lnc 2
                  file         src/test/resources/neuron-baselines/com.acme.BertTest.json /entries/3
                  not counted  20 runs: another process used neuron0/neuron_core1
                """);
    }

    @Test
    void showsAllDigitsWhereMediansWouldLookTheSame() {
        // when
        String text = text(fed(against(SPILL, 5_000_000_000.0), 5_000_000_001.0));

        // then
        assertThat(text).contains("5000000000 B").contains("5000000001 B");
    }

    @Test
    void showsAllDigitsOfTimesThatWouldLookTheSame() {
        // when
        String text = text(fed(against(TIME, times(1e-3, 17.001, 17.0011, 17.0012)), times(1e-3, 17.002)));

        // then
        assertThat(text).contains("17.0011 ms, 3 runs").contains("17.002 ms, 5 runs");
    }

    @Test
    void reportsAlternatingRunsOfTwoModels() {
        // given
        AbComparison comparison = new AbComparison(SPILL, ComparisonRule.standard(), key(SPILL), STACK);

        // when
        comparison.add(run(4096));
        comparison.add(run(4096));

        // then
        assertThat(new ComparisonText(comparison.result()).text()).isEqualTo("""
                Not worse (same): com.acme.BertTest#inference(int)[1] spill_save_bytes
                  baseline     4 KiB (4096 B), 1 run of 30 executions
                  now          4 KiB (4096 B), 1 run of 30 executions
                  change       no change; none is accepted
                  asked        after 1 run
                  stack        driver 2.30, instance trn2.48xlarge, lnc 2
                  note         A (the baseline) and B ran in turns, A B B A; the ratio is the median of 1 pair.
                """);
    }

    @Test
    void errorNamesMediansAndWhatTookLonger() {
        // given
        ComparisonText slower =
                new ComparisonText(fed(against(TIME, QUIET), times(1.05, QUIET)).result());

        // when
        AssertionFailedError error = slower.toError(List.of("What took longer:", "  attention"));

        // then
        assertThat(error).hasMessage(slower.text() + "\nWhat took longer:\n  attention\n");
        assertThat(error.getExpected().getStringRepresentation()).isEqualTo("17.01 ms");
        assertThat(error.getActual().getStringRepresentation()).isEqualTo("17.85 ms");
        assertThat(slower.toError(List.of())).hasMessage(slower.text());
    }

    @Test
    void expectsBaselineOfStackWhenNoneExists() {
        // given
        Comparison missing = fed(withoutBaseline(MFU, Optional.empty()), 0.4).result();

        // then
        assertThat(new ComparisonText(missing).expected()).isEqualTo("a baseline of this stack");
        assertThat(new ComparisonText(missing).actual()).isEqualTo("40 %");
    }

    @Test
    void reportsNoRunWhenAllAreRejected() {
        // given
        RunComparison comparison = against(TIME, QUIET);

        // when
        while (comparison.wantsMore()) {
            comparison.add(rejected(0.034, "throttled"));
        }

        // then
        assertThat(new ComparisonText(comparison.result()).actual()).isEqualTo("no run that counts");
    }

    @Test
    void namesAcceptedChange() {
        // given
        ComparisonRule some = ComparisonRule.standard().withMargin(Fraction.ofPercent(5));

        // when, then
        assertThat(text(fed(against(SPILL, 4096), 5120)))
                .contains("25.0 % higher than its baseline; no change accepted\n", "25.0 % higher; none is accepted\n");
        assertThat(text(fed(against(some, SPILL, 4096), 5120))).contains("25.0 % higher; up to 5 % is accepted\n");
    }
}
