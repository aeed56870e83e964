package dev.neurontest.profile.event;

import static dev.neurontest.profile.event.EventFileFixture.file;
import static dev.neurontest.profile.event.EventFileFixture.instruction;
import static dev.neurontest.profile.event.EventFileFixture.instructions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.neurontest.profile.SampleFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ProfileEventsTest {

    @TempDir
    Path folder;

    private ProfileEvents read(String content) {
        return ProfileEvents.read(file(folder, content));
    }

    private static Duration nanos(long nanos) {
        return Duration.ofNanos(nanos);
    }

    @Test
    void readsTheExcerptOfTheDocumentation() {
        // given
        Path sample = SampleFixture.folder().resolve("full-json_excerpt_docs.json");

        // when
        ProfileEvents events = ProfileEvents.read(sample);

        // then
        assertThat(events.longest())
                .containsExactly(
                        new InstructionEvent(
                                OptionalLong.of(10_261_883_214L),
                                nanos(148),
                                "TensorMatrix",
                                "MATMUL",
                                "",
                                "%add.1 = add(%dot, %custom-call.44)",
                                "S[5] (Tensor)++@complete acc_flags=3 row_grp=q0 src=fp16@0x5600[1,0,0][3,1,1] dst=0x2000000[1,0,0][3,1,1] 3*128 "));
        assertThat(events.summaryNumbers()).containsEntry("total_time", 0.017).containsEntry("event_count", 11_215.0);
    }

    @Nested
    class Sums {

        private ProfileEvents events;

        @BeforeEach
        void readFourInstructions() {
            events = ProfileEvents.read(instructions(
                    folder,
                    instruction(100, "Vector", "COPY", "a"),
                    instruction(250, "Tensor", "MATMUL", "b"),
                    instruction(50, "Tensor", "TRANSPOSE", "a"),
                    instruction(90, "Vector", "COPY", "b")));
        }

        @Test
        void allInstructionsAreSummed() {
            // then
            assertThat(events.instructions().count()).isEqualTo(4);
            assertThat(events.instructions().total()).isEqualTo(nanos(490));
            assertThat(events.instructions().min()).isEqualTo(nanos(50));
            assertThat(events.instructions().max()).isEqualTo(nanos(250));
        }

        @Test
        void enginesComeByTheirTotal() {
            // then
            assertThat(events.byEngine()).containsOnlyKeys("Tensor", "Vector");
            assertThat(events.byEngine().keySet()).containsExactly("Tensor", "Vector");
            assertThat(events.byEngine().get("Tensor").total()).isEqualTo(nanos(300));
            assertThat(events.byEngine().get("Vector").total()).isEqualTo(nanos(190));
        }

        @Test
        void opcodesComeByTheirTotal() {
            // then
            assertThat(events.byOpcode().keySet()).containsExactly("MATMUL", "COPY", "TRANSPOSE");
            assertThat(events.byOpcode().get("COPY").count()).isEqualTo(2);
        }

        @Test
        void layersComeByTheirTotal() {
            // then
            assertThat(events.byLayer().keySet()).containsExactly("b", "a");
            assertThat(events.byLayer().get("a").max()).isEqualTo(nanos(100));
        }

        @Test
        void nothingThatIsGivenOutCanBeChanged() {
            // then
            assertThatThrownBy(() -> events.byEngine().clear()).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> events.queries().clear()).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> events.longest().clear()).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> events.summaryNumbers().clear()).isInstanceOf(UnsupportedOperationException.class);
        }
    }

    @Nested
    class Fields {

        @Test
        void mayAllBeAbsent() {
            // when
            ProfileEvents events = read("{\"instruction\": [{\"duration\": 5}], \"dma\": [{\"duration\": 6}]}");

            // then
            assertThat(events.byEngine()).containsOnlyKeys("(none)");
            assertThat(events.byOpcode()).containsOnlyKeys("(none)");
            assertThat(events.byLayer()).containsOnlyKeys("(none)");
            assertThat(events.dmaByQueue()).containsOnlyKeys("(none)");
            assertThat(events.longest())
                    .containsExactly(new InstructionEvent(OptionalLong.empty(), nanos(5), "", "", "", "", ""));
            assertThat(events.notices()).isEmpty();
        }

        @Test
        void maySayTheEngineAsSubgroup() {
            // when
            ProfileEvents events = read("""
                    {"instruction": [{"subgroup": "q1", "duration": 1, "label": "Tensor"}, {"duration": 2, "subgroup": "q2"}]}""");

            // then
            assertThat(events.byEngine()).containsOnlyKeys("Tensor", "q2");
        }

        @Test
        void maySayOnlyTheOpcodeOfTheCompiler() {
            // when
            ProfileEvents events = read("""
                    {"instruction": [{"duration": 1, "opcode": "A", "compiler_opcode": "B"}, {"duration": 2, "compiler_opcode": "C"}]}""");

            // then
            assertThat(events.byOpcode()).containsOnlyKeys("A", "C");
        }

        @Test
        void mayBeNumbersInStrings() {
            // when
            ProfileEvents events = read("""
                    {"instruction": [{"timestamp": "12", "duration": "148"}, {"duration": 2.6}, {"duration": "1e2"}]}""");

            // then
            assertThat(events.instructions().total()).isEqualTo(nanos(148 + 3 + 100));
            assertThat(events.longest().get(0).timestampNanos()).hasValue(12);
        }

        @Test
        void mayComeInAnyOrder() {
            // when
            ProfileEvents events = read("""
                    {"instruction": [
                      {"operands": "x", "hlo_name": "h", "layer": "l", "opcode": "o", "label": "e", "duration": 9, "timestamp": 3},
                      {"duration": 8, "operands": "y", "hlo_name": "i", "layer": "l", "opcode": "o", "label": "e"}]}""");

            // then
            assertThat(events.longest())
                    .containsExactly(
                            new InstructionEvent(OptionalLong.of(3), nanos(9), "e", "o", "l", "h", "x"),
                            new InstructionEvent(OptionalLong.empty(), nanos(8), "e", "o", "l", "i", "y"));
        }

        @Test
        void thatAreUnknownAreSkippedWithAllTheirParts() {
            // when
            ProfileEvents events = read("""
                    {"instruction": [{"stack_frame_ids": [[1], {"duration": 7}], "new": {"duration": 8, "label": "x"}, "duration": 1}]}""");

            // then
            assertThat(events.instructions().total()).isEqualTo(nanos(1));
            assertThat(events.byEngine()).containsOnlyKeys("(none)");
        }

        @Test
        void thatShouldBeTextAndAreNotCountAsAbsent() {
            // when
            ProfileEvents events = read(
                    "{\"instruction\": [{\"duration\": 1, \"label\": {\"a\": 1}, \"opcode\": null, \"layer\": 3}]}");

            // then
            assertThat(events.byEngine()).containsOnlyKeys("(none)");
            assertThat(events.byOpcode()).containsOnlyKeys("(none)");
            assertThat(events.byLayer()).containsOnlyKeys("3");
        }

        @Test
        void doNotLeakIntoTheNextInstruction() {
            // when
            ProfileEvents events = read("""
                    {"instruction": [
                      {"duration": 5, "timestamp": 1, "label": "e", "opcode": "transpose", "layer": "l", "hlo_name": "h", "operands": "x"},
                      {"duration": 4, "label": "", "opcode": "", "compiler_opcode": ""}]}""");

            // then
            assertThat(events.longest().get(1))
                    .isEqualTo(new InstructionEvent(OptionalLong.empty(), nanos(4), "", "", "", "", ""));
            assertThat(events.matching("transposes").count()).isEqualTo(1);
        }

        @Test
        void mayHaveAnyNames() {
            // when
            ProfileEvents events = read("""
                    {"": 1, "instruction": [{"": 1, "laye\\u0000r": "x", "h\u00e9": 2, "layer": "l", "duration": 1}, {"": 2, "layer": "l", "laye\\u0000r": "x", "duration": 1}]}""");

            // then
            assertThat(events.byLayer()).containsOnlyKeys("l");
        }

        @Test
        void ofManyMoreKindsThanAreLearnedAreSkipped() {
            // given
            String fields = IntStream.range(0, 500)
                    .mapToObj(i -> "\"field_%s\": %s".formatted(i, i))
                    .collect(Collectors.joining(", "));

            // when
            ProfileEvents events =
                    read("{\"instruction\": [{%s, \"duration\": 1}, {%1$s, \"duration\": 2}]}".formatted(fields));

            // then
            assertThat(events.instructions().total()).isEqualTo(nanos(3));
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
        void areThoseOfTheKernelOrElseOfTheCompiler() {
            // then
            assertThat(events.byLine().keySet()).containsExactly("/src/attention.py:120", "model.py:7", "(none)");
            assertThat(events.byLine().get("/src/attention.py:120").total()).isEqualTo(nanos(30));
            assertThat(events.byLine().get("model.py:7").total()).isEqualTo(nanos(30));
            assertThat(events.byLine().get("(none)").count()).isEqualTo(2);
        }

        @Test
        void canBeAskedForAfterwards() {
            // then
            assertThat(events.shareOfTime(EventQuery.line("model.py:7"))).isEqualTo(30 / 69.0);
            assertThat(events.shareOfTime(EventQuery.lineContains("ATTENTION.py:")))
                    .isEqualTo(30 / 69.0);
            assertThat(events.shareOfTime(EventQuery.line("model.py"))).isZero();
        }

        @Test
        void canBeAskedForTogetherWithOthers() {
            // given
            Path file = file(folder, """
                    {"instruction": [
                      {"duration": 30, "bir_debug_info_source_location": "a.py:1", "opcode": "X"},
                      {"duration": 20, "bir_debug_info_source_location": "a.py:1", "opcode": "Y"},
                      {"duration": 10, "bir_debug_info_source_location": "a.py:1", "nki_source_location": "b.py:1", "opcode": "X"}]}""");

            // when
            ProfileEvents found = ProfileEvents.reader()
                    .query("both", EventQuery.line("a.py:1").and(EventQuery.opcode("X")))
                    .read(file);

            // then
            assertThat(found.matching("both").total()).isEqualTo(nanos(30));
        }

        @Test
        void sayWhatWasSpilled() {
            // then
            assertThat(events.byLine().get("/src/attention.py:120").spilledBytes())
                    .hasValue(96);
            assertThat(events.byLine().get("model.py:7").spilledBytes()).hasValue(0);
            assertThat(events.byLine().get("(none)").spilledBytes()).hasValue(8);
            assertThat(events.instructions().spilledBytes()).hasValue(104);
        }

        @Test
        void ofAProfileThatDoesNotSayWhatWasSpilledSayNothing() {
            // then
            assertThat(read("{\"instruction\": [{\"duration\": 1}], \"dma\": [{\"duration\": 1}]}")
                            .byLine()
                            .get("(none)")
                            .spilledBytes())
                    .isEmpty();
            assertThat(events.dma().spilledBytes()).isEmpty();
        }

        @Test
        void withMoreSpillThanANumberHoldsHaveTheLargest() {
            // then
            assertThat(
                            read("{\"instruction\": [{\"duration\": 1, \"spill_save_bytes\": %1$s, \"spill_reload_bytes\": %1$s}]}"
                                            .formatted(Long.MAX_VALUE))
                                    .instructions()
                                    .spilledBytes())
                    .hasValue(Long.MAX_VALUE);
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

        @Test
        void areInTheJson() {
            // given
            JsonNode json = JsonMapper.shared().readTree(events.toJson());

            // then
            assertThat(json.at("/lines/model.py:7/count").longValue()).isEqualTo(2);
            assertThat(json.at("/lines/(none)/spilledBytes").longValue()).isEqualTo(8);
        }
    }

    @Nested
    class UnusableDurations {

        @Test
        void areInNoSumAndSaid() {
            // when
            ProfileEvents events = read("""
                    {"dma": [{"duration": 1}], "instruction": [
                      {"duration": 1}, {"label": "x"}, {"duration": null}, {"duration": -1}, {"duration": "-1"},
                      {"duration": NaN}, {"duration": Infinity}, {"duration": "soon"}, {"duration": [1]}, {"duration": 1e300},
                      {"duration": 99999999999999999999}, {"duration": 86400000000001}, 17]}""");

            // then
            assertThat(events.instructions().count()).isEqualTo(1);
            assertThat(events.notices())
                    .containsExactly(
                            "instruction: 1 of 13 records are no objects.",
                            "instruction: 2 of 13 records have no duration and are in no sum.",
                            "instruction: 2 of 13 records have a negative duration and are in no sum.",
                            "instruction: 6 of 13 records have a duration that is no finite number and are in no sum.",
                            "instruction: 1 of 13 records have a duration of more than a day and are in no sum.");
        }

        @Test
        void ofDmaTransfersAreSaidToo() {
            // when
            ProfileEvents events = read("{\"instruction\": [{\"duration\": 1}], \"dma\": [{\"duration\": -5}]}");

            // then
            assertThat(events.dma().count()).isZero();
            assertThat(events.notices())
                    .containsExactly("dma: 1 of 1 records have a negative duration and are in no sum.");
        }
    }

    @Nested
    class Arrays {

        @Test
        void mayAllBeAbsent() {
            // when
            ProfileEvents events = read("{}");

            // then
            assertThat(events.instructions().count()).isZero();
            assertThat(events.byEngine()).isEmpty();
            assertThat(events.longest()).isEmpty();
            assertThat(events.notices())
                    .containsExactly(
                            "instruction: no record is there, which says nothing about the device. Was the profile viewed with --ignore-instruction-trace?",
                            "dma: no record is there, which says nothing about the device. Was the profile viewed with --ignore-dma-trace?");
        }

        @Test
        void mayBeSomethingElse() {
            // when
            ProfileEvents events =
                    read("{\"instruction\": {\"duration\": 1}, \"dma\": 3, \"summary\": [], \"warnings\": 4}");

            // then
            assertThat(events.notices())
                    .containsExactly(
                            "instruction: it is no array and was not read.", "dma: it is no array and was not read.");
            assertThat(events.warnings()).containsExactly("4");
        }

        @Test
        void thatAreUnknownAreSkippedSilently() {
            // when
            ProfileEvents events = read("""
                    {"terminology": {"instruction": [{"duration": 9}]}, "cc_stream": [[{"dma": 1}]],
                     "instruction": [{"duration": 1}], "dma": [{"duration": 2}], "version": 3}""");

            // then
            assertThat(events.instructions().total()).isEqualTo(nanos(1));
            assertThat(events.dma().total()).isEqualTo(nanos(2));
            assertThat(events.notices()).isEmpty();
        }

        @Test
        void ofDmaTransfersAreSummedByQueue() {
            // when
            ProfileEvents events = read("""
                    {"dma": [{"dma_queue": "q1", "duration": 10}, {"dma_queue": 7, "duration": 30}, {"dma_queue": "q1", "duration": 5}]}""");

            // then
            assertThat(events.dma().total()).isEqualTo(nanos(45));
            assertThat(events.dmaByQueue().keySet()).containsExactly("7", "q1");
            assertThat(events.dmaByQueue().get("q1").count()).isEqualTo(2);
        }

        @Test
        void ofDmaTransfersMayHoldDuplicatesWhichIsSaid() {
            // when
            ProfileEvents events = read("""
                    {"instruction": [{"duration": 1}], "dma": [{"duration": 1, "duplicate": true}, {"duration": 1, "duplicate": "True"},
                      {"duration": 1, "duplicate": 1}, {"duration": 1, "duplicate": false}, {"duration": 1, "duplicate": 0}]}""");

            // then
            assertThat(events.dma().count()).isEqualTo(5);
            assertThat(events.notices())
                    .containsExactly(
                            "dma: 3 of 5 records are marked as duplicates, a known fault of the tools. They are in the sums; take bytes from the summary.");
        }
    }

    @Nested
    class Summary {

        @Test
        void isTheFirstElement() {
            // when
            ProfileEvents events = read("""
                    {"instruction": [{"duration": 1}], "dma": [{"duration": 1}],
                     "summary": [{"total_time": 0.5, "name": "x", "spill": "-1", "parts": {"a": 1}, "mfu": NaN, "more": null}, {"total_time": 7}]}""");

            // then
            assertThat(events.summaryNumbers()).containsOnlyKeys("total_time", "spill");
            assertThat(events.summaryNumbers()).containsEntry("total_time", 0.5).containsEntry("spill", -1.0);
            assertThat(events.notices())
                    .containsExactly(
                            "summary: 1 numbers are not finite and left out.",
                            "summary: the first of 2 elements is taken.");
        }

        @Test
        void mayBeAnObject() {
            // then
            assertThat(read("{\"summary\": {\"total_time\": 2}}").summaryNumbers())
                    .containsEntry("total_time", 2.0);
        }

        @Test
        void isBounded() {
            // given
            String numbers = IntStream.range(0, 2_001)
                    .mapToObj(i -> "\"n%s\": %s".formatted(i, i))
                    .collect(Collectors.joining(", "));

            // when
            ProfileEvents events = read("{\"summary\": [{%s}]}".formatted(numbers));

            // then
            assertThat(events.summaryNumbers()).hasSize(2_000);
            assertThat(events.notices()).contains("summary: only the first 2,000 numbers are kept.");
        }
    }

    @Nested
    class Warnings {

        @Test
        void areTextsOrObjects() {
            // when
            ProfileEvents events = read("""
                    {"warnings": ["dropped", {"category": "DMA", "message": "lost 3 notifications", "id": 3}, {"message": "m"}, null, ""]}""");

            // then
            assertThat(events.warnings()).containsExactly("dropped", "DMA: lost 3 notifications", "m");
        }

        @Test
        void areBounded() {
            // given
            String many = Stream.generate(() -> '"' + "w".repeat(1_100) + '"')
                    .limit(101)
                    .collect(Collectors.joining(", "));

            // when
            ProfileEvents events = read("{\"warnings\": [%s]}".formatted(many));

            // then
            assertThat(events.warnings()).hasSize(100).allMatch(text -> text.equals("w".repeat(1_000) + "..."));
            assertThat(events.notices()).contains("warnings: the first 100 of 101 are kept.");
        }
    }

    @Nested
    class ManyNames {

        @Test
        void areKeptApartUpToABound() {
            // given
            Path file = instructions(
                    folder,
                    IntStream.range(0, 6_000)
                            .mapToObj(i -> instruction(10, "e" + i % 3, "o", "layer" + i))
                            .toArray(String[]::new));

            // when
            ProfileEvents events = ProfileEvents.read(file);

            // then
            assertThat(events.byLayer()).hasSize(5_001).containsKeys("layer0", "layer4999");
            assertThat(events.byLayer().keySet()).first().isEqualTo("(others)");
            assertThat(events.byLayer().get("(others)").count()).isEqualTo(1_000);
            assertThat(events.notices())
                    .contains(
                            "layer: only the first 5,000 names are kept apart; 1,000 records with later ones are summed as (others).");
        }

        @Test
        void thatDoNotFitAreStillFoundByQueries() {
            // given
            Path file = instructions(
                    folder,
                    IntStream.range(0, 5_100)
                            .mapToObj(i -> instruction(10, "e", "o", "layer" + i))
                            .toArray(String[]::new));

            // when
            ProfileEvents events = ProfileEvents.reader()
                    .query("late", EventQuery.layer("layer5050"))
                    .read(file);

            // then
            assertThat(events.matching("late").count()).isEqualTo(1);
            assertThatThrownBy(() -> events.shareOfTime(EventQuery.layer("layer5051")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("layer is \"layer5051\" cannot be answered after")
                    .hasMessageContaining("ProfileEvents.reader().query(\"some name\", query).read(path)");
        }

        @Test
        void thatAreVeryLongAreCutAndFoundWhole() {
            // given
            String begin = "x".repeat(256);
            Path file =
                    instructions(folder, instruction(1, "e", "o", begin + "1"), instruction(2, "e", "o", begin + "2"));

            // when
            ProfileEvents events = ProfileEvents.reader()
                    .query("second", EventQuery.layer(begin + "2"))
                    .read(file);

            // then
            assertThat(events.byLayer()).containsOnlyKeys(begin);
            assertThat(events.byLayer().get(begin).count()).isEqualTo(2);
            assertThat(events.matching("second").total()).isEqualTo(nanos(2));
            assertThat(events.notices())
                    .contains(
                            "layer: 2 names were cut to their first 256 characters; those that begin alike are summed together.");
        }

        @Test
        void mayLookLikeOurOwn() {
            // given
            Path file = instructions(folder, instruction(1, "(none)", "(others)", "l"), "{\"duration\": 2}");

            // when
            ProfileEvents events = ProfileEvents.read(file);

            // then
            assertThat(events.byEngine().get("(none)").total()).isEqualTo(nanos(3));
            assertThat(events.byOpcode().get("(others)").total()).isEqualTo(nanos(1));
        }
    }

    @Nested
    class Longest {

        @Test
        void tenAreKept() {
            // given
            Path file = instructions(
                    folder,
                    IntStream.range(0, 30)
                            .mapToObj(i -> instruction(i * 7 % 30, "e", "o" + i, "l"))
                            .toArray(String[]::new));

            // when
            ProfileEvents events = ProfileEvents.read(file);

            // then
            assertThat(events.longest())
                    .extracting(event -> event.duration().toNanos())
                    .containsExactly(29L, 28L, 27L, 26L, 25L, 24L, 23L, 22L, 21L, 20L);
            assertThat(events.longest(2)).isEqualTo(events.longest().subList(0, 2));
        }

        @Test
        void ofEquallyLongOnesTheFirstAreKept() {
            // given
            Path file = instructions(
                    folder,
                    IntStream.range(0, 12)
                            .mapToObj(i -> instruction(5, "e", "o" + i, "l"))
                            .toArray(String[]::new));

            // then
            assertThat(ProfileEvents.read(file).longest())
                    .extracting(InstructionEvent::opcode)
                    .containsExactly("o0", "o1", "o2", "o3", "o4", "o5", "o6", "o7", "o8", "o9");
        }

        @Test
        void moreAreKeptWhenAskedFor() {
            // given
            Path file = instructions(
                    folder,
                    IntStream.range(0, 30)
                            .mapToObj(i -> instruction(i, "e", "o", "l"))
                            .toArray(String[]::new));

            // when
            ProfileEvents events = ProfileEvents.reader().keepLongest(20).read(file);

            // then
            assertThat(events.longest(20)).hasSize(20);
        }

        @Test
        void moreThanWereKeptAreRefused() {
            // given
            ProfileEvents events = read("{}");

            // then
            assertThat(events.longest(10)).isEmpty();
            assertThatThrownBy(() -> events.longest(11))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "The 10 longest instructions were kept, not 11. Read with ProfileEvents.reader().keepLongest(n), n at most 100.");
            assertThatThrownBy(() -> ProfileEvents.reader().keepLongest(101))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("101 longest instructions cannot be kept, only 1 to 100");
        }

        @Test
        void theirTextsAreCut() {
            // given
            Path file = file(
                    folder,
                    "{\"instruction\": [{\"duration\": 1, \"operands\": \"%s\", \"hlo_name\": \"%s\"}]}"
                            .formatted("o".repeat(301), "h".repeat(300)));

            // when
            InstructionEvent event = ProfileEvents.read(file).longest().get(0);

            // then
            assertThat(event.operands()).isEqualTo("o".repeat(300) + "...");
            assertThat(event.hloName()).isEqualTo("h".repeat(300));
        }
    }

    @Nested
    class Shares {

        private Path file;

        @BeforeEach
        void write() {
            file = EventFileFixture.instructions(
                    folder,
                    instruction(300, "Tensor", "MATMUL", "attention"),
                    instruction(100, "Tensor", "DmaTranspose", "attention"),
                    instruction(60, "Vector", "COPY", "mlp"),
                    "{\"duration\": 40, \"opcode\": \"X\", \"compiler_opcode\": \"PE_TRANSPOSE\", \"hlo_name\": \"%add.1\"}");
        }

        @Test
        void ofTransposesAreAlwaysKnown() {
            // when
            ProfileEvents events = ProfileEvents.read(file);

            // then
            assertThat(events.shareOfTime("transposes")).isEqualTo(140 / 500.0, within(1e-12));
            assertThat(events.shareOfTime(EventQuery.transposes())).isEqualTo(140 / 500.0, within(1e-12));
        }

        @Test
        void ofQueriesAreFoundWhileReading() {
            // when
            ProfileEvents events = ProfileEvents.reader()
                    .query("copies of attention", EventQuery.engine("Tensor").and(EventQuery.layerContains("ATT")))
                    .query("adds", EventQuery.hloNameContains("add"))
                    .query("either", EventQuery.hloName("%add.1").or(EventQuery.opcode("COPY")))
                    .query("nothing", EventQuery.engine("tensor"))
                    .read(file);

            // then
            assertThat(events.shareOfTime("copies of attention")).isEqualTo(0.8, within(1e-12));
            assertThat(events.shareOfTime("adds")).isEqualTo(0.08, within(1e-12));
            assertThat(events.shareOfTime("either")).isEqualTo(0.2, within(1e-12));
            assertThat(events.shareOfTime("nothing")).isZero();
            assertThat(events.matching("either").max()).isEqualTo(nanos(60));
            assertThat(events.queries().keySet())
                    .containsExactly("transposes", "copies of attention", "adds", "either", "nothing");
        }

        @Test
        void ofOneFieldAreKnownAfterwards() {
            // given
            ProfileEvents events = ProfileEvents.read(file);

            // then
            assertThat(events.shareOfTime(EventQuery.engine("Tensor"))).isEqualTo(0.8, within(1e-12));
            assertThat(events.shareOfTime(EventQuery.opcodeContains("transpose")))
                    .isEqualTo(0.2, within(1e-12));
            assertThat(events.shareOfTime(EventQuery.layer("mlp").or(EventQuery.layer("no such layer"))))
                    .isEqualTo(0.12, within(1e-12));
            assertThat(events.shareOfTime(EventQuery.layer("(none)"))).isZero();
        }

        @Test
        void ofSeveralFieldsMustBeAskedWhileReading() {
            // given
            ProfileEvents events = ProfileEvents.read(file);
            EventQuery query = EventQuery.engine("Tensor").and(EventQuery.layer("mlp"));

            // then
            assertThatThrownBy(() -> events.shareOfTime(query))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "engine is \"Tensor\" and layer is \"mlp\" cannot be answered after %s was read. Ask while it is read: ProfileEvents.reader().query(\"some name\", query).read(path)."
                                    .formatted(file));
            assertThatThrownBy(() -> events.shareOfTime(EventQuery.hloName("x")))
                    .isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void ofNamesThatWereNotAskedAreRefused() {
            // given
            ProfileEvents events = ProfileEvents.read(file);

            // then
            assertThatThrownBy(() -> events.shareOfTime("copies"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "No query \"copies\" was asked when %s was read, only [transposes]. Read with ProfileEvents.reader().query(\"copies\", ...)."
                                    .formatted(file));
        }

        @Test
        void ofNothingAreUnknownAndNotZero() {
            // given
            ProfileEvents events = read("{\"dma\": [{\"duration\": 1}]}");

            // then
            assertThatThrownBy(() -> events.shareOfTime("transposes"))
                    .isInstanceOf(NoSuchElementException.class)
                    .hasMessageContaining("has no instruction that took any time, so there is no share of it")
                    .hasMessageContaining("--ignore-instruction-trace");
        }
    }

    @Nested
    class Views {

        private Path file;

        @BeforeEach
        void write() {
            file = EventFileFixture.file(folder, """
                {"instruction": [
                  {"timestamp": 10, "duration": 1500, "label": "Tensor", "opcode": "MATMUL", "layer": "a", "operands": "x\\ny"},
                  {"duration": 500, "label": "Vector", "opcode": "TRANSPOSE", "layer": "b"}],
                 "dma": [{"duration": 20, "dma_queue": "q"}, {"duration": -1}],
                 "summary": [{"total_time": 0.5}],
                 "warnings": ["lost"]}""");
        }

        @Test
        void theTextHasThreeTablesAndWhatToKnowAboutThem() {
            // then
            assertThat(ProfileEvents.read(file).toText()).isEqualTo("""
                            Events of %s
                            instructions: 2, total 2 µs, p50 501 ns, p99 1.5 µs, max 1.5 µs
                            DMA transfers: 1, total 20 ns, p50 20 ns, p99 20 ns, max 20 ns

                             total   share  count     p50     p99     max  engine
                            1.5 µs  75.0 %%      1  1.5 µs  1.5 µs  1.5 µs  Tensor
                            500 ns  25.0 %%      1  500 ns  500 ns  500 ns  Vector

                             total   share  count     p50     p99     max  opcode
                            1.5 µs  75.0 %%      1  1.5 µs  1.5 µs  1.5 µs  MATMUL
                            500 ns  25.0 %%      1  500 ns  500 ns  500 ns  TRANSPOSE

                            longest     at  engine     opcode  layer, HLO operation and operands
                             1.5 µs  10 ns  Tensor     MATMUL  a  x\\u000ay
                             500 ns      -  Vector  TRANSPOSE  b

                            transposes: 25.0 %% of the instruction time in 1 instructions (opcode contains "transpose" or compiler_opcode contains "transpose")

                            warnings of the tool:
                              lost

                            notices:
                              dma: 1 of 2 records have a negative duration and are in no sum.
                            """.formatted(file));
        }

        @Test
        void theTextOfAnEmptyFileHasNoTables() {
            // then
            assertThat(read("{}").toText())
                    .contains("instructions: none\nDMA transfers: none\n\nnotices:")
                    .doesNotContain("share");
        }

        @Test
        void theTextOfManyOpcodesSaysHowManyItLeavesOut() {
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

        @Test
        void theJsonHasEverything() {
            // when
            JsonNode json =
                    JsonMapper.shared().readTree(ProfileEvents.read(file).toJson());

            // then
            assertThat(json.propertyNames())
                    .containsExactly(
                            "version",
                            "kind",
                            "file",
                            "instructions",
                            "engines",
                            "opcodes",
                            "layers",
                            "lines",
                            "dma",
                            "dmaQueues",
                            "queries",
                            "longest",
                            "summary",
                            "warnings",
                            "notices");
            assertThat(json.at("/version").intValue()).isEqualTo(1);
            assertThat(json.at("/kind").stringValue()).isEqualTo("events");
            assertThat(json.at("/instructions/totalNanos").longValue()).isEqualTo(2_000);
            assertThat(json.at("/engines/Tensor/maxNanos").longValue()).isEqualTo(1_500);
            assertThat(json.at("/layers/b/count").longValue()).isEqualTo(1);
            assertThat(json.at("/dmaQueues/q/p99Nanos").longValue()).isEqualTo(20);
            assertThat(json.at("/queries/transposes/shareOfTime").doubleValue()).isEqualTo(0.25);
            assertThat(json.at("/longest/0/timestampNanos").longValue()).isEqualTo(10);
            assertThat(json.at("/longest/0/operands").stringValue()).isEqualTo("x\ny");
            assertThat(json.at("/longest/1").has("timestampNanos")).isFalse();
            assertThat(json.at("/summary/total_time").doubleValue()).isEqualTo(0.5);
            assertThat(json.at("/warnings/0").stringValue()).isEqualTo("lost");
            assertThat(json.at("/notices")).hasSize(1);
        }

        @Test
        void theJsonOfAnEmptyFileHasNoNumbersThatNobodyMeasured() {
            // when
            JsonNode json = JsonMapper.shared().readTree(read("{}").toJson());

            // then
            assertThat(json.at("/instructions/count").longValue()).isZero();
            assertThat(json.at("/instructions").has("maxNanos")).isFalse();
            assertThat(json.at("/queries/transposes").has("shareOfTime")).isFalse();
        }
    }
}
