package dev.neurontest.internal.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.neurontest.device.Family;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimulationTest {

    private static final Map<String, String> ON = Map.of("NKI_SIMULATOR", "1");

    private static Simulation on(Family family) {
        return Simulation.of(true, Optional.of(family), Map.of(), Map.of());
    }

    @ParameterizedTest
    @EnumSource(names = {"TRN1", "TRN2", "TRN3"})
    void targetsFamilyOfHost(Family family) {
        // then
        assertThat(on(family).variables())
                .isEqualTo(Map.of(
                        "NKI_SIMULATOR",
                        "1",
                        "NEURON_PLATFORM_TARGET_OVERRIDE",
                        family.name().toLowerCase(java.util.Locale.ROOT)));
        assertThat(on(family).notices()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"INF1", "INF2", "UNKNOWN"})
    void leavesTargetOfOtherFamiliesToSimulator(Family family) {
        // then
        assertThat(on(family).variables()).isEqualTo(ON);
        assertThat(on(family).notices())
                .singleElement()
                .asString()
                .startsWith("The target of its simulator is not set, because ")
                .contains("NEURON_PLATFORM_TARGET_OVERRIDE");
    }

    @Test
    void isOnWhenUserSwitchedItOn() {
        // then
        assertThat(Simulation.of(false, Optional.empty(), ON, Map.of()).isOn()).isTrue();
        assertThat(Simulation.of(false, Optional.empty(), Map.of(), ON).isOn()).isTrue();
        assertThat(Simulation.of(false, Optional.empty(), Map.of(), Map.of()).isOn())
                .isFalse();
        assertThat(Simulation.of(false, Optional.empty(), ON, Map.of("NKI_SIMULATOR", "0"))
                        .isOn())
                .isFalse();
        assertThat(Simulation.of(false, Optional.empty(), Map.of("NKI_SIMULATOR", "yes"), Map.of())
                        .isOn())
                .isFalse();
        assertThat(Simulation.of(true, Optional.empty(), Map.of("NKI_SIMULATOR", "0"), Map.of())
                        .isOn())
                .isTrue();
    }

    @Test
    void refusesContradiction() {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Simulation.of(true, Optional.empty(), Map.of(), Map.of("NKI_SIMULATOR", "0")))
                .withMessage("simulated() and NKI_SIMULATOR=0 contradict each other: remove one of them.");
    }

    @Test
    void keepsTargetOfUser() {
        // given
        Map<String, String> target = Map.of("NEURON_PLATFORM_TARGET_OVERRIDE", "trn3");

        // then
        assertThat(Simulation.of(true, Optional.of(Family.TRN1), target, Map.of())
                        .variables())
                .isEqualTo(ON);
        assertThat(Simulation.of(true, Optional.of(Family.TRN1), Map.of(), target)
                        .environment(Map.of(), target, Optional.empty()))
                .containsEntry("NEURON_PLATFORM_TARGET_OVERRIDE", "trn3")
                .containsEntry("NKI_SIMULATOR", "1");
    }
}
