package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.internal.profile.table.TableFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventTablesTest {

    @TempDir
    Path folder;

    private void write(String table, String select) {
        TableFixture.write(folder, table, select);
    }

    private static List<String> names(ProfileEvents events, Grouping by) {
        return events.rows(by).stream().map(EventRow::name).toList();
    }

    @Test
    void sumsInstructionsByEngineOpcodeLayerAndLine() {
        // given
        write("Instruction", """
                select * from (values
                    (100::bigint, 'Tensor', 'MATMUL', 'X', 'REGULAR', 'a', 'k.py:1', 'm.py:1', 64::bigint, 32::bigint),
                    (50, 'Tensor', '', 'PE_Transpose', '', 'b', '', 'm.py:1', -1, null),
                    (20, '', 'COPY', 'PE_Transpose', null, null, null, null, null, 8))
                t(duration_ns, engine, opcode, compiler_opcode, tensor_instruction_type, layer, nki_source_location, bir_debug_info_source_location,
                    spill_save_bytes, spill_reload_bytes)""");

        // when
        ProfileEvents events = ProfileEvents.read(folder);

        // then
        assertThat(events.rows(Grouping.ENGINE))
                .containsExactly(
                        new EventRow(
                                Grouping.ENGINE,
                                "Tensor",
                                150,
                                2,
                                OptionalLong.of(96),
                                Optional.of(new EventRow.Percentiles(50, 100, 100))),
                        new EventRow(
                                Grouping.ENGINE,
                                "(none)",
                                20,
                                1,
                                OptionalLong.of(8),
                                Optional.of(new EventRow.Percentiles(20, 20, 20))));
        assertThat(names(events, Grouping.OPCODE)).containsExactly("MATMUL", "PE_Transpose");
        assertThat(names(events, Grouping.LAYER)).containsExactly("a", "b", "(none)");
        assertThat(names(events, Grouping.LINE)).containsExactly("k.py:1", "m.py:1", "(none)");
        assertThat(events.shareOfTime(EventQuery.transposes())).isEqualTo(70 / 170.0);
    }

    @Test
    void countsMatrixMultiplicationsThatTransposeAsTransposes() {
        // given
        write("Instruction", """
                select * from (values
                    (100::bigint, 'MATMUL', 'REGULAR'), (30, 'MATMUL', 'TRANSPOSE'), (20, 'LDWEIGHTS', 'REGULAR'), (50, 'COPY', null))
                t(duration_ns, opcode, tensor_instruction_type)""");

        // when
        ProfileEvents events = ProfileEvents.read(folder);

        // then
        assertThat(names(events, Grouping.OPCODE)).containsExactly("MATMUL", "COPY", "TRANSPOSE", "LDWEIGHTS");
        assertThat(events.shareOfTime(EventQuery.transposes())).isEqualTo(30 / 200.0);
        assertThat(events.shareOfTime(EventQuery.of(Grouping.OPCODE, "MATMUL"))).isEqualTo(100 / 200.0);
    }

    @Test
    void keepsNamesWithMostTimeApartUpToBound() {
        // given
        write(
                "Instruction",
                "select range + 1 as duration_ns, 'line' || range as nki_source_location, 'e' || range % 3 as engine from range(6000)");

        // when
        ProfileEvents events = ProfileEvents.read(folder);

        // then
        assertThat(names(events, Grouping.LINE)).hasSize(5_001).contains("line5999", "line1000", "(others)");
        assertThat(events.rows(Grouping.LINE))
                .filteredOn(row -> row.name().equals("(others)"))
                .extracting(EventRow::count)
                .containsExactly(1_000L);
        assertThat(events.rows(Grouping.ENGINE)).hasSize(3);
        assertThat(events.notices())
                .contains(
                        "source line: only 5,000 names are kept apart; 1,000 records with others are summed as (others).");
    }

    @Test
    void reportsUnusableDurations() {
        // given
        write("Instruction", "select unnest([5, null, -1, -2, 86400000000001])::bigint as duration_ns, 'e' as engine");

        // when
        ProfileEvents events = ProfileEvents.read(folder);

        // then
        assertThat(events.nanos(Grouping.ENGINE)).isEqualTo(5);
        assertThat(events.notices())
                .contains(
                        "Instruction: 4 of 5 records have no duration, or a duration that is negative, not finite or longer than a day. They are excluded from all sums.");
    }

    @Test
    void sumsPacketsByQueueNameOrNumber() {
        // given
        write(
                "DmaPacket",
                "select unnest([10, 20, 30])::bigint as duration_ns, unnest(['q', null, '']) as queue_name, 7::bigint as queue_idx");
        write("DmaPacketAggregated", "select 1::bigint as duration_ns, 'q' as queue_name");

        // when
        ProfileEvents events = ProfileEvents.read(folder);

        // then
        assertThat(events.nanos(Grouping.QUEUE)).isEqualTo(60);
        assertThat(names(events, Grouping.QUEUE)).containsExactly("7", "q");
        assertThat(events.notices()).noneMatch(notice -> notice.startsWith("DmaPacket"));
    }

    @Test
    void sumsAggregatedPacketsWithoutSinglePackets() {
        // given
        write("DmaPacketAggregated", "select 15::bigint as duration_ns, 'q' as queue_name, 1::bigint as queue_idx");

        // when
        ProfileEvents events = ProfileEvents.read(folder);

        // then
        assertThat(events.nanos(Grouping.QUEUE)).isEqualTo(15);
        assertThat(events.notices())
                .contains(
                        "DmaPacket: the table is missing. The transfers are those of DmaPacketAggregated, each of one or more packets.");
    }

    @Test
    void readsExecutionTimeSpillAndWarnings() {
        // given
        write(
                "Summary",
                "select 0.017::float as total_time, unnest([5, 6]) as spill_save_bytes, 'nan'::double as spill_reload_bytes, 'x' as name");
        write("Warning", "select 'Missing Data' as category, unnest(['lost', 'lost']) as message");

        // when
        ProfileEvents events = ProfileEvents.read(folder);

        // then
        assertThat(events.executionNanos()).hasValue(17_000_000);
        assertThat(events.spilledBytes()).hasValue(5);
        assertThat(events.notices())
                .contains("Summary: the first of several rows is used.", "The tool warns: Missing Data: lost")
                .doesNotHaveDuplicates();
    }

    @Nested
    class MissingData {

        @Test
        void isReportedForEachTable() {
            // given
            write("Metadata", "select '7.4.0' as profile_schema_version");

            // when
            ProfileEvents events = ProfileEvents.read(folder);

            // then
            assertThat(events.rows()).isEmpty();
            assertThat(events.about()).containsExactly(Map.entry("schema", "7.4.0"));
            assertThat(events.notices())
                    .containsExactly(
                            "Instruction: there are no records, so nothing is known about the device. Was the profile viewed with --ignore-instruction-trace?",
                            "DmaPacket: there are no records, so nothing is known about the device. Was the profile viewed with --ignore-dma-trace?",
                            "Summary: the table is missing.");
        }

        @Test
        void isReportedForTableWithoutRows() {
            // given
            write("Instruction", "select 1::bigint as duration_ns, 'e' as engine, 'o' as opcode where false");

            // then
            assertThat(ProfileEvents.read(folder).rows()).isEmpty();
            assertThat(ProfileEvents.read(folder).notices())
                    .anyMatch(notice -> notice.startsWith("Instruction: there are no records"));
        }

        @Test
        void failsQueryOfMissingColumn() {
            // given
            write("Metadata", "select '13.0.0' as profile_schema_version");
            write("Instruction", "select 5::bigint as duration_ns, 'e' as engine, 'o' as opcode, 'x' as level");

            // when
            ProfileEvents events = ProfileEvents.read(folder);

            // then
            assertThat(names(events, Grouping.LAYER)).containsExactly("(none)");
            assertThat(events.notices())
                    .anyMatch(notice -> notice.startsWith("Instruction: no column ")
                            && notice.contains("layer")
                            && notice.endsWith(
                                    "The tables follow schema 13.0.0; columns are looked up by their names in 7.4.0."));
            assertThatExceptionOfType(NoSuchElementException.class)
                    .isThrownBy(() -> events.shareOfTime(EventQuery.containing(Grouping.LAYER, "attention")))
                    .withMessageContaining("cannot be answered from " + folder);
            assertThat(events.shareOfTime(EventQuery.transposes())).isZero();
        }
    }

    @Nested
    class BrokenTables {

        private void refused(String message) {
            assertThatExceptionOfType(TablesException.class)
                    .isThrownBy(() -> ProfileEvents.read(folder))
                    .withMessageContaining(message)
                    .withMessageContaining(folder.toString())
                    .satisfies(failure -> assertThat(failure.kind()).isEqualTo(TablesException.Kind.BROKEN));
        }

        @ParameterizedTest
        @CsvSource({
            "duration_ns, '5', VARCHAR, whole numbers (BIGINT)",
            "duration_ns, 5.0::double, DOUBLE, whole numbers (BIGINT)",
            "spill_save_bytes, true, BOOLEAN, whole numbers (BIGINT)",
            "engine, 3, INTEGER, text (VARCHAR)",
            "nki_source_location, ['x'], VARCHAR[], text (VARCHAR)"
        })
        void areRefusedForWrongColumnType(String column, String value, String type, String expected) {
            // given
            write("Instruction", "select %s as %s".formatted(value.equals("5") ? "'5'" : value, column));

            // then
            refused("The column %s of the table Instruction in %s has the type %s. Expected %s"
                    .formatted(column, folder, type, expected));
        }

        @Test
        void areRefusedWhenCutShort() throws IOException {
            // given
            write("Instruction", "select 1::bigint as duration_ns");
            Path file = folder.resolve("Instruction.parquet");
            Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 100));

            // then
            refused("The table Instruction in ");
        }

        @Test
        void areRefusedWithFilesOfTwoRuns() {
            // given
            write("Instruction", "select 1::bigint as duration_ns");
            write("Instruction_0", "select 1::bigint as duration_ns");

            // then
            refused("the files of another run are among them");
        }

        @Test
        void areIgnoredWhenNotRead() throws IOException {
            // given
            write("Instruction", "select 1::bigint as duration_ns");
            Files.writeString(folder.resolve("PendingDma.parquet"), "PAR1PAR1");

            // then
            assertThat(ProfileEvents.read(folder).count(Grouping.ENGINE)).isEqualTo(1);
        }
    }

    @Test
    void readsNumbersOfOtherWidths() {
        // given
        write(
                "Instruction",
                "select 5::integer as duration_ns, 6::ubigint as spill_save_bytes, 18446744073709551615::ubigint as spill_reload_bytes");

        // then
        assertThat(ProfileEvents.read(folder).rows(Grouping.ENGINE))
                .extracting(EventRow::nanos, EventRow::spilledBytes)
                .containsExactly(tuple(5L, OptionalLong.of(6)));
    }
}
