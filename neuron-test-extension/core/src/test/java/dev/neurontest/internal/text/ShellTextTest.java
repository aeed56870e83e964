package dev.neurontest.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.process.ChildProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellTextTest {

    @Test
    void leavesPlainWordsAsTheyAre() {
        // then
        assertThat(ShellText.of(List.of("view", "-n", "/models/a.neff"))).isEqualTo("view -n /models/a.neff");
    }

    @ParameterizedTest
    @ValueSource(strings = {"it's", "a b", "$(id)", "`id`", "a\\b", "\"", "", "*", "~", "a\nb", "'; id '"})
    void quotedWordReachesShellUnchanged(String word) {
        // when
        try (ChildProcess shell = ChildProcess.command(
                        List.of("sh", "-c", "printf %s " + ShellText.of(word) + "; printf ."))
                .start()) {
            shell.await(Duration.ofMinutes(1));

            // then
            assertThat(shell.stdout()).isEqualTo(word + ".");
        }
    }
}
