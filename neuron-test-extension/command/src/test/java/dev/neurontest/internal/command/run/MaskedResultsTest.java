package dev.neurontest.internal.command.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.neurontest.internal.terminal.TerminalStyle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class MaskedResultsTest {

    @TempDir
    private Path temp;

    @Test
    void hideSecretsOfFailure() throws IOException {
        // given
        List<String> lines = new ArrayList<>();
        TestResults results = new TestResults(result -> lines.add(ResultsText.line(result, TerminalStyle.PLAIN)));
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(FailsFixture.class))
                                .build(),
                        results);

        // when
        Path xml = JUnitXml.write(results.all(), Optional.empty(), temp);

        // then
        assertThat(xml)
                .content()
                .doesNotContain("geheim")
                .contains("name=\"logs in with PGPASSWORD=***\"", "message=\"curl -u me:*** failed\"");
        assertThat(new ResultsText(results, TerminalStyle.PLAIN).failures())
                .contains("curl -u me:*** failed")
                .doesNotContain("geheim");
        assertThat(lines).singleElement().asString().endsWith("logs in with PGPASSWORD=***");
    }

    static final class FailsFixture {

        @Test
        @DisplayName("logs in with PGPASSWORD=geheim")
        void fails() {
            throw new IllegalStateException("curl -u me:geheim failed");
        }
    }
}
