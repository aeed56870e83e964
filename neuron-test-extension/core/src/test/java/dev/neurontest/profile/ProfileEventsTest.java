package dev.neurontest.profile;

import static dev.neurontest.profile.EventFileFixture.file;
import static dev.neurontest.profile.EventFileFixture.instruction;
import static dev.neurontest.profile.EventFileFixture.instructions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileEventsTest {

    @TempDir
    Path folder;

    private ProfileEvents read(String content) {
        return ProfileEvents.read(file(folder, content));
    }

    private static EventRow row(ProfileEvents events, Grouping by, String name) {
        return events.rows(by).stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> names(ProfileEvents events, Grouping by) {
        return events.rows(by).stream().map(EventRow::name).toList();
    }

    @Test
    void readsTheExcerptOfTheDocumentation() {
        // given
        Path sample = SampleFixture.folder().resolve("full-json_excerpt_docs.json");

        // when
        ProfileEvents events = ProfileEvents.read(sample);

        // then
        assertThat(events.rows(Grouping.ENGINE))
                .containsExactly(new EventRow(
                        Grouping.ENGINE,
                        "TensorMatrix",
                        148,
                        1,
                        OptionalLong.empty(),
                        Optional.of(new EventRow.Percentiles(148, 148, 148))));
        assertThat(events.executionNanos()).hasValue(17_000_000);
    }

    @Test
    void rowsAreSortedByTotal() {
        // when
        ProfileEvents events = ProfileEvents.read(instructions(
                folder,
                instruction(100, "Vector", "COPY", "a"),
                instruction(250, "Tensor", "MATMUL", "b"),
                instruction(50, "Tensor", "TRANSPOSE", "a"),
                instruction(90, "Vector", "COPY", "b")));

        // then
        assertThat(names(events, Grouping.ENGINE)).containsExactly("Tensor", "Vector");
        assertThat(names(events, Grouping.OPCODE)).containsExactly("MATMUL", "COPY", "TRANSPOSE");
        assertThat(names(events, Grouping.LAYER)).containsExactly("b", "a");
        assertThat(events.nanos(Grouping.LAYER)).isEqualTo(490);
        assertThat(events.count(Grouping.OPCODE)).isEqualTo(4);
        assertThat(row(events, Grouping.OPCODE, "COPY"))
                .returns(190L, EventRow::nanos)
                .returns(2L, EventRow::count)
                .returns(Optional.of(new EventRow.Percentiles(90, 100, 100)), EventRow::percentiles);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1_000, 100_000_000})
    void percentilesAreLessThanOnePercentTooLong(int unit) {
        // when
        ProfileEvents events = ProfileEvents.read(instructions(
                folder,
                IntStream.rangeClosed(1, 1_000)
                        .mapToObj(i -> instruction((long) i * unit, "e", "o", "l"))
                        .toArray(String[]::new)));

        // then
        EventRow.Percentiles percentiles =
                row(events, Grouping.ENGINE, "e").percentiles().orElseThrow();
        assertThat(percentiles.median()).isBetween(500L * unit, 505L * unit);
        assertThat(percentiles.p99()).isBetween(990L * unit, 1_000L * unit);
        assertThat(percentiles.longest()).isEqualTo(1_000L * unit);
    }

    @Nested
    class Fields {

        @Test
        void mayAllBeAbsent() {
            // when
            ProfileEvents events = read("{\"instruction\": [{\"duration\": 5}], \"dma\": [{\"duration\": 6}]}");

            // then
            assertThat(events.rows()).hasSize(5).extracting(EventRow::name).containsOnly("(none)");
            assertThat(events.notices()).isEmpty();
        }

        @Test
        void mayHaveAlternativeNames() {
            // when
            ProfileEvents events = read("""
                    {"instruction": [
                      {"subgroup": "q1", "duration": 1, "label": "Tensor", "opcode": "A", "compiler_opcode": "B"},
                      {"duration": 2, "subgroup": "q2", "compiler_opcode": "C"}]}""");

            // then
            assertThat(names(events, Grouping.ENGINE)).containsExactly("q2", "Tensor");
            assertThat(names(events, Grouping.OPCODE)).containsExactly("C", "A");
        }

        @Test
        void mayBeNumbersInStrings() {
            // when
            ProfileEvents events =
                    read("{\"instruction\": [{\"duration\": \"148\"}, {\"duration\": 2.6}, {\"duration\": \"1e2\"}]}");

            // then
            assertThat(events.nanos(Grouping.ENGINE)).isEqualTo(148 + 3 + 100);
        }

        @Test
        void areSkippedWithTheirPartsWhenUnknown() {
            // when
            ProfileEvents events = read("""
                    {"instruction": [{"stack_frame_ids": [[1], {"duration": 7}], "new": {"duration": 8, "label": "x"}, "duration": 1}]}""");

            // then
            assertThat(events.nanos(Grouping.ENGINE)).isEqualTo(1);
            assertThat(names(events, Grouping.ENGINE)).containsExactly("(none)");
        }

        @Test
        void areAbsentWhenTheyAreNoText() {
            // when
            ProfileEvents events = read(
                    "{\"instruction\": [{\"duration\": 1, \"label\": {\"a\": 1}, \"opcode\": null, \"layer\": 3}]}");

            // then
            assertThat(names(events, Grouping.ENGINE)).containsExactly("(none)");
            assertThat(names(events, Grouping.OPCODE)).containsExactly("(none)");
            assertThat(names(events, Grouping.LAYER)).containsExactly("3");
        }

        @Test
        void doNotLeakIntoTheNextInstruction() {
            // when
            ProfileEvents events = read("""
                    {"instruction": [
                      {"duration": 5, "label": "e", "opcode": "transpose", "layer": "l", "spill_save_bytes": 3},
                      {"duration": 4, "label": "", "opcode": "", "compiler_opcode": ""}]}""");

            // then
            assertThat(row(events, Grouping.LAYER, "l").nanos()).isEqualTo(5);
            assertThat(row(events, Grouping.LAYER, "(none)"))
                    .returns(4L, EventRow::nanos)
                    .returns(OptionalLong.empty(), EventRow::spilledBytes);
        }

        @Test
        void mayHaveAnyNames() {
            // when
            ProfileEvents events = read("""
                    {"": 1, "instruction": [{"": 1, "laye\\u0000r": "x", "h\u00e9": 2, "layer": "l", "duration": 1}, {"": 2, "layer": "l", "laye\\u0000r": "x", "duration": 1}]}""");

            // then
            assertThat(names(events, Grouping.LAYER)).containsExactly("l");
        }

        @Test
        void areFoundAmongFiveHundredUnknownOnes() {
            // given
            String fields = IntStream.range(0, 500)
                    .mapToObj(i -> "\"field_%s\": %s".formatted(i, i))
                    .collect(Collectors.joining(", "));

            // when
            ProfileEvents events =
                    read("{\"instruction\": [{%s, \"duration\": 1}, {%1$s, \"duration\": 2}]}".formatted(fields));

            // then
            assertThat(events.nanos(Grouping.LINE)).isEqualTo(3);
        }
    }

    @Nested
    class SourceLines {

        private ProfileEvents events;

        @BeforeEach
        void readLines() {
            events = read("""
                    {"instruction": [
                      {"duration": 30, "bir_debug_info_source_location": "model.py:7", "nki_source_location": "/src/attention.py:120",
                       "spill_save_bytes": 64, "spill_reload_bytes": 32},
                      {"duration": 20, "bir_debug_info_source_location": "model.py:7", "nki_source_location": "", "spill_save_bytes": 0},
                      {"duration": 10, "bir_debug_info_source_location": "model.py:7", "nki_source_location": null},
                      {"duration": 5, "nki_source_location": "", "bir_debug_info_source_location": ""},
                      {"duration": 4, "spill_reload_bytes": 8, "spill_save_bytes": "lost"}]}""");
        }

        @Test
        void comeFromKernelOrElseFromCompiler() {
            // then
            assertThat(names(events, Grouping.LINE)).containsExactly("/src/attention.py:120", "model.py:7", "(none)");
            assertThat(row(events, Grouping.LINE, "model.py:7").nanos()).isEqualTo(30);
            assertThat(row(events, Grouping.LINE, "(none)").count()).isEqualTo(2);
        }

        @Test
        void reportSpilledBytes() {
            // then
            assertThat(row(events, Grouping.LINE, "/src/attention.py:120").spilledBytes())
                    .hasValue(96);
            assertThat(row(events, Grouping.LINE, "model.py:7").spilledBytes()).hasValue(0);
            assertThat(row(events, Grouping.LINE, "(none)").spilledBytes()).hasValue(8);
            assertThat(row(events, Grouping.ENGINE, "(none)").spilledBytes()).hasValue(104);
        }

        @Test
        void capSpillThatOverflows() {
            // then
            assertThat(row(
                                    read(
                                            "{\"instruction\": [{\"duration\": 1, \"spill_save_bytes\": %1$s, \"spill_reload_bytes\": %1$s}]}"
                                                    .formatted(Long.MAX_VALUE)),
                                    Grouping.LINE,
                                    "(none)")
                            .spilledBytes())
                    .hasValue(1L << 53);
        }

        @Test
        void areInTheText() {
            // then
            assertThat(events.toText()).contains("""
                            total   share  count    p50    p99    max  spilled  source line
                            30 ns  43.5 %      1  30 ns  30 ns  30 ns     96 B  /src/attention.py:120
                            30 ns  43.5 %      2  10 ns  20 ns  20 ns      0 B  model.py:7
                             9 ns  13.0 %      2   4 ns   5 ns   5 ns      8 B  (none)
                            """);
        }
    }

    @Test
    void unusableDurationsAreReportedAndNotSummed() {
        // when
        ProfileEvents events = read("""
                {"dma": [{"duration": 1}, {"duration": -5}], "instruction": [
                  {"duration": 1}, {"label": "x"}, {"duration": null}, {"duration": -1}, {"duration": "-1"},
                  {"duration": NaN}, {"duration": Infinity}, {"duration": "soon"}, {"duration": [1]}, {"duration": 1e300},
                  {"duration": 99999999999999999999}, {"duration": 86400000000001}, 17]}""");

        // then
        assertThat(events.count(Grouping.ENGINE)).isEqualTo(1);
        assertThat(events.count(Grouping.QUEUE)).isEqualTo(1);
        assertThat(events.notices())
                .containsExactly(
                        "instruction: 12 of 13 records have no duration, or a duration that is negative, not finite or longer than a day. They are excluded from all sums.",
                        "dma: 1 of 2 records have no duration, or a duration that is negative, not finite or longer than a day. They are excluded from all sums.");
    }

    @Nested
    class Arrays {

        @Test
        void mayAllBeAbsent() {
            // when
            ProfileEvents events = read("{}");

            // then
            assertThat(events.rows()).isEmpty();
            assertThat(events.notices())
                    .containsExactly(
                            "instruction: there are no records, so nothing is known about the device. Was the profile viewed with --ignore-instruction-trace?",
                            "dma: there are no records, so nothing is known about the device. Was the profile viewed with --ignore-dma-trace?");
        }

        @Test
        void areReportedWhenTheyAreNoArrays() {
            // then
            assertThat(read("{\"instruction\": {\"duration\": 1}, \"dma\": 3, \"summary\": [], \"warnings\": 4}")
                            .notices())
                    .contains(
                            "instruction: it is not an array and was not read.",
                            "dma: it is not an array and was not read.",
                            "The tool warns: 4");
        }

        @Test
        void areSkippedSilentlyWhenUnknown() {
            // when
            ProfileEvents events = read("""
                    {"terminology": {"instruction": [{"duration": 9}]}, "cc_stream": [[{"dma": 1}]],
                     "instruction": [{"duration": 1}], "dma": [{"duration": 2}], "version": 3}""");

            // then
            assertThat(events.nanos(Grouping.ENGINE)).isEqualTo(1);
            assertThat(events.nanos(Grouping.QUEUE)).isEqualTo(2);
            assertThat(events.notices()).isEmpty();
        }

        @Test
        void duplicateDmaTransfersAreReported() {
            // when
            ProfileEvents events = read("""
                    {"instruction": [{"duration": 1}], "dma": [{"duration": 1, "dma_queue": 7, "duplicate": true},
                      {"duration": 1, "dma_queue": "q", "duplicate": "True"}, {"duration": 1, "dma_queue": "q", "duplicate": 1},
                      {"duration": 1, "duplicate": false}, {"duration": 1, "duplicate": 0}]}""");

            // then
            assertThat(names(events, Grouping.QUEUE)).containsExactly("(none)", "q", "7");
            assertThat(events.notices())
                    .containsExactly(
                            "dma: 3 of 5 records are marked as duplicates, a known fault of the tools. They are in the sums; use the bytes of the summary.");
        }
    }

    @Test
    void theSummaryIsTheFirstElement() {
        // when
        ProfileEvents events = read("""
                {"instruction": [{"duration": 1}], "dma": [{"duration": 1}],
                 "summary": [{"total_time": 0.5, "spill_save_bytes": "7", "spill_reload_bytes": 5, "parts": {"total_time": 1}, "mfu": NaN}, {"total_time": 7}]}""");

        // then
        assertThat(events.executionNanos()).hasValue(500_000_000);
        assertThat(events.spilledBytes()).hasValue(12);
        assertThat(events.notices()).containsExactly("summary: the first of 2 elements is used.");
        assertThat(read("{\"summary\": {\"total_time\": 2}}").executionNanos()).hasValue(2_000_000_000);
        assertThat(read("{\"summary\": {\"total_time\": NaN}}").executionNanos())
                .isEmpty();
    }

    @Test
    void warningsAreTextsOrObjects() {
        // then
        assertThat(read("""
                        {"instruction": [{"duration": 1}], "dma": [{"duration": 1}], "warnings":
                          ["dropped", {"category": "DMA", "message": "lost 3 notifications", "id": 3}, {"message": "m"}, null, ""]}""").notices())
                .containsExactly(
                        "The tool warns: dropped", "The tool warns: DMA: lost 3 notifications", "The tool warns: m");
    }

    @Test
    void warningsAreBounded() {
        // given
        String many =
                Stream.generate(() -> '"' + "w".repeat(1_100) + '"').limit(101).collect(Collectors.joining(", "));

        // then
        assertThat(read("{\"warnings\": [%s]}".formatted(many)).notices())
                .hasSize(103)
                .contains("The tool warns: " + "w".repeat(1_000) + "...", "warnings: the first 100 of 101 are kept.");
    }

    @Nested
    class ManyNames {

        @Test
        void areKeptApartUpToABound() {
            // when
            ProfileEvents events = ProfileEvents.read(instructions(
                    folder,
                    IntStream.range(0, 6_000)
                            .mapToObj(i -> instruction(10, "e" + i % 3, "o", "layer" + i))
                            .toArray(String[]::new)));

            // then
            assertThat(events.rows(Grouping.LAYER)).hasSize(5_001);
            assertThat(row(events, Grouping.LAYER, "(others)").count()).isEqualTo(1_000);
            assertThat(events.notices())
                    .contains(
                            "layer: only 5,000 names are kept apart; 1,000 records with others are summed as (others).");
            assertThat(events.shareOfTime(EventQuery.of(Grouping.LAYER, "layer7")))
                    .isEqualTo(1 / 6_000.0);
            assertThatThrownBy(() -> events.shareOfTime(EventQuery.of(Grouping.LAYER, "layer5051")))
                    .isInstanceOf(NoSuchElementException.class)
                    .hasMessageContaining("layer is \"layer5051\" cannot be answered from")
                    .hasMessageContaining("Query profile.tables()");
        }

        @Test
        void areCutWhenVeryLong() {
            // given
            String begin = "x".repeat(256);

            // when
            ProfileEvents events = ProfileEvents.read(
                    instructions(folder, instruction(1, "e", "o", begin + "1"), instruction(2, "e", "o", begin + "2")));

            // then
            assertThat(row(events, Grouping.LAYER, begin).count()).isEqualTo(2);
            assertThat(events.notices())
                    .contains(
                            "layer: names are cut to their first 256 characters; names that begin alike are summed together.");
        }

        @Test
        void mayEqualPlaceholders() {
            // when
            ProfileEvents events = ProfileEvents.read(
                    instructions(folder, instruction(1, "(none)", "(others)", "l"), "{\"duration\": 2}"));

            // then
            assertThat(row(events, Grouping.ENGINE, "(none)").nanos()).isEqualTo(3);
            assertThat(row(events, Grouping.OPCODE, "(others)").nanos()).isEqualTo(1);
        }
    }

    @Nested
    class Shares {

        private ProfileEvents events;

        @BeforeEach
        void write() {
            events = ProfileEvents.read(EventFileFixture.instructions(
                    folder,
                    instruction(300, "Tensor", "MATMUL", "attention"),
                    instruction(100, "Tensor", "DmaTranspose", "attention"),
                    instruction(60, "Vector", "COPY", "mlp"),
                    "{\"duration\": 40, \"opcode\": \"X\", \"compiler_opcode\": \"PE_TRANSPOSE\"}"));
        }

        @Test
        void countMatrixMultiplicationsThatTranspose() {
            // when
            ProfileEvents typed = ProfileEvents.read(EventFileFixture.instructions(
                    folder,
                    "{\"duration\": 60, \"opcode\": \"MATMUL\", \"instruction_type\": \"REGULAR\"}",
                    "{\"duration\": 40, \"opcode\": \"MATMUL\", \"instruction_type\": \"TRANSPOSE\"}"));

            // then
            assertThat(typed.shareOfTime(EventQuery.transposes())).isEqualTo(0.4);
        }

        @Test
        void countTransposesOfEitherOpcode() {
            // then
            assertThat(events.shareOfTime(EventQuery.transposes())).isEqualTo(140 / 500.0);
        }

        @Test
        void matchWholeNameOrPart() {
            // then
            assertThat(events.shareOfTime(EventQuery.of(Grouping.ENGINE, "Tensor")))
                    .isEqualTo(0.8);
            assertThat(events.shareOfTime(EventQuery.of(Grouping.ENGINE, "tensor")))
                    .isZero();
            assertThat(events.shareOfTime(EventQuery.containing(Grouping.LAYER, "ATT")))
                    .isEqualTo(0.8);
            assertThat(events.shareOfTime(EventQuery.of(Grouping.LAYER, "(none)")))
                    .isZero();
        }

        @Test
        void areUnknownWhenNoInstructionHasProperty() {
            // then
            assertThatThrownBy(() -> events.shareOfTime(EventQuery.containing(Grouping.LINE, "a.py")))
                    .isInstanceOf(NoSuchElementException.class)
                    .hasMessageContaining("source line contains \"a.py\" cannot be answered from ")
                    .hasMessageContaining("no instruction has a source line there");
        }

        @Test
        void areUnknownWithoutInstructions() {
            // given
            ProfileEvents none = read("{\"dma\": [{\"duration\": 1}]}");

            // then
            assertThatThrownBy(() -> none.shareOfTime(EventQuery.transposes()))
                    .isInstanceOf(NoSuchElementException.class)
                    .hasMessageContaining("has no instruction that took any time, so there is no share of it")
                    .hasMessageContaining("--ignore-instruction-trace");
        }

        @Test
        void areRefusedForEmptyText() {
            // then
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> EventQuery.of(Grouping.LINE, ""))
                    .withMessage("The source line to search for is empty.");
        }
    }

    @Test
    void textHasTablesAndNotices() {
        // given
        Path file = file(folder, """
                {"instruction": [
                  {"duration": 1500, "label": "Tensor", "opcode": "MATMUL", "layer": "a"},
                  {"duration": 500, "label": "Vector", "opcode": "x\\ny", "layer": "b"}],
                 "dma": [{"duration": 20, "dma_queue": "q"}, {"duration": -1}],
                 "warnings": ["lost"]}""");

        // then
        assertThat(ProfileEvents.read(file).toText()).isEqualTo("""
                        Events of %s
                        instructions: 2, total 2 µs
                        DMA transfers: 1, total 20 ns

                         total   share  count     p50     p99     max  spilled  engine
                        1.5 µs  75.0 %%      1  1.5 µs  1.5 µs  1.5 µs        -  Tensor
                        500 ns  25.0 %%      1  500 ns  500 ns  500 ns        -  Vector

                         total   share  count     p50     p99     max  spilled  opcode
                        1.5 µs  75.0 %%      1  1.5 µs  1.5 µs  1.5 µs        -  MATMUL
                        500 ns  25.0 %%      1  500 ns  500 ns  500 ns        -  x\\u000ay

                        notices:
                          dma: 1 of 2 records have no duration, or a duration that is negative, not finite or longer than a day. They are excluded from all sums.
                          The tool warns: lost
                        """.formatted(file));
    }

    @Test
    void textStatesNumberOfOpcodesLeftOut() {
        // given
        Path many = instructions(
                folder,
                IntStream.range(0, 25)
                        .mapToObj(i -> instruction(5 + i, "e", "op" + i, "l"))
                        .toArray(String[]::new));

        // then
        assertThat(ProfileEvents.read(many).toText())
                .contains("op24", "op5\n", "... and 5 more")
                .doesNotContain("op4\n");
    }
}
