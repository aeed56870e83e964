package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.process.ProcessFixture;
import dev.neurontest.internal.profile.tool.ToolCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the viewer of a trace after a capture. */
class ViewerIT {

    @TempDir
    Path root;

    private ToolFixture tool;
    private Path neff;

    @BeforeEach
    void tool() {
        tool = new ToolFixture(root);
        neff = tool.neff("a.neff");
    }

    private Profile profile() {
        return tool.profiler().capture(neff).run();
    }

    private Doubt doubt() {
        Profile profile = profile();
        assertThat(profile.executions().get(0).ntff()).isRegularFile();
        assertThat(profile.allDoubts()).hasSize(1);
        return profile.allDoubts().get(0);
    }

    @Test
    void retriesWithoutFlagUnknownToTool() {
        // given
        tool.beforeView("case \"$*\" in *buf-usage*) echo 'unknown flag `F'\"'\"; exit 1 ;; esac");

        // when
        Profile first = profile();
        Profile second = profile();

        // then
        assertThat(first.allDoubts()).isEmpty();
        assertThat(first.runs()).hasSize(3);
        assertThat(second.runs()).as("it is remembered").hasSize(2);
    }

    @Test
    void spellsFlagOfOldTool() throws IOException {
        // given
        Path old = tool.program(
                "neuron-profile",
                Files.readString(tool.tool("neuron-explorer"))
                        .replace("#!/bin/sh\n", "")
                        .replace("neuron-explorer 2.32.7.0", "neuron-profile 2.25.145.0"));
        Files.delete(tool.tool("neuron-explorer"));

        // when
        Profile profile = profile();

        // then
        assertThat(profile.tool()).isEqualTo("neuron-profile 2.25.145.0");
        assertThat(profile.runs().get(1).command()).startsWith(old.toString());
        assertThat(tool.arguments("view")).endsWith("summary-json", "--ignore-nc-buf-usage");
    }

    @Test
    void endsViewThatStartsServer() throws IOException {
        // given
        tool.beforeView("echo $$ > \"$here/pid\"; echo 'Serving on :3001'; sleep 600");

        // when
        Profile profile =
                tool.profiler().capture(neff).deadline(Duration.ofSeconds(10)).run();

        // then
        assertThat(profile.allDoubts()).singleElement().satisfies(doubt -> {
            assertThat(doubt.kind()).isEqualTo(Doubt.Kind.UNREADABLE);
            assertThat(doubt.reason())
                    .contains("could not be viewed: neuron-explorer took longer than 10 s and was ended");
        });
        assertThat(ProcessFixture.isGone(
                        Long.parseLong(Files.readString(tool.tool("pid")).strip())))
                .isTrue();
    }

    @Test
    void advisesUpgradeOfToolOlderThanTrace() {
        // given
        tool.beforeView(
                "echo 'ERRO[0000] Failed to load profile session                NTFF=profile.ntff error=\"NTFF version 4 is not supported in this version of the tool (supported: 1 - 3). Please upgrade aws-neuronx-tools.\"' >&2; exit 1");

        // when
        Doubt doubt = doubt();

        // then
        assertThat(doubt.kind()).isEqualTo(Doubt.Kind.UNREADABLE);
        assertThat(doubt.reason())
                .contains("NTFF version 4 is not supported")
                .contains(
                        "The runtime writes newer traces than this tool reads: upgrade aws-neuronx-tools to the SDK of the runtime.");
    }

    @Test
    void findsSummaryAfterMuchOutput() {
        // given
        tool.beforeView("yes 'nothing of note happened' | head -c 9000000; echo");

        // when
        Profile profile = profile();

        // then
        assertThat(profile.executions().get(0).summary().number("total_time")).hasValue(0.001);
    }

    @Test
    void readsASummaryOfManyGraphsInOneLine() {
        // given
        String graph = IntStream.range(0, 100)
                .mapToObj("\"metric_number_%s\": 1"::formatted)
                .toList()
                .toString()
                .replace('[', '{')
                .replace(']', '}');
        tool.summary(IntStream.range(0, 100)
                .mapToObj(number -> "\"n_%s\": %s".formatted(number, graph))
                .toList()
                .toString()
                .replace('[', '{')
                .replace(']', '}'));

        // then
        assertThat(profile().executions()).hasSize(100);
    }

    @Test
    void doubtsASummaryThatIsCut() {
        // given
        tool.summary("{\"n_1\": {\"total_time\": 0.0");

        // when
        Doubt doubt = doubt();

        // then
        assertThat(doubt.kind()).isEqualTo(Doubt.Kind.UNREADABLE);
        assertThat(doubt.reason())
                .startsWith("The output of neuron-explorer 2.32.7.0 for ")
                .contains("is cut at its end");
    }

    @Test
    void doubtsAToolThatPrintedNothing() {
        // given
        tool.summary("");

        // then
        assertThat(doubt().reason()).contains("The tool printed nothing, expected a summary.");
    }

    @Test
    void doubtsViewThatFailsAfterItsSummary() {
        // given
        tool.summary("{\"n_1\": {\"total_time\": 1}}").beforeView("cat \"$here/summary\"; exit 4");

        // then
        assertThat(doubt().kind()).isEqualTo(Doubt.Kind.UNREADABLE);
    }

    @Test
    void readsOutputThatIsNoUtf8() {
        // given
        tool.beforeView("printf '\\377\\376 noise\\n'");

        // then
        assertThat(profile().executions().get(0).summary().number("total_time")).hasValue(0.001);
    }

    @Test
    void viewsOneTraceAtATime() throws IOException {
        // given
        tool.beforeView("mkdir \"$here/viewing\" || touch \"$here/clash\"; sleep 0.2; rmdir \"$here/viewing\"");

        // when
        CompletableFuture.allOf(Stream.generate(() -> CompletableFuture.runAsync(this::profile))
                        .limit(3)
                        .toArray(CompletableFuture[]::new))
                .join();

        // then
        assertThat(tool.calls()).filteredOn("view"::equals).hasSize(3);
        assertThat(tool.tool("clash")).doesNotExist();
    }

    @Test
    void setsHomeOfToolWhenJvmHasNone() {
        // then
        assertThat(ToolCall.environment(Optional.empty(), Map.of(), root)
                        .of(Map.of("NEURON_RT_INSPECT_ENABLE", "1", "NEURON_RT_LOG_LEVEL", "DEBUG")))
                .containsKey("HOME")
                .doesNotContainKeys("NEURON_RT_INSPECT_ENABLE", "NEURON_RT_LOG_LEVEL");
    }

    @Test
    void keepsUnknownMetrics() {
        // given
        tool.summary("{\"n_1\": {\"of_tomorrow\": 3}}");

        // then
        assertThat(profile().executions().stream()
                        .flatMap(execution -> execution.summary().values().keySet().stream())
                        .toList())
                .isEqualTo(List.of("of_tomorrow"));
    }
}
