package dev.neurontest.internal.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.neurontest.internal.shard.EngineShard.Engine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineShardTest {

    private static Map<String, String> variables(String text) {
        Map<String, String> variables = new HashMap<>(Map.of("PATH", "/bin"));
        for (String each : text.split(" ")) {
            String[] parts = each.split("=", 2);
            variables.put(parts[0], parts[1]);
        }
        return variables;
    }

    private static EngineShard of(String text) {
        return EngineShard.of(variables(text), OptionalInt.empty());
    }

    @ParameterizedTest
    @CsvSource({
        "SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=7, 1/8",
        "SLURM_ARRAY_TASK_ID=8 SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=8, 8/8",
        "SLURM_ARRAY_TASK_ID=30 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_MAX=40"
                + " SLURM_ARRAY_TASK_STEP=10, 3/4",
        "SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_COUNT=1 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_MAX=5, 1/1",
        "CI_NODE_INDEX=1 CI_NODE_TOTAL=4, 1/4",
        "CI_NODE_INDEX=4 CI_NODE_TOTAL=4, 4/4",
        "CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=4, 1/4",
        "CIRCLE_NODE_INDEX=3 CIRCLE_NODE_TOTAL=4, 4/4",
        "TEST_SHARD_INDEX=1 TEST_TOTAL_SHARDS=2, 2/2",
    })
    void isReadFromVariablesOfEngine(String text, String shard) {
        // then
        assertThat(of(text).shard()).hasToString(shard);
    }

    @Test
    void kubernetesRequiresCountFromSettings() {
        // when
        EngineShard found = EngineShard.of(variables("JOB_COMPLETION_INDEX=7"), OptionalInt.of(8));

        // then
        assertThat(found.shard()).isEqualTo(new Shard(8, 8));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("JOB_COMPLETION_INDEX=7"))
                .withMessageEndingWith("found JOB_COMPLETION_INDEX alone; Kubernetes provides no count, so"
                        + " set neuron.test.shard to auto/8 if the Job has 8 completions");
    }

    @Test
    void firstEngineWithAllVariablesWins() {
        // when
        EngineShard found = of("CI_NODE_TOTAL=1 CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=2 TEST_SHARD_INDEX=1"
                + " TEST_TOTAL_SHARDS=2 SLURM_ARRAY_TASK_ID=1");

        // then
        assertThat(found).isEqualTo(new EngineShard(new Shard(1, 2), Engine.CIRCLECI, List.of(Engine.BAZEL)));
    }

    /** Verifies the refusal, instead of the whole suite on each node. */
    @Test
    void isRefusedWithoutEngineNamingAllVariables() {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EngineShard.of(Map.of("PATH", "/bin"), OptionalInt.of(8)))
                .withMessage("no engine provides the number of this shard: looked for SLURM_ARRAY_TASK_ID and"
                        + " SLURM_ARRAY_TASK_COUNT and SLURM_ARRAY_TASK_MIN of Slurm, JOB_COMPLETION_INDEX of"
                        + " Kubernetes, CI_NODE_INDEX and CI_NODE_TOTAL of GitLab, CIRCLE_NODE_INDEX and"
                        + " CIRCLE_NODE_TOTAL of CircleCI, TEST_SHARD_INDEX and TEST_TOTAL_SHARDS of Bazel; found none"
                        + " of them");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "->",
            value = {
                "CI_NODE_INDEX=x CI_NODE_TOTAL=4 -> CI_NODE_INDEX is \"x\", which is not a number",
                "CI_NODE_INDEX=5 CI_NODE_TOTAL=4 -> CI_NODE_INDEX is 5, which is not one of 4 shards from 1",
                "CI_NODE_INDEX=0 CI_NODE_TOTAL=4 -> CI_NODE_INDEX is 0, which is not one of 4 shards from 1",
                "CIRCLE_NODE_INDEX=4 CIRCLE_NODE_TOTAL=4 -> CIRCLE_NODE_INDEX is 4, which is not one of 4 shards from 0",
                "TEST_SHARD_INDEX=0 TEST_TOTAL_SHARDS=0 -> TEST_TOTAL_SHARDS is 0, expected 1 to 100000",
                "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_STEP=2"
                        + " -> SLURM_ARRAY_TASK_ID is 3, which is not one of 2 shards from 0 in steps of 2",
                "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_MAX=5"
                        + " -> the Slurm array from 3 to 5 has gaps: it has 2 tasks. For a part of an array, set the"
                        + " shard itself, such as 3/8",
            })
    void refusesImpossibleShardAndNamesVariable(String text, String reason) {
        // then
        assertThatIllegalArgumentException().isThrownBy(() -> of(text)).withMessage(reason);
    }

    @Test
    void refusesCountThatContradictsSettings() {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EngineShard.of(variables("CI_NODE_INDEX=1 CI_NODE_TOTAL=4"), OptionalInt.of(8)))
                .withMessage("GitLab has 4 shards (CI_NODE_TOTAL), but neuron.test.shard has 8");
    }
}
