package dev.neurontest.internal.cluster.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgentRanksTest {

    @Test
    void choosesFreePortsAndNoneTwice() throws IOException {
        try (AgentRanks ranks = new AgentRanks()) {
            Set<Integer> ports = new HashSet<>();
            for (int call = 0; call < 100; call++) {
                List<Integer> chosen = ranks.freePorts(2);
                assertThat(chosen).hasSize(2);
                ports.addAll(chosen);
                new ServerSocket(chosen.get(0)).close();
            }
            assertThat(ports).hasSize(200);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RANK",
                "MASTER_PORT",
                "OMPI_COMM_WORLD_RANK",
                "PMI_RANK",
                "TORCHELASTIC_RUN_ID",
                "NEURON_PJRT_PROCESS_INDEX"
            })
    void ranksDoNotInheritVariablesOfLaunchers(String name) {
        assertThat(LauncherVariables.isOfLauncher(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PATH", "SLURM_PROCID", "FI_PROVIDER", "RANKING", "CCOM_SOCKET_IFNAME"})
    void ranksInheritOtherVariables(String name) {
        assertThat(LauncherVariables.isOfLauncher(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, RankCalls.PART - 1, RankCalls.PART, RankCalls.PART + 1, 3 * RankCalls.PART + 5})
    void partsOfOutputGiveWholeText(int length) {
        String text = "\ud83d\ude00".repeat(length / 2) + "x".repeat(length % 2);
        StringBuilder whole = new StringBuilder("y");
        String odd = "y" + text;

        while (whole.length() < odd.length()) {
            String part = RankCalls.part(odd, whole.length());
            assertThat(part).isNotEmpty();
            assertThat(Character.isLowSurrogate(part.charAt(0))).isFalse();
            whole.append(part);
        }

        assertThat(whole).hasToString(odd);
    }
}
