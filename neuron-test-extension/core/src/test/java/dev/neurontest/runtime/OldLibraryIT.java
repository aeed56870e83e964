package dev.neurontest.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.output.OutputCollector;
import dev.neurontest.internal.output.OutputExpectations;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with a stand-in library that lacks a symbol, like older releases. */
class OldLibraryIT {

    @TempDir
    Path folder;

    @AutoClose
    private RuntimeFixture fixture;

    private NeuronCore core;

    @BeforeEach
    void start() throws IOException {
        fixture = new RuntimeFixture();
        core = fixture.cores().get(0);
    }

    /** Returns a library with a changed name in its table of strings, to hide the symbol. Other symbols may share its end. */
    private Path libraryWithout(String symbol) throws IOException {
        byte[] library = Files.readAllBytes(fixture.fake().directory().resolve("opt/aws/neuron/lib/libnrt.so.1"));
        String content = new String(library, StandardCharsets.ISO_8859_1);
        assertThat(content).contains("\0" + symbol + "\0");
        String hidden = content.replace("\0" + symbol + "\0", "\0" + "x" + symbol.substring(1) + "\0");
        return Files.write(folder.resolve("libnrt.so.1"), hidden.getBytes(StandardCharsets.ISO_8859_1));
    }

    private NeuronRuntime open(Path library) {
        return fixture.builder()
                .library(library)
                .environment("NEURON_FAKE_ROOT", fixture.fake().directory().toString())
                .open();
    }

    @Test
    void isRefusedWithoutRequiredSymbol() throws IOException {
        // given
        Path library = libraryWithout("nrt_execute");

        // then
        assertThatThrownBy(() -> open(library))
                .isInstanceOf(RuntimeUnavailableException.class)
                .hasMessageContaining(library + ": is too old or incomplete: it does not export nrt_execute\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nrt_tensor_memset", "nrt_get_vnc_memory_stats"})
    void findsUnwrittenOutputWithOrWithoutFunctionToFillIt(String symbol) throws IOException {
        // given
        Path neff = fixture.add(folder);
        fixture.fake().runtime().neff(RuntimeFixture.ADD).output("c", "first:8:ones");
        OutputCollector collector = new OutputCollector(OutputExpectations.read(List.of()));
        try (NeuronRuntime runtime = open(libraryWithout(symbol));
                LoadedModel model = runtime.load(core, neff)) {
            runtime.collect(List.of(core), collector, thread -> true);

            // when
            model.execute(Map.of("a", new float[4], "b", new float[4]));
        }

        // then
        assertThat(collector.collected().series())
                .singleElement()
                .extracting(series -> series.last().orElseThrow().found())
                .isEqualTo("unwritten in the last 2 of 4 elements");
    }

    @Test
    void reportsMissingMemoryStatistics() throws IOException {
        // given
        try (NeuronRuntime runtime = open(libraryWithout("nrt_get_vnc_memory_stats"))) {
            // then
            assertThatThrownBy(() -> runtime.memory(core))
                    .isInstanceOf(RuntimeTooOldException.class)
                    .hasMessageStartingWith("Reading the memory usage is not possible: ");
        }
    }
}
