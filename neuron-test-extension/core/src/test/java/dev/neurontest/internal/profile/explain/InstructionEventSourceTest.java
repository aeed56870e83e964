package dev.neurontest.internal.profile.explain;

import static dev.neurontest.profile.EventsFixture.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.internal.profile.KeptEvents;
import dev.neurontest.internal.profile.table.TableFixture;
import dev.neurontest.profile.EventRow;
import dev.neurontest.profile.Grouping;
import dev.neurontest.profile.MeasuredFixture;
import dev.neurontest.profile.ProfileEvents;
import dev.neurontest.profile.ProfileEventsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstructionEventSourceTest {

    @TempDir
    Path folder;

    private Path tables(String name) throws IOException {
        Path tables = Files.createDirectories(folder.resolve(name));
        TableFixture.write(
                tables,
                "Instruction_0",
                "select range * 10 as start_ts, 'Tensor' as engine, 'MATMUL' as opcode, 'm/attention' as layer,"
                        + " 10::bigint as duration_ns from range(100)");
        TableFixture.write(
                tables, "Metadata", "select '7.4.0' as profile_schema_version, 'trn2.48xlarge' as instance_type");
        TableFixture.write(tables, "Summary", "select 1.5e-6::float as total_time");
        return tables;
    }

    private Path fullJson(String name) throws IOException {
        return Files.writeString(folder.resolve(name), """
                {"instruction": [{"timestamp": 1, "duration": 1500, "label": "Tensor", "opcode": "MATMUL", "layer": "m/attention"}],
                 "summary": [{"total_time": 0.0000015}]}
                """);
    }

    private Path kept(String name) throws IOException {
        return Files.writeString(
                folder.resolve(name),
                KeptEvents.write(events().engine("Tensor", 12, 3).made()));
    }

    @Test
    void tableSumsEqualSumsOfTheirEvents() throws IOException {
        // given
        Path tables = Files.createDirectories(folder.resolve("odd"));
        TableFixture.write(tables, "Instruction", """
                select ['Tensor', '', null][1 + range %% 3] as engine, nullif('op' || range %% 7, 'op3') as opcode, 'c' as compiler_opcode,
                    'layer' || range %% 11 as layer, nullif('k.py:' || range %% 5, 'k.py:2') as nki_source_location,
                    'b.py:1' as bir_debug_info_source_location,
                    case when range %% 13 = 0 then -5 when range %% 17 = 0 then null else range end::bigint as duration_ns,
                    case when range %% 4 = 0 then range when range %% 4 = 1 then -1 end::bigint as spill_save_bytes,
                    range::bigint as spill_reload_bytes from range(1000)""".replace("%%", "%"));
        TableFixture.write(
                tables,
                "DmaPacket",
                "select nullif('q' || range % 3, 'q1') as queue_name, 7::bigint as queue_idx, range as duration_ns from range(50)");
        TableFixture.write(tables, "Summary", "select 0.017::float as total_time, 4096::bigint as spill_save_bytes");

        // when
        ProfileEvents events = InstructionEventSource.find(tables).events();

        // then
        assertThat(events.rows()).isEqualTo(withoutPercentiles(ProfileEvents.read(tables)));
        assertThat(events.rows(Grouping.LAYER)).hasSize(11);
    }

    private static List<EventRow> withoutPercentiles(ProfileEvents events) {
        return events.rows().stream()
                .map(row -> new EventRow(row.by(), row.name(), row.nanos(), row.count(), row.spilledBytes()))
                .toList();
    }

    @Test
    void readsTables() throws IOException {
        // when
        ProfileEvents events = InstructionEventSource.find(tables("x-tables")).events();

        // then
        assertThat(events.rows(Grouping.LAYER))
                .containsExactly(new EventRow(Grouping.LAYER, "m/attention", 1000, 100, OptionalLong.empty()));
        assertThat(events.executionNanos()).hasValue(1500);
        assertThat(events.about())
                .containsEntry("schema", "7.4.0")
                .containsEntry("instance", "trn2.48xlarge")
                .containsEntry("format", "tables");
    }

    @Test
    void refusesTablesOfInterruptedView() throws IOException {
        // given
        Path tables = tables("x-tables");
        Files.delete(tables.resolve("Summary.parquet"));

        // then
        assertThatExceptionOfType(ProfileEventsException.class)
                .isThrownBy(() -> InstructionEventSource.find(tables).events())
                .withMessage(
                        "%s has no table Summary, which every trace has. Its tables are Instruction, Metadata: the view was ended, or processed only a part."
                                .formatted(tables));
    }

    @Test
    void readsAFullJson() throws IOException {
        // when
        ProfileEvents events =
                InstructionEventSource.find(fullJson("profile.json")).events();

        // then
        assertThat(events.nanos(Grouping.ENGINE)).isEqualTo(1500);
        assertThat(events.executionNanos()).hasValue(1500);
    }

    @Test
    void readsKeptEvents() throws IOException {
        // then
        assertThat(InstructionEventSource.find(kept("a.events.json")).events().nanos(Grouping.ENGINE))
                .isEqualTo(12_000);
    }

    @Test
    void findsTablesOfOnlyTraceBelowFolder() throws IOException {
        // given
        fullJson("x.json");
        Files.writeString(folder.resolve("x.ntff"), "");
        Path tables = tables("x-tables");

        // then: both are of one trace
        assertThat(InstructionEventSource.find(folder).path()).isEqualTo(tables);
    }

    @Test
    void refusesFolderWithSeveralProfilesAndNamesThem() throws IOException {
        // given
        Path one = tables("a/x-tables");
        Path other = kept("b.events.json");

        // then
        assertThatExceptionOfType(ProfileEventsException.class)
                .isThrownBy(() -> InstructionEventSource.find(folder))
                .withMessage("%s contains the events of 2 profiles. Choose one of them:\n  %s\n  %s"
                        .formatted(folder, one, other));
    }

    @Test
    void refusesFolderWithoutEventsAndNamesExpectation() {
        // then
        assertThatExceptionOfType(ProfileEventsException.class)
                .isThrownBy(() -> InstructionEventSource.find(folder))
                .withMessageStartingWith(
                        folder + " contains no events of a profile. Expected the folder that the profiler's view wrote")
                .withMessageEndingWith("Tests keep tables with @ProfileNeff(tables = true).");
        assertThatExceptionOfType(ProfileEventsException.class)
                .isThrownBy(() -> InstructionEventSource.find(folder.resolve("none")))
                .withMessageStartingWith("There is no file or folder " + folder.resolve("none"));
    }

    @Test
    void refusesSingleTableAndRequiresItsFolder() throws IOException {
        // given
        Path table = tables("x-tables").resolve("Summary.parquet");

        // then
        assertThatExceptionOfType(ProfileEventsException.class)
                .isThrownBy(() -> InstructionEventSource.find(table))
                .withMessageContaining("is one table")
                .withMessageEndingWith("use its folder.");
    }

    @Test
    void refusesTruncatedJson() throws IOException {
        // given
        Path cut = Files.writeString(folder.resolve("cut.json"), "{\"instruction\": [{\"duration\": 1");

        // then
        assertThatExceptionOfType(ProfileEventsException.class)
                .isThrownBy(() -> InstructionEventSource.find(cut).events())
                .withMessageContaining("cut.json is readable only until byte");
    }

    @Test
    void refusesBrokenKeptEventsWithPosition() throws IOException {
        // given
        Path broken =
                Files.writeString(folder.resolve("b.events.json"), "{\"kind\": \"event-shares\", \"version\": \"x\"}");

        // then
        assertThatExceptionOfType(ProfileEventsException.class)
                .isThrownBy(() -> InstructionEventSource.find(broken).events())
                .withMessage(
                        "%s: line 1, /version: is \"x\", expected a whole number. Restore the file from version control, or accept the baseline again to create it.",
                        broken);
    }

    @Test
    void usesExecutionClosestToMedianOfProfile() throws IOException {
        // given: the median is 17 ms, and the first one has no events
        MeasuredFixture profile = MeasuredFixture.in(folder)
                .and("total_time", 0.017)
                .and("total_time", 0.05)
                .and("total_time", 0.0171)
                .and("total_time", 0.001);
        fullJson("profile_exec_2.json");
        Path nearest = fullJson("profile_exec_3.json");

        // when
        InstructionEventSource source =
                InstructionEventSource.of(profile.profile()).orElseThrow();

        // then
        assertThat(source.path()).isEqualTo(nearest);
        assertThat(source.events().about()).containsKeys("tool", "capture", "throttling", "format");
    }

    @Test
    void isAbsentForProfileWithoutEvents() {
        // then
        assertThat(InstructionEventSource.of(
                        MeasuredFixture.in(folder).and("total_time", 0.017).profile()))
                .isEmpty();
    }
}
