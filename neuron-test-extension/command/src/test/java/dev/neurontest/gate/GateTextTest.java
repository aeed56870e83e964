package dev.neurontest.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.report.TestOutcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class GateTextTest {

    private static GateText text(RunFixture run, String... assignments) {
        GateRules rules = GateRules.ofDefaults().withAssignments(List.of(assignments));
        return new GateText(rules.decide(run.report()));
    }

    @Test
    void aRunThatMayPassIsOneLine() {
        // given
        RunFixture run = new RunFixture().jvm("real").test("infer()", TestOutcome.PASSED);

        // when
        GateText text = text(run);

        // then
        assertThat(text.passed()).isTrue();
        assertThat(text)
                .hasToString(
                        "Gate: passed (ran, complete, hardware.min, failed.max, lost.max, undecided.max, quarantined.max, errors.max, regressions.max)\n");
    }

    @Test
    void aRunThatMayNotPassSaysWhyAndWhatToDo() {
        // given
        RunFixture run = new RunFixture()
                .jvm("none")
                .test("fast()", TestOutcome.PASSED)
                .skipped("infer()", "there is no Neuron device")
                .quarantine("neuron0/neuron_core1", "timed out", null);

        // when
        GateText text = text(run, "hardware.min=40");

        // then
        assertThat(text.passed()).isFalse();
        assertThat(text).hasToString("""
                Gate: FAILED by 2 of 9

                  gate                     wanted
                  ran              passed  at least one test that ran
                  complete         passed  nothing about the run in doubt
                  hardware.min     FAILED  at least 40 tests on hardware
                  failed.max       passed  no failed test
                  lost.max         passed  no lost test
                  undecided.max    passed  no undecided demand
                  quarantined.max  FAILED  no quarantined core
                  errors.max       passed  no unexplained error
                  regressions.max  passed  no regression

                hardware.min
                  wanted at least 40 tests on hardware
                  was none of 2 tests on hardware; others on no Neuron host; the first skip: BertTest > infer(): there is no Neuron device
                  Run neuron-test doctor on the host that should have run them, and neuron.test.platform=real to fail there at once. (hardware.min = 40, from the command line)

                quarantined.max
                  wanted no quarantined core
                  was 1 quarantined core: neuron0/neuron_core1 of ip-10-0-0-1 (BertTest > hang(), timed out)
                  Run neuron-test doctor on the host: it tells who holds a core and how it gets well. (quarantined.max = 0, default)
                """);
    }
}
