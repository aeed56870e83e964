package dev.neurontest.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.configuration.Settings;
import dev.neurontest.report.GateOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunningGateTest {

    private static RunningGate gate(String... assignments) {
        return new RunningGate(
                GateRules.of(Settings.of(name -> Optional.empty())).withAssignments(List.of(assignments)));
    }

    @Test
    void tellsOnceWhenALimitIsExceeded() {
        // given
        RunningGate gate = gate("skipped.max=1");

        // when
        Optional<GateOutcome> first = gate.add(Gate.SKIPPED, 1);
        Optional<GateOutcome> second = gate.add(Gate.SKIPPED, 1);
        Optional<GateOutcome> third = gate.add(Gate.SKIPPED, 1);

        // then
        assertThat(first).isEmpty();
        assertThat(second)
                .contains(new GateOutcome(
                        "skipped.max",
                        false,
                        "at most 1 skipped or aborted test",
                        "2 skipped or aborted tests in this JVM so far",
                        "Provide what they missed, or exclude them from this run by their tag."
                                + " (skipped.max = 1, from the command line)"));
        assertThat(third).isEmpty();
        assertThat(gate.exceeded())
                .extracting(GateOutcome::actual)
                .containsExactly("3 skipped or aborted tests in this JVM so far");
    }

    @Test
    void leavesDefaultsToTheWholeRun() {
        // given
        RunningGate gate = gate();

        // then
        assertThat(gate.add(Gate.FAILED, 1)).isEmpty();
        assertThat(gate.exceeded()).isEmpty();
    }

    @Test
    void leavesWhatWantsEnoughToTheWholeRun() {
        // given
        RunningGate gate = gate("hardware.min=40");

        // then
        assertThat(gate.add(Gate.HARDWARE, 1)).isEmpty();
        assertThat(gate.exceeded()).isEmpty();
    }

    @Test
    void addsUpWaiting() {
        // given
        RunningGate gate = gate("waiting.max=1 min");

        // then
        assertThat(gate.waited(Duration.ofSeconds(60))).isEmpty();
        assertThat(gate.waited(Duration.ofMillis(100)))
                .map(GateOutcome::actual)
                .contains("1 min 0 s of waiting for cores in this JVM so far");
    }

    @Test
    void anyLimitsNothing() {
        // given
        RunningGate gate = gate("quarantined.max=any");

        // then
        assertThat(gate.add(Gate.QUARANTINED, 100)).isEmpty();
    }
}
