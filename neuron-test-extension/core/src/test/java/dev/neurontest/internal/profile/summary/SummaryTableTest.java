package dev.neurontest.internal.profile.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.internal.profile.Throttling;
import dev.neurontest.internal.profile.table.TableFixture;
import dev.neurontest.profile.ProfileSummary;
import dev.neurontest.profile.ProfileTables;
import dev.neurontest.profile.TablesException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SummaryTableTest {

    private static final String SHARE = "throttle_activity_1_active_time_nc4_percent";

    @TempDir
    Path folder;

    @BeforeEach
    void tables() {
        write("Instruction", "select 1::bigint as duration_ns");
        write(
                "Summary",
                "select 0.001::float as total_time, 7::bigint as trace_count, null::bigint as hardware_flops, 'nan'::double as mfu_estimated_percent");
    }

    private void write(String table, String select) {
        TableFixture.write(folder, table, select);
    }

    private SummaryTable read() {
        return SummaryTable.read(ProfileTables.of(folder));
    }

    private ProfileSummary summary() {
        return read().summaries().get(0);
    }

    private void throttling(String rows) {
        write("ThrottleSummary", """
                select * from (values %s) as t(nc_idx, throttle_type, throttle_active_time_ns,
                    throttle_active_time_percent, max_achievable_util_with_throttling_percent)""".formatted(rows));
    }

    @Test
    void readsNumbersByMetricName() {
        // then
        assertThat(summary().number("total_time"))
                .as("as it was meant, not as a float")
                .hasValue(0.001);
        assertThat(summary().number("trace_count")).hasValue(7);
    }

    @Test
    void treatsNullAsAbsent() {
        // then
        assertThat(summary().values()).doesNotContainKey("hardware_flops");
        assertThat(summary().oddity("hardware_flops")).isEmpty();
    }

    @Test
    void reportsNaNAsOddity() {
        // then
        assertThat(summary().number("mfu_estimated_percent")).isEmpty();
        assertThat(summary().oddity("mfu_estimated_percent")).contains("NaN");
    }

    @Test
    void readsNumberWrittenAsText() {
        // given
        write("Summary", "select '0.25' as total_time, 'long' as total_active_time");

        // then
        assertThat(summary().number("total_time")).hasValue(0.25);
        assertThat(summary().oddity("total_active_time")).contains("long");
    }

    @Test
    void readsTextsFromMetadata() {
        // given
        write(
                "Metadata",
                "select '7.4.0' as profile_schema_version, 2 as num_physical_cores, 'trn2.48xlarge' as instance_type, null::varchar as driver_version");

        // then
        assertThat(summary().text("profile_schema_version")).contains("7.4.0");
        assertThat(summary().text("num_physical_cores")).contains("2");
        assertThat(summary().text("instance_type")).contains("trn2.48xlarge");
        assertThat(summary().values()).doesNotContainKey("driver_version");
    }

    @Test
    void usesNetworkNameAsKey() {
        // given
        write("NeffHeader", "select 'resnet50' as network_name, 'a001' as uuid");

        // then
        assertThat(summary().key()).isEqualTo("resnet50");
        assertThat(read().uuid()).contains("a001");
    }

    @Test
    void countsThrottlingKnownOnlyByItsShare() {
        // given
        throttling("(4, 'activity_1', 270, 0.27, 0.865), (4, 'all', 270, 0.27, 0.865)");

        // then
        assertThat(summary().number(SHARE)).hasValue(0.27);
        assertThat(summary().values()).doesNotContainKey(Throttling.limit(SHARE));
        assertThat(Throttling.all(summary()))
                .as("all limits together are no limit")
                .containsOnlyKeys(SHARE);
        assertThat(Throttling.of(summary()).orElseThrow().value()).isEqualTo(0.27);
    }

    @Test
    void isNotThrottledWhenFullUtilizationIsReachable() {
        // given
        throttling("(4, 'activity_1', 290, 0.29, 1.0)");

        // then
        assertThat(Throttling.of(summary())).isEmpty();
    }

    @Test
    void isThrottledWhenOnlyTotalRowShowsIt() {
        // given
        throttling("(4, 'all', 270, 0.27, 0.9), (5, 'activity_0', 10, 0.01, 1.0)");

        // then
        assertThat(Throttling.of(summary()).orElseThrow().value()).isEqualTo(0.27);
    }

    @Test
    void isThrottledWhenOneOfTwoRowsShowsIt() {
        // given
        throttling("(4, 'activity_1', 270, 0.27, 0.9), (4, 'Activity 1', 10, 0.01, 1.0)");

        // then
        assertThat(Throttling.of(summary()).orElseThrow().value()).isEqualTo(0.27);
    }

    @Test
    void reportsNullShareAsOddity() {
        // given
        throttling("(4, 'activity_1', null::bigint, null::float, null::float)");

        // then
        assertThat(summary().oddity(SHARE)).contains("NULL");
    }

    @Test
    void reportsThrottlingOfOtherSchemaAsOddity() {
        // given
        write("ThrottleSummary", "select 4 as core, 0.5 as share");

        // then
        assertThat(summary().oddities())
                .contains("throttle_unknown_active_time_nc0_percent: ThrottleSummary has no column nc_idx");
    }

    @Test
    void findsLostNotificationsAndErrorsOfTheDevice() {
        // given
        write(
                "Warning",
                "select * from (values ('Notification from block NC of type INSTRUCTION were dropped.', 'Missing Data'), ('Missing HLO stats', 'Other')) as t(message, category)");
        write(
                "Error",
                "select * from (values ('parity', 1, 'Errors'), ('mark', 2, 'Custom Notification')) as t(description, error_type_id, type)");

        // then
        assertThat(read().warnings())
                .containsExactly("Missing HLO stats", "Notification from block NC of type INSTRUCTION were dropped.");
        assertThat(read().errors()).containsExactly("parity");
        assertThat(read().notices()).isEmpty();
    }

    @Test
    void reportsTableThatCannotBeRead() {
        // given
        write("Warning", "select 'lost' as text");

        // then
        assertThat(read().notices())
                .singleElement()
                .asString()
                .startsWith("The table Warning was not read: ")
                .contains("message");
    }

    @Test
    void readsOneSummaryForEachExecution() {
        // given
        write("Summary", "select range * 0.5 + 0.5 as total_time from range(2)");
        write("ExecutionInfo", "select range as execution_index from range(2)");

        // then
        assertThat(read().problems()).isEmpty();
        assertThat(read().summaries()).extracting(ProfileSummary::key).containsExactly("[0]", "[1]");
    }

    @Test
    void reportsMoreRowsThanExecutions() {
        // given
        write("Summary", "select range * 0.5 + 0.5 as total_time from range(2)");
        write("ExecutionInfo", "select range as execution_index from range(1)");

        // then
        assertThat(read().problems())
                .containsExactly(
                        "Summary has 2 rows, expected one, and the number of executions in ExecutionInfo is 1");
    }

    @Test
    void refusesSummaryWithoutNumbers() {
        for (String nothing : List.of(
                "select 0.1 as total_time where false", "select null::double as total_time, 'x' as instance_type")) {
            // given
            write("Summary", nothing);

            // then
            assertThatExceptionOfType(SummaryException.class)
                    .isThrownBy(this::read)
                    .withMessageContaining("The table Summary contains no number of the trace.");
        }
    }

    @Test
    void refusesTablesWithoutInstructions() throws IOException {
        // given
        Files.delete(folder.resolve("Instruction.parquet"));

        // then
        assertThatExceptionOfType(TablesException.class)
                .isThrownBy(this::read)
                .withMessageContaining("has no table Instruction, which every trace has. Its tables are Summary:");
    }

    @Test
    void refusesTruncatedTable() throws IOException {
        // given
        write("CcOp", "select 1 as start_ts");
        Path cut = folder.resolve("CcOp.parquet");
        byte[] whole = Files.readAllBytes(cut);
        Files.write(cut, Arrays.copyOf(whole, whole.length / 2));

        // then
        assertThatExceptionOfType(TablesException.class)
                .isThrownBy(this::read)
                .withMessageContaining("The table CcOp in ");
    }
}
