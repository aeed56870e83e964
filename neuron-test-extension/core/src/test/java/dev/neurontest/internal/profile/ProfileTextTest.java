package dev.neurontest.internal.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.MeasuredFixture;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ToolRun;
import dev.neurontest.runtime.RuntimeReport;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProfileTextTest {

    @Test
    void showsMetricsInGroupsWithUnits() {
        // given
        Profile profile = MeasuredFixture.of(
                        "spill_save_bytes",
                        2048000,
                        "total_time",
                        2.6416626e-05,
                        "mfu_estimated_percent",
                        0.423,
                        "tensor_engine_instruction_count",
                        253,
                        "warp_ratio",
                        0.5,
                        "instance_type",
                        "trn2.3xlarge")
                .notice("Captured again once.")
                .run(new ToolRun(
                        List.of("neuron-explorer", "view", "-n", "a"),
                        "exit 0",
                        Duration.ofMillis(1500),
                        "WARN[0000] x",
                        RuntimeReport.EMPTY))
                .profile();

        // then
        assertThat(profile.toText()).isEqualTo("""
                Profile of resnet50.neff by neuron-explorer 2.32.7.0, executed by the tool
                /out/resnet50

                Noticed:
                  Captured again once.

                Time           value
                total_time  26.42 \u00b5s

                Utilisation             value
                mfu_estimated_percent  42.3 %

                Traffic                          value
                spill_save_bytes  1.95 MiB (2048000 B)

                Engines                          value
                tensor_engine_instruction_count    253

                Other       value
                warp_ratio    0.5

                Executions     total_time  trace
                execution 1    26.42 \u00b5s    /out/resnet50/profile_exec_1.ntff

                To open it in the viewer of the tool:
                  neuron-explorer view -n /models/resnet50.neff -s /out/resnet50/profile_exec_1.ntff

                Versions:
                  instance_type trn2.3xlarge

                --- neuron-explorer view -n a (exit 0 after 1.5 s) ---
                WARN[0000] x
                """);
    }

    @Test
    void showsSpreadOfExecutionsAndDoubts() {
        // given
        Profile profile = MeasuredFixture.nothing()
                .doubtful(Doubt.Kind.FIRST_EXECUTION, "Start-up is in it.", "total_time", 0.03, "event_count", 7)
                .and("total_time", 0.016, "event_count", 7)
                .and("total_time", 0.018, "event_count", 7)
                .profile();

        // then
        assertThat(profile.toText()).isEqualTo("""
                Profile of resnet50.neff by neuron-explorer 2.32.7.0, executed by the tool
                /out/resnet50

                In doubt:
                  first execution: Start-up is in it.

                Time        value  least   most
                total_time  17 ms  16 ms  30 ms

                Other        value
                event_count      7

                Executions     total_time  trace
                execution 1    30 ms       /out/resnet50/profile_exec_1.ntff  first execution
                execution 2    16 ms       /out/resnet50/profile_exec_2.ntff
                execution 3    18 ms       /out/resnet50/profile_exec_3.ntff

                To open it in the viewer of the tool:
                  neuron-explorer view -n /models/resnet50.neff -s /out/resnet50/profile_exec_1.ntff
                  neuron-explorer view -n /models/resnet50.neff -s /out/resnet50/profile_exec_2.ntff
                  neuron-explorer view -n /models/resnet50.neff -s /out/resnet50/profile_exec_3.ntff
                """);
    }
}
