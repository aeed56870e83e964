package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.configuration.Settings;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.evidence.TestId;
import dev.neurontest.recording.Undecided;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SessionGateTest {

    private static final TestId TEST = new TestId("[engine:junit-jupiter]/[method:infer()]", "BertTest > infer()");

    private static SessionGate gate(String undecided) {
        return new SessionGate(Settings.of(name -> Optional.ofNullable(
                Map.of("neuron.test.gate.undecided.max", undecided).get(name))));
    }

    private static RunEvent undecided(String rule) {
        return new RunEvent.LeftUndecided(TEST, new Undecided(rule, "total_time", "The device was throttled."));
    }

    @Test
    void countsDemandsAndNoComparisons() {
        // given
        SessionGate gate = gate("1");

        // when, then
        gate.accept(undecided("@MaxLatency(\"17 ms\")"));
        gate.accept(undecided("not worse than the baseline by more than 3 %"));
        assertThatCode(gate::check).doesNotThrowAnyException();
        gate.accept(undecided("@MaxSpill(\"0 B\")"));
        assertThatThrownBy(gate::check).hasMessageContaining("2 undecided demands");
    }
}
