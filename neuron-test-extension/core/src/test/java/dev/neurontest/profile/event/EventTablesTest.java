package dev.neurontest.profile.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.entry;

import dev.neurontest.profile.table.ProfileTables;
import dev.neurontest.profile.table.TableFixture;
import dev.neurontest.profile.table.TablesException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventTablesTest {

    @TempDir
    Path folder;

    private void instructions(String rows) {
        TableFixture.write(folder, "Instruction", "select * from (values %s) t(%s)".formatted(rows, """
                start_ts, duration_ns, id, engine, opcode, compiler_opcode, layer, hlo_name, operands, nki_source_location,
                bir_debug_info_source_location, spill_save_bytes, spill_reload_bytes"""));
    }

    private static Duration nanos(long nanos) {
        return Duration.ofNanos(nanos);
    }

    @Nested
    class Sums {

        @Test
        void areThoseOfTheInstructions() {
            // given
            instructions("""
                    (10::bigint, 100::bigint, 1::bigint, 'Tensor', 'MATMUL', 'X', 'a', 'h', 'o', 'k.py:1', 'm.py:1', 64::bigint, 32::bigint),
                    (20, 30, 2, 'Vector', '', 'COPY', null, '', '', '', 'm.py:1', null, 8),
                    (30, 20, 3, '', null, null, 'a', null, null, null, null, null, null)""");

            // when
            ProfileEvents events = ProfileEvents.read(folder);

            // then
            assertThat(events.instructions().count()).isEqualTo(3);
            assertThat(events.instructions().total()).isEqualTo(nanos(150));
            assertThat(events.instructions().min()).isEqualTo(nanos(20));
            assertThat(events.instructions().max()).isEqualTo(nanos(100));
            assertThat(events.instructions().percentile(50)).isEqualTo(nanos(30));
            assertThat(events.instructions().spilledBytes()).hasValue(104);
            assertThat(events.byEngine().keySet()).containsExactly("Tensor", "Vector", "(none)");
            assertThat(events.byOpcode().keySet()).containsExactly("MATMUL", "COPY", "(none)");
            assertThat(events.byLayer().get("a").total()).isEqualTo(nanos(120));
            assertThat(events.byLine().keySet()).containsExactly("k.py:1", "m.py:1", "(none)");
            assertThat(events.byLine().get("k.py:1").spilledBytes()).hasValue(96);
            assertThat(events.byLine().get("(none)").spilledBytes()).isEmpty();
            assertThat(events.file()).isEqualTo(folder);
        }

        @Test
        void areOfAllPartsOfATable() {
            // given
            TableFixture.write(folder, "Instruction_0", "select 5::bigint as duration_ns, 'a' as layer");
            TableFixture.write(folder, "Instruction_1", "select 7::bigint as duration_ns, 'X' as opcode");

            // when
            ProfileEvents events = ProfileEvents.of(ProfileTables.of(folder));

            // then
            assertThat(events.byLayer().get("a").total()).isEqualTo(nanos(5));
            assertThat(events.byLayer().get("(none)").total()).isEqualTo(nanos(7));
            assertThat(events.byOpcode().get("X").total()).isEqualTo(nanos(7));
        }
    }

    private void write(String table, String select) {
        TableFixture.write(folder, table, select);
    }

    @Nested
    class Names {

        @Test
        void areKeptApartUpToABoundThoseWithMostTimeFirst() {
            // given
            write(
                    "Instruction",
                    "select range + 1 as duration_ns, 'line' || range as nki_source_location, 'e' || range % 3 as engine from range(6000)");

            // when
            ProfileEvents events = ProfileEvents.reader()
                    .query("first", EventQuery.line("line0"))
                    .read(folder);

            // then
            assertThat(events.byLine()).hasSize(5_001).containsKeys("line5999", "line1000");
            assertThat(events.byLine().get("(others)").count()).isEqualTo(1_000);
            assertThat(events.byLine().get("(others)").max()).isEqualTo(nanos(1_000));
            assertThat(events.byEngine()).hasSize(3);
            assertThat(events.matching("first").count()).isEqualTo(1);
            assertThat(events.notices())
                    .contains(
                            "source line: only the 5,000 names with most time are kept apart; 1,000 records with others are summed as (others).");
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> events.shareOfTime(EventQuery.line("line1")))
                    .withMessageContaining("Ask while it is read");
        }

        @Test
        void thatAreVeryLongAreCutAndFoundWhole() {
            // given
            write(
                    "Instruction",
                    "select unnest([1, 2]) as duration_ns, repeat('x', 256) || unnest(['1', '2']) as layer");

            // when
            ProfileEvents events = ProfileEvents.reader()
                    .query("second", EventQuery.layer("x".repeat(256) + "2"))
                    .read(folder);

            // then
            assertThat(events.byLayer()).containsOnlyKeys("x".repeat(256));
            assertThat(events.matching("second").total()).isEqualTo(nanos(2));
            assertThat(events.notices())
                    .contains(
                            "layer: 2 names were cut to their first 256 characters; those that begin alike are summed together.");
        }
    }

    @Test
    void durationsOfNoUseAreInNoSumAndSaid() {
        // given
        write("Instruction", "select unnest([5, null, -1, -2, 86400000000001])::bigint as duration_ns, 'e' as engine");

        // when
        ProfileEvents events = ProfileEvents.read(folder);

        // then
        assertThat(events.instructions().total()).isEqualTo(nanos(5));
        assertThat(events.byEngine().get("e").count()).isEqualTo(1);
        assertThat(events.longest()).hasSize(1);
        assertThat(events.notices())
                .contains(
                        "Instruction: 1 of 5 records have no duration and are in no sum.",
                        "Instruction: 2 of 5 records have a negative duration and are in no sum.",
                        "Instruction: 1 of 5 records have a duration of more than a day and are in no sum.");
    }

    @Test
    void theLongestComeFirstAndOfEquallyLongOnesThoseThatBeganFirst() {
        // given
        instructions("""
                (30::bigint, 9::bigint, 1::bigint, 'e', 'o', null, 'l', 'third', 'x', '', '', 0::bigint, 0::bigint),
                (20, 9, 3, 'e', 'o', null, 'l', 'second', 'x', '', '', 0, 0),
                (20, 9, 2, 'e', 'o', null, 'l', 'first', repeat('y', 400), '', '', 0, 0),
                (-1, 8, 4, 'e', '', 'c', 'l', 'fourth', null, '', '', 0, 0)""");

        // then
        assertThat(ProfileEvents.read(folder).longest())
                .containsExactly(
                        new InstructionEvent(
                                OptionalLong.of(20), nanos(9), "e", "o", "l", "first", "y".repeat(300) + "..."),
                        new InstructionEvent(OptionalLong.of(20), nanos(9), "e", "o", "l", "second", "x"),
                        new InstructionEvent(OptionalLong.of(30), nanos(9), "e", "o", "l", "third", "x"),
                        new InstructionEvent(OptionalLong.empty(), nanos(8), "e", "c", "l", "fourth", ""));
    }

    @Nested
    class Transfers {

        @Test
        void arePacketsByQueueOrElseByItsNumber() {
            // given
            write(
                    "DmaPacket",
                    "select unnest([10, 20, 30])::bigint as duration_ns, unnest(['q', null, '']) as queue_name, 7::bigint as queue_idx");
            write("DmaPacketAggregated", "select 1::bigint as duration_ns, 'q' as queue_name");

            // when
            ProfileEvents events = ProfileEvents.read(folder);

            // then
            assertThat(events.dma().total()).isEqualTo(nanos(60));
            assertThat(events.dmaByQueue().keySet()).containsExactly("7", "q");
            assertThat(events.dma().spilledBytes()).isEmpty();
            assertThat(events.notices()).noneMatch(notice -> notice.startsWith("DmaPacket"));
        }

        @Test
        void areWhatPacketsWerePutTogetherToWhereThereAreNone() {
            // given
            write("DmaPacketAggregated", "select 15::bigint as duration_ns, 'q' as queue_name, 1::bigint as queue_idx");

            // when
            ProfileEvents events = ProfileEvents.read(folder);

            // then
            assertThat(events.dmaByQueue().get("q").total()).isEqualTo(nanos(15));
            assertThat(events.notices())
                    .contains(
                            "DmaPacket: the table is not there. The transfers are those of DmaPacketAggregated, each of one or more packets.");
        }
    }

    @Nested
    class SummaryNumbers {

        @Test
        void areThoseOfTheRowAndNullIsAbsent() {
            // given
            write(
                    "Summary",
                    "select 0.1::float as total_time, 12::bigint as trace_count, null::double as mfu, 'nan'::double as hfu, 'x' as name");

            // when
            ProfileEvents events = ProfileEvents.read(folder);

            // then
            assertThat(events.summaryNumbers()).containsExactly(entry("total_time", 0.1), entry("trace_count", 12.0));
            assertThat(events.notices()).contains("Summary: 1 numbers are not finite and left out.");
        }

        @Test
        void areOfTheFirstOfSeveralRows() {
            // given
            write("Summary", "select unnest([5, 6]) as trace_count");

            // then
            assertThat(ProfileEvents.read(folder).notices()).contains("Summary: the first of several rows is taken.");
        }
    }

    @Test
    void warningsOfTheToolAreKept() {
        // given
        write(
                "Warning",
                "select 'Missing Data' as category, 'Notification ' || range || ' dropped' as message from range(120)");

        // when
        ProfileEvents events = ProfileEvents.read(folder);

        // then
        assertThat(events.warnings())
                .hasSize(100)
                .allMatch(warning -> warning.startsWith("Missing Data: Notification"));
        assertThat(events.notices()).contains("Warning: the first 100 of 120 are kept.");
    }

    @Nested
    class WhatIsNotThere {

        @Test
        void isSaid() {
            // given
            write("Metadata", "select '7.4.0' as profile_schema_version");

            // when
            ProfileEvents events = ProfileEvents.read(folder);

            // then
            assertThat(events.instructions().count()).isZero();
            assertThat(events.notices())
                    .containsExactly(
                            "Instruction: no record is there, which says nothing about the device. Was the profile viewed with --ignore-instruction-trace?",
                            "DmaPacket: no record is there, which says nothing about the device. Was the profile viewed with --ignore-dma-trace?",
                            "Summary: the table is not there.");
            assertThatExceptionOfType(NoSuchElementException.class)
                    .isThrownBy(() -> events.shareOfTime("transposes"))
                    .withMessageContaining("has no instruction that took any time");
        }

        @Test
        void isWhatATableWithoutRowsHas() {
            // given
            write("Instruction", "select 1::bigint as duration_ns, 'e' as engine, 'o' as opcode where false");

            // when
            ProfileEvents events = ProfileEvents.read(folder);

            // then
            assertThat(events.instructions().count()).isZero();
            assertThat(events.byEngine()).isEmpty();
            assertThat(events.longest()).isEmpty();
            assertThat(events.notices()).anyMatch(notice -> notice.startsWith("Instruction: no record is there"));
        }

        @Test
        void ifAColumnIsNoAnswer() {
            // given
            write("Metadata", "select '13.0.0' as profile_schema_version");
            write("Instruction", "select 5::bigint as duration_ns, 'e' as engine, 'o' as opcode, 'x' as level");

            // when
            ProfileEvents events = ProfileEvents.reader()
                    .query("attention", EventQuery.layerContains("attention"))
                    .read(folder);

            // then
            assertThat(events.byLayer()).containsOnlyKeys("(none)");
            assertThat(events.notices())
                    .anyMatch(notice -> notice.startsWith("Instruction: no column compiler_opcode,")
                            && notice.contains(" layer, ")
                            && notice.endsWith("The tables follow schema 13.0.0; known are 12.0.1 and 7.4.0."));
            for (EventQuery query : List.of(
                    EventQuery.layerContains("attention"),
                    EventQuery.layer("a"),
                    EventQuery.engine("e").and(EventQuery.line("x")))) {
                assertThatExceptionOfType(NoSuchElementException.class)
                        .isThrownBy(() -> events.shareOfTime(query))
                        .withMessageContaining("cannot be answered from " + folder)
                        .withMessageContaining("the table Instruction has no column ");
            }
            assertThat(events.shareOfTime("transposes")).isZero();
            assertThat(events.toText()).contains("attention: no share of the instruction time");
            assertThat(events.toJson()).doesNotContain("NaN");
        }

        @Test
        void isKnownToBeEmptyWhereTheSchemaOfTheTablesNamesIt() {
            // given
            write("Instruction", "select 5::bigint as duration_ns, 'e' as engine, 'o' as opcode");
            write(
                    "SchemaFields",
                    "select 'Instruction' as table_name, 'layer' as field_name, 'string' as field_type, null as field_format, null as field_unit");

            // then
            assertThat(ProfileEvents.read(folder).shareOfTime(EventQuery.layer("a")))
                    .isZero();
        }
    }

    @Nested
    class BrokenTables {

        private TablesException.Kind failure(String message) {
            ProfileEventsException failure =
                    catchThrowableOfType(ProfileEventsException.class, () -> ProfileEvents.read(folder));
            assertThat(failure).hasMessageContaining(message).hasMessageContaining(folder.toString());
            assertThat(failure.byteOffset()).isEmpty();
            assertThat(failure.partial().toText()).contains("instructions: none");
            return ((TablesException) failure.getCause()).kind();
        }

        @ParameterizedTest
        @CsvSource({
            "duration_ns, '5', VARCHAR, whole numbers (BIGINT)",
            "duration_ns, 5.0::double, DOUBLE, whole numbers (BIGINT)",
            "spill_save_bytes, true, BOOLEAN, whole numbers (BIGINT)",
            "engine, 3, INTEGER, text (VARCHAR)",
            "nki_source_location, ['x'], VARCHAR[], text (VARCHAR)"
        })
        void withAColumnOfAnotherType(String column, String value, String type, String expected) {
            // given
            write("Instruction", "select %s as %s".formatted(value.equals("5") ? "'5'" : value, column));

            // then
            assertThat(failure("The column %s of the table Instruction in %s has the type %s. Expected %s"
                            .formatted(column, folder, type, expected)))
                    .isEqualTo(TablesException.Kind.BROKEN);
        }

        @Test
        void thatAreCutShort() throws IOException {
            // given
            write("Instruction", "select 1::bigint as duration_ns");
            Path file = folder.resolve("Instruction.parquet");
            Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 100));

            // then
            assertThat(failure("The table Instruction in ")).isEqualTo(TablesException.Kind.BROKEN);
        }

        @Test
        void thatAreOfTwoRuns() {
            // given
            write("Instruction", "select 1::bigint as duration_ns");
            write("Instruction_0", "select 1::bigint as duration_ns");

            // then
            assertThat(failure("the files of another run are among them")).isEqualTo(TablesException.Kind.BROKEN);
        }

        @Test
        void doNotHarmWhereTheyAreNotAskedFor() throws IOException {
            // given
            write("Instruction", "select 1::bigint as duration_ns");
            Files.writeString(folder.resolve("PendingDma.parquet"), "PAR1PAR1");

            // then
            assertThat(ProfileEvents.read(folder).instructions().count()).isEqualTo(1);
        }
    }

    @Test
    void readsNumbersOfOtherWidths() {
        // given
        write(
                "Instruction",
                "select 5::integer as duration_ns, 6::ubigint as spill_save_bytes, 18446744073709551615::ubigint as spill_reload_bytes, 7::smallint as start_ts");

        // when
        ProfileEvents events = ProfileEvents.read(folder);

        // then
        assertThat(events.instructions().total()).isEqualTo(nanos(5));
        assertThat(events.instructions().spilledBytes()).hasValue(6);
        assertThat(events.longest().get(0).timestampNanos()).hasValue(7);
    }

    @Test
    void saysThatItWasInterrupted() {
        // given
        write("Instruction", "select 1::bigint as duration_ns");

        // when
        Thread.currentThread().interrupt();

        // then
        assertThatExceptionOfType(ProfileEventsException.class)
                .isThrownBy(() -> ProfileEvents.read(folder))
                .withMessageContaining("was interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }
}
