package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class CollectivesTest {

    @Test
    void traceAllRanksOfThisHost() {
        // when
        Collectives workers = Collectives.of(2).from(2, 4);

        // then
        assertThat(workers.traced()).containsExactly(2, 3);
        assertThat(workers.flags())
                .containsExactly(
                        "--collectives-workers-per-node",
                        "2",
                        "--collectives-worker-count",
                        "4",
                        "--collectives-worker-start-id",
                        "2");
    }

    @Test
    void traceOnlyNamedRank() {
        // when
        Collectives workers = Collectives.of(4).profiling(3);

        // then
        assertThat(workers.traced()).containsExactly(3);
        assertThat(workers.flags()).endsWith("--collectives-profile-id", "3");
    }

    @Test
    void refuseRankOfAnotherNode() {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Collectives.of(2).from(2, 4).profiling(1))
                .withMessage(
                        "Rank 1 runs on another node, and its trace stays there: this node runs the ranks 2 to 3.");
    }

    @Test
    void refuseImpossibleNumbersOfWorkers() {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Collectives.of(2).from(3, 4))
                .withMessageContaining("2 workers from rank 3 do not fit into 4 workers in all");
        assertThatIllegalArgumentException().isThrownBy(() -> Collectives.of(0));
    }
}
