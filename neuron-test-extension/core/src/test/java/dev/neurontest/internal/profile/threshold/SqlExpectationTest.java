package dev.neurontest.internal.profile.threshold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.JudgementText;
import dev.neurontest.internal.judgement.MeasuredTest;
import dev.neurontest.internal.profile.report.ProfilePicture;
import dev.neurontest.internal.profile.table.RowsExpectation;
import dev.neurontest.metric.Fraction;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.MeasuredFixture;
import dev.neurontest.profile.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

class SqlExpectationTest {

    private static final String TRANSPOSES = "select sum(duration_ns) from instruction where opcode = 'Transpose'";

    private static final String SCHEMA = """
            select * from (values ('Warning', 'category', 'string', null, null), ('Warning', 'message', 'string', null, null),
                ('ThrottleSummary', 'nc_idx', 'integer', 'int32', null), ('ThrottleSummary', 'throttle_type', 'string', null, null),
                ('ThrottleSummary', 'throttle_active_time_percent', 'number', 'float', null),
                ('ThrottleSummary', 'max_achievable_util_with_throttling_percent', 'number', 'float', null),
                ('Error', 'type', 'string', null, null), ('Error', 'description', 'string', null, null),
                ('Error', 'error_type_id', 'integer', 'int32', null))
            as t(table_name, field_name, field_type, field_format, field_unit)""";

    @TempDir
    Path folder;

    private static String transposes(long nanoseconds) {
        return "select 'Transpose' as opcode, %s::bigint as duration_ns union all select 'MATMUL', 9000000"
                .formatted(nanoseconds);
    }

    private static SqlExpectation limit(String sql, String max) {
        return new SqlExpectation(sql, sql, RowsExpectation.within(max, ""), "@ProfileSql(…)");
    }

    private static String text(SqlExpectation threshold, Profile profile) {
        Judgement found = threshold.judge(profile);
        return new JudgementText(found).found() + new JudgementText(found).explained();
    }

    @Test
    void isKeptByANumberWithinItsLimits() {
        // given
        Profile profile = MeasuredFixture.in(folder)
                .and()
                .table("Instruction", transposes(1_500_000))
                .profile();

        // then
        assertThat(limit(TRANSPOSES, "1.5 ms").judge(profile)).isEqualTo(Judgement.NOTHING);
    }

    @Test
    void isViolatedByWorstExecutionAndNamesIt() {
        // given
        Profile profile = MeasuredFixture.in(folder)
                .rank(0)
                .table("Instruction", transposes(1_400_000))
                .rank(0)
                .table("Instruction", transposes(1_600_000))
                .rank(1)
                .table("Instruction", transposes(1_800_000))
                .profile();

        // then
        assertThat(text(limit(TRANSPOSES, "1.5 ms"), profile))
                .startsWith("1 expectation violated")
                .contains(TRANSPOSES + "\n  expected at most 1.5 ms\n"
                        + "  was 1.8 ms in execution 1 on rank 1, the worst of 3; 2 of them break it\n")
                .contains("profile_rank_1_exec_1-tables\n  Found:\n    sum(duration_ns)\n              1.8 ms\n");
    }

    private static final class BelowWorkingDirectory implements TempDirFactory {

        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            return Files.createTempDirectory(
                    Files.createDirectories(Path.of("target").toAbsolutePath()), "sql");
        }
    }

    @Test
    void namesTablesRelativeToWorkingDirectory(@TempDir(factory = BelowWorkingDirectory.class) Path below) {
        // given
        Profile profile = MeasuredFixture.in(below)
                .and()
                .table("Instruction", transposes(1_800_000))
                .profile();

        // then
        assertThat(text(limit(TRANSPOSES, "1.5 ms"), profile)).contains("Tables: target/sql");
        assertThat(text(limit("select nothing from instruction", "1.5 ms"), profile))
                .contains("Tables: target/sql");
        assertThat(ProfilePicture.html(
                        new MeasuredTest("ATest > a()", List.of(), Judgement.NOTHING, true),
                        profile,
                        List.of(),
                        List.of()))
                .contains("<li>target/sql")
                .doesNotContain("<li>" + below);
    }

    @Test
    void isUndecidedWhenQueryFindsNull() {
        // given
        Profile profile = MeasuredFixture.in(folder)
                .and()
                .table("Instruction", "select 'MATMUL' as opcode, 1::bigint as duration_ns")
                .profile();

        // then
        assertThat(text(limit(TRANSPOSES, "1.5 ms"), profile))
                .startsWith("1 expectation undecided")
                .contains("The query found NULL, which is not 0");
    }

    @Test
    void isUndecidedWithoutTables() {
        // given
        Profile profile = MeasuredFixture.in(folder)
                .and()
                .notice("view --output-format parquet failed")
                .profile();

        // then
        assertThat(text(limit(TRANSPOSES, "1.5 ms"), profile))
                .startsWith("1 expectation undecided")
                .contains("profile_exec_1.ntff has no tables")
                .contains("Notices: view --output-format parquet failed.");
    }

    @Test
    void isUndecidedWhereATableIsCutShort() throws IOException {
        // given
        Profile profile = MeasuredFixture.in(folder)
                .and()
                .table("Instruction", transposes(1))
                .profile();
        Path file = folder.resolve("profile_exec_1-tables/Instruction.parquet");
        Files.write(file, List.of("PAR1"));

        // then
        assertThat(text(limit(TRANSPOSES, "1.5 ms"), profile))
                .startsWith("1 expectation undecided")
                .contains("The table instruction in " + folder);
    }

    @Test
    void isViolatedByInvalidQuery() {
        // given
        Profile profile = MeasuredFixture.in(folder)
                .and()
                .table("Instruction", transposes(1))
                .profile();

        // then
        assertThat(text(limit("select sum(duration) from instruction", "1.5 ms"), profile))
                .startsWith("1 expectation violated")
                .contains("was no answer")
                .contains("Correct the query.")
                .contains("Candidate bindings: \"duration_ns\"");
        assertThat(text(limit("select sum(duration_ns) as x from instruction", "1.5 ms"), profile))
                .startsWith("1 expectation violated")
                .contains("the unit of the column x is not known");
        assertThat(text(limit("install httpfs", "1.5 ms"), profile)).contains("Only one SELECT");
    }

    @Test
    void throttlingLeavesOnlyTimesUndecided() {
        // given
        Profile profile = MeasuredFixture.in(folder)
                .doubtful(Doubt.Kind.THROTTLED, "It was slowed down for 40 % of the time.")
                .table("Instruction", transposes(1))
                .table("TensorInfo", "select 'w' as variable_name, 4096::bigint as size")
                .profile();

        // then
        assertThat(text(limit(TRANSPOSES, "1.5 ms"), profile)).contains("slowed down for 40 %");
        assertThat(limit("select count(*) from instruction", "2").judge(profile))
                .isEqualTo(Judgement.NOTHING);
        assertThat(new SqlExpectation(TRANSPOSES, TRANSPOSES, RowsExpectation.rows(1), "@ProfileSql(…)").judge(profile))
                .isEqualTo(Judgement.NOTHING);
        assertThat(ProfileQueries.tensor("4 KiB", "@MaxMemory").judge(profile)).isEqualTo(Judgement.NOTHING);
        assertThat(text(ProfileQueries.tensor("4095 B", "@MaxMemory"), profile))
                .contains("largest tensor\n  expected at most 4095 B\n  was 4 KiB (4096 B)");
    }

    @Test
    void firstExecutionIsIgnoredForTimesOnly() {
        // given
        Profile profile = MeasuredFixture.in(folder)
                .doubtful(Doubt.Kind.FIRST_EXECUTION, "Start-up is in it.")
                .table("Instruction", transposes(5_000_000))
                .and()
                .table("Instruction", transposes(1_000_000))
                .profile();

        // then
        assertThat(limit(TRANSPOSES, "1.5 ms").judge(profile)).isEqualTo(Judgement.NOTHING);
        assertThat(text(limit("select count(*) from instruction", "1"), profile))
                .contains("was 2 in execution 1, the worst of 2; 2 of them break it");
    }

    @Test
    void absentTableIsCleanOnlyWhenSchemaHasIt() {
        // given
        Profile unknown = MeasuredFixture.in(folder)
                .and()
                .table("Instruction", transposes(1))
                .profile();
        Profile known =
                MeasuredFixture.in(folder).rank(7).table("SchemaFields", SCHEMA).profile();

        // then
        assertThat(text(ProfileQueries.noWarnings(List.of(), "@ExpectCleanProfile"), unknown))
                .startsWith("1 expectation undecided")
                .contains("Empty tables are not written. The tables are Instruction.");
        assertThat(ProfileQueries.noWarnings(List.of(), "@ExpectCleanProfile").judge(known))
                .isEqualTo(Judgement.NOTHING);
        assertThat(ProfileQueries.noHardwareErrors("@ExpectCleanProfile").judge(known))
                .isEqualTo(Judgement.NOTHING);
        assertThat(ProfileQueries.throttledAtMost(new Fraction(0.05), "@ExpectCleanProfile")
                        .judge(known))
                .isEqualTo(Judgement.NOTHING);
    }

    @Test
    void warningsCountByTheirCategory() {
        // given
        Profile profile = MeasuredFixture.in(folder)
                .and()
                .table(
                        "Warning",
                        "select 'Missing Data' as category, 'Notifications of type INSTRUCTION were dropped.' as message")
                .profile();

        // then
        assertThat(text(ProfileQueries.noWarnings(List.of("missing data"), "@ExpectCleanProfile"), profile))
                .contains("warnings of the profiler\n  expected no rows\n  was 1 row\n")
                .contains("Missing Data  Notifications of type INSTRUCTION were dropped.");
        assertThat(ProfileQueries.noWarnings(List.of("It's other"), "@ExpectCleanProfile")
                        .judge(profile))
                .isEqualTo(Judgement.NOTHING);
    }

    @Test
    void builtInQueriesReportErrorsThrottlingAndMemory() {
        // given
        Profile profile = MeasuredFixture.in(folder)
                .and()
                .table("Error", """
                        select * from (values (7, 'uncorrectable', 'Errors'), (1, 'mine', 'Custom Notification'))
                        as t(error_type_id, description, type)""")
                .table("ThrottleSummary", """
                        select * from (values (0, 'periodic', 0.3::float, 0.5::float), (0, 'activity', 0.9::float, 1::float))
                        as t(nc_idx, throttle_type, throttle_active_time_percent, max_achievable_util_with_throttling_percent)""")
                .table("HbmUsageSummaryByType", """
                        select * from (values (0, 0, 'Weights', 3000), (0, 0, 'Tensors', 1000), (0, 1, 'Weights', 2000))
                        as t(neuron_device_idx, neuroncore_idx, usage_type, usage_bytes)""")
                .table("SbufUsage", "select 0.8::float as avg_util_percent")
                .profile();

        // then
        assertThat(text(ProfileQueries.noHardwareErrors("@ExpectCleanProfile"), profile))
                .contains("uncorrectable")
                .doesNotContain("mine");
        assertThat(text(ProfileQueries.throttledAtMost(new Fraction(0.05), "@ExpectCleanProfile"), profile))
                .containsPattern("periodic +30 % +50 %")
                .doesNotContain("activity");
        assertThat(ProfileQueries.throttledAtMost(new Fraction(0.4), "@ExpectCleanProfile")
                        .judge(profile))
                .isEqualTo(Judgement.NOTHING);
        assertThat(text(ProfileQueries.hbm("", "3999 B", "@MaxMemory"), profile))
                .contains("HBM of one core\n", "was 3.91 KiB (4000 B)");
        assertThat(ProfileQueries.hbm("weights", "3000 B", "@MaxMemory").judge(profile))
                .isEqualTo(Judgement.NOTHING);
        assertThat(text(ProfileQueries.hbm("", "2", "@MaxMemory"), profile)).contains("has no unit");
        assertThat(text(ProfileQueries.onChip("Sbuf", "75 %", "@MaxMemory"), profile))
                .contains("was 80 %");
        assertThat(text(ProfileQueries.onChip("Psum", "75 %", "@MaxMemory"), profile))
                .startsWith("1 expectation undecided");
    }

    @Test
    void missingNumberIsUndecidedWithoutBlamingUser() {
        // given
        Profile profile = MeasuredFixture.in(folder)
                .and()
                .table("SbufUsage", "select null::float as avg_util_percent")
                .profile();

        // then
        assertThat(text(ProfileQueries.onChip("Sbuf", "75 %", "@MaxMemory"), profile))
                .startsWith("1 expectation undecided")
                .contains("The tables do not contain the peak of SBUF.")
                .doesNotContain("coalesce");
    }

    @Test
    void lowerCaseErrorOrNullThrottlingDoesNotPass() {
        // given
        Profile profile = MeasuredFixture.in(folder)
                .and()
                .table("Error", "select 1 as error_type_id, 'uncorrectable' as description, 'errors' as type")
                .table("ThrottleSummary", """
                        select 0 as nc_idx, 'periodic' as throttle_type, null::float as throttle_active_time_percent,
                        0.5::float as max_achievable_util_with_throttling_percent""")
                .profile();

        // then
        assertThat(text(ProfileQueries.noHardwareErrors("@ExpectCleanProfile"), profile))
                .contains("uncorrectable");
        assertThat(text(ProfileQueries.throttledAtMost(new Fraction(0.05), "@ExpectCleanProfile"), profile))
                .contains("periodic");
    }

    @Test
    void inaccurateDmaLeavesOnlyDmaQueriesUndecided() {
        // given
        Profile profile = MeasuredFixture.in(folder)
                .doubt(Doubt.Kind.DOUBTFUL_DMA, "DMA may be inaccurate.")
                .and()
                .table("DmaPacket", "select 1::bigint as bytes")
                .table("Summary", "select 1::bigint as hbm_read_bytes, 1::bigint as matmul_instruction_count")
                .table("HbmUsageSummaryByType", "select 'tensors' as usage_type, 1::bigint as usage_bytes")
                .profile();

        // then
        for (String query : List.of("select count(*) from DmaPacket", "select max(hbm_read_bytes) from Summary")) {
            assertThat(text(limit(query, query.contains("count") ? "7" : "7 B"), profile))
                    .startsWith("1 expectation undecided")
                    .contains("DMA may be inaccurate.");
        }
        for (String query : List.of(
                "select count(matmul_instruction_count) from Summary", "select count(*) from HbmUsageSummaryByType")) {
            assertThat(limit(query, "7").judge(profile)).isEqualTo(Judgement.NOTHING);
        }
    }

    @Test
    void doubtfulProfileDecidesOnlyForbiddenRows() {
        // given
        Profile profile = MeasuredFixture.in(folder)
                .doubt(Doubt.Kind.DROPPED_NOTIFICATIONS, "view lost notifications.")
                .and()
                .table("Warning", "select 'Missing Data' as category, 'Notifications were dropped.' as message")
                .table("Instruction", transposes(1))
                .profile();

        // then
        assertThat(text(ProfileQueries.noWarnings(List.of(), "@ExpectCleanProfile"), profile))
                .startsWith("1 expectation violated");
        assertThat(text(ProfileQueries.noWarnings(List.of("Other"), "@ExpectCleanProfile"), profile))
                .startsWith("1 expectation undecided")
                .contains("view lost notifications.");
        assertThat(text(limit(TRANSPOSES, "1.5 ms"), profile)).startsWith("1 expectation undecided");
        assertThat(text(limit("select count(*) from instruction", "1"), profile))
                .startsWith("1 expectation undecided");
    }

    @Test
    void judgesFirstExecutionOfTraceWithTwoGraphs() {
        // given
        Profile profile = MeasuredFixture.in(folder)
                .doubtful(Doubt.Kind.FIRST_EXECUTION, "Start-up is in it.")
                .table("Instruction", transposes(5_000_000))
                .graph("another")
                .and()
                .table("Instruction", transposes(1_000_000))
                .profile();

        // then
        assertThat(text(limit(TRANSPOSES, "1.5 ms"), profile)).contains("was 5 ms in execution 1, the worst of 2");
    }

    @Test
    void builtInQueryThatMissesSchemaIsUndecided() {
        // given
        Profile profile = MeasuredFixture.in(folder)
                .and()
                .table("HbmUsageSummaryByType", "select 1::bigint as bytes_used")
                .profile();

        // then
        assertThat(text(ProfileQueries.hbm("", "1 GiB", "@MaxMemory"), profile))
                .startsWith("1 expectation undecided")
                .contains("Referenced column \"neuron_device_idx\" not found");
    }
}
