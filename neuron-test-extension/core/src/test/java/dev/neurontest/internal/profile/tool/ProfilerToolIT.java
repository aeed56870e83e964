package dev.neurontest.internal.profile.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.internal.profile.tool.ProfilerTool.Generation;
import dev.neurontest.patience.Patience;
import dev.neurontest.profile.ToolFixture;
import dev.neurontest.profile.ToolNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfilerToolIT {

    @TempDir
    Path root;

    private ToolFixture fixture;

    @BeforeEach
    void tools() {
        fixture = new ToolFixture(root);
    }

    private static final String OLD =
            "echo 'neuron-profile 2.19.0.0%kaena-tools/2.19@c48a122 built on 2024-08-02T17:21:14Z'";

    @Test
    void prefersExplorerOverOldProfiler() {
        // given
        fixture.program("neuron-profile", OLD);

        // when
        ProfilerTool tool = ProfilerTool.find(fixture.search());

        // then
        assertThat(tool.generation()).isEqualTo(Generation.EXPLORER);
        assertThat(tool.path()).isEqualTo(fixture.tool("neuron-explorer"));
        assertThat(tool).hasToString("neuron-explorer 2.32.7.0");
        assertThat(tool.major()).isEqualTo(2);
        assertThat(tool.minor()).isEqualTo(32);
        assertThat(tool.versionText())
                .isEqualTo("neuron-explorer 2.32.7.0%kaena-tools/2.32@0000000 built on 2026-08-14T00:00:00Z");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exit 1 | exit code 1 and printed nothing",
                "echo 'is no longer supported, use neuron-explorer'; exit 3 | exit code 3 and printed: is no longer supported, use neuron-explorer",
                "echo '*****'; echo '*  is no longer supported.  *'; exit 1 | exit code 1 and printed: is no longer supported.",
                "sleep 60 | took longer than 3 s and was ended and printed nothing",
                "echo hello | exit code 0 and printed: hello",
            })
    void fallsBackToOldProfilerWhenExplorerFails(String script, String reason) throws IOException {
        // given
        fixture.program("neuron-explorer", script);
        fixture.program("neuron-profile", OLD);
        ProfilerTool.Search search = new ProfilerTool.Search(
                root,
                Optional.empty(),
                "",
                Map.of(),
                script.startsWith("sleep") ? Duration.ofSeconds(3) : Patience.LIMIT);

        // when
        ProfilerTool tool = ProfilerTool.find(search);
        Files.delete(fixture.tool("neuron-profile"));

        // then
        assertThat(tool.generation()).isEqualTo(Generation.PROFILE);
        assertThat(tool).hasToString("neuron-profile 2.19.0.0");
        assertThatExceptionOfType(ToolNotFoundException.class)
                .isThrownBy(() -> ProfilerTool.find(search))
                .withMessage("""
                        No profiler tool works here. Checked:
                          %s: %s
                          %s: does not exist
                        Install the package aws-neuronx-tools (SDK 2.27 or later brings neuron-explorer), or set neuron.test.profiler to its path. neuron.test.missing decides whether such tests fail (fail) or are skipped (skip).""".formatted(fixture.tool("neuron-explorer"), reason, fixture.tool("neuron-profile")));
    }

    @Test
    void refusesOldProfilerThatOnlyRefersToExplorer() throws IOException {
        // given
        Files.delete(fixture.tool("neuron-explorer"));
        fixture.program("neuron-profile", "echo 'Since 2.30 this is neuron-explorer'");

        // then
        assertThatExceptionOfType(ToolNotFoundException.class)
                .isThrownBy(() -> ProfilerTool.find(fixture.search()))
                .withMessageContaining("neuron-profile: exit code 0 and printed: Since 2.30 this is neuron-explorer");
    }

    @Test
    void isRecognizedByItsOutputNotFileName() {
        // given
        Path wrapper = fixture.program("my profiler", OLD);

        // when
        ProfilerTool tool =
                ProfilerTool.find(new ProfilerTool.Search(root, Optional.of(wrapper), "", Map.of(), Patience.LIMIT));

        // then
        assertThat(tool.path()).isEqualTo(wrapper);
        assertThat(tool.generation()).isEqualTo(Generation.PROFILE);
    }

    @Test
    void isSearchedOnlyAtChosenPath() {
        // given
        Path missing = root.resolve("missing");

        // then
        assertThatExceptionOfType(ToolNotFoundException.class)
                .isThrownBy(() -> ProfilerTool.find(
                        new ProfilerTool.Search(root, Optional.of(missing), "", Map.of(), Patience.LIMIT)))
                .withMessage("""
                        No profiler tool works here. Checked:
                          %s: does not exist
                        Correct neuron.test.profiler, which names this tool, or remove it to search the usual places.""".formatted(missing));
    }

    @Test
    void isSearchedInSearchPathOnlyForRealRoot() {
        // given
        Path folder = fixture.tool("").getParent().resolve("bin");
        Path elsewhere = root.resolve("elsewhere");

        // when
        ProfilerTool tool = ProfilerTool.find(new ProfilerTool.Search(
                Path.of("/"), Optional.empty(), elsewhere + "::" + folder, Map.of(), Patience.LIMIT));

        // then
        assertThat(tool.path()).isEqualTo(fixture.tool("neuron-explorer"));
        assertThatExceptionOfType(ToolNotFoundException.class)
                .isThrownBy(() -> ProfilerTool.find(new ProfilerTool.Search(
                        elsewhere, Optional.empty(), folder.toString(), Map.of(), Patience.LIMIT)))
                .withMessageContaining(elsewhere + "/opt/aws/neuron/bin/neuron-explorer: does not exist");
    }

    @Test
    void doesNotLeaveTheRootByALink() throws IOException {
        // given
        Path other = Files.createDirectories(root.resolve("other/opt/aws/neuron/bin"));
        Files.createSymbolicLink(other.resolve("neuron-explorer"), fixture.tool("neuron-explorer"));

        // then
        assertThatExceptionOfType(ToolNotFoundException.class)
                .isThrownBy(() -> ProfilerTool.find(
                        new ProfilerTool.Search(root.resolve("other"), Optional.empty(), "", Map.of(), Patience.LIMIT)))
                .withMessageContaining("neuron-explorer: leads out of the root");
    }

    @Test
    void refusesFileThatCannotBeExecuted() throws IOException {
        // given
        Files.delete(fixture.tool("neuron-explorer"));
        Files.createDirectory(fixture.tool("neuron-explorer"));
        fixture.program("neuron-profile", "");
        Files.writeString(fixture.tool("neuron-profile"), "#!/no/such/interpreter\n");

        // then
        assertThatExceptionOfType(ToolNotFoundException.class)
                .isThrownBy(() -> ProfilerTool.find(fixture.search()))
                .withMessageContaining("neuron-explorer: is not an executable file")
                .withMessageContaining("neuron-profile: Cannot start");
    }
}
