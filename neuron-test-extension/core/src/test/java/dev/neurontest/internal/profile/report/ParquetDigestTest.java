package dev.neurontest.internal.profile.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.profile.table.TableFixture;
import dev.neurontest.profile.ProfileTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetDigestTest {

    @TempDir
    Path folder;

    private String text() {
        return ParquetDigest.of(ProfileTables.of(folder)).toText();
    }

    @Test
    void summarizesErrorsMemoryUseAndSlowestLines() {
        // given
        TableFixture.write(folder, "Metadata", "select '12.0.1' as profile_schema_version");
        TableFixture.write(
                folder, "Warning", "select 'Missing Data' as category, 'Missing HLO stats' as message from range(3)");
        TableFixture.write(folder, "ThrottleSummary", """
                select 0 as nc_idx, 'periodic' as throttle_type, 0.3::float as throttle_active_time_percent,
                    0.5::float as max_achievable_util_with_throttling_percent""");
        TableFixture.write(folder, "Error", "select 'uncorrectable' as description, 'Errors' as type");
        TableFixture.write(
                folder, "HbmUsageSummaryByType", "select 'Weights' as usage_type, 4096::bigint as usage_bytes");
        TableFixture.write(
                folder,
                "TensorInfo",
                "select 'w\u202e' as variable_name, 'WEIGHT' as type, '[8, 8]' as shape, 1024::bigint as size");
        TableFixture.write(folder, "SbufUsage", "select 0.8::float as avg_util_percent");
        TableFixture.write(folder, "Instruction", """
                select '/src/attention.py:120' as nki_source_location, 750000::bigint as duration_ns
                union all select null, 250000""");

        // when
        String text = text();

        // then
        assertThat(text)
                .startsWith("Contents of the tables: " + folder + " (schema 12.0.1)\n")
                .containsPattern("Missing Data: Missing HLO stats +3\n")
                .containsPattern("core 0, periodic, held to 50[.0]* % of the peak +30 %\n")
                .containsPattern("uncorrectable +1\n")
                .containsPattern("Weights +4 KiB \\(4096 B\\)\n")
                .containsPattern("w\\\\u202e +1 KiB \\(1024 B\\) +WEIGHT +\\[8, 8]\n")
                .containsPattern("SBUF +80 %\n")
                .containsPattern("/src/attention.py:120 +750 µs +75 % +1\n");
    }

    @Test
    void computesSharesOfMemoryAndTime() {
        // given
        TableFixture.write(folder, "Instruction", """
                select '/src/attention.py:120' as nki_source_location, 750000::bigint as duration_ns
                union all select null, 250000""");
        TableFixture.write(folder, "HbmUsageSummaryByType", """
                select 'Weights' as usage_type, 4096::bigint as usage_bytes union all select 'Tensors', 1024""");

        // when
        ParquetDigest digest = ParquetDigest.of(ProfileTables.of(folder));

        // then
        assertThat(digest.parts())
                .flatExtracting(ParquetDigest.Part::lines)
                .containsExactly(
                        new ParquetDigest.Part.Line("Weights", OptionalDouble.of(1), "4 KiB (4096 B)"),
                        new ParquetDigest.Part.Line("Tensors", OptionalDouble.of(0.25), "1 KiB (1024 B)"),
                        new ParquetDigest.Part.Line(
                                "/src/attention.py:120", OptionalDouble.of(0.75), "750 µs, 75 %, 1 instruction"));
    }

    @Test
    void showsOnChipMemoryUsePerTenthOfTime() {
        // given
        TableFixture.write(folder, "SbufUsage", """
                select 5000000000 + range as timestamp, (range / 1000)::float as avg_util_percent from range(1000)
                union all select 5000000000, null""");
        TableFixture.write(folder, "PsumUsage", "select 7::bigint as timestamp, 0.5::float as avg_util_percent");

        // when
        ParquetDigest digest = ParquetDigest.of(ProfileTables.of(folder));

        // then
        assertThat(digest.parts())
                .extracting(ParquetDigest.Part::title)
                .containsExactly("Memory on the chip at its peak", "SBUF over time", "PSUM over time");
        assertThat(digest.parts().get(1).lines())
                .hasSize(10)
                .startsWith(new ParquetDigest.Part.Line("0 to 10 % of the time", OptionalDouble.of(0.099f), "9.9 %"))
                .endsWith(new ParquetDigest.Part.Line("90 to 100 % of the time", OptionalDouble.of(0.999f), "99.9 %"));
        assertThat(digest.parts().get(2).lines())
                .containsExactly(new ParquetDigest.Part.Line("0 to 10 % of the time", OptionalDouble.of(0.5), "50 %"));
    }

    @Test
    void reportsAbsentTablesKnownToSchema() {
        // given
        TableFixture.write(folder, "SchemaFields", """
                select * from (values ('Warning', 'category', 'string', null, null), ('Warning', 'message', 'string', null, null))
                as t(table_name, field_name, field_type, field_format, field_unit)""");

        // then
        assertThat(text())
                .contains("Not in the tables: warnings.\n")
                .doesNotContain("Hardware errors")
                .doesNotContain("could not be read");
    }

    @Test
    void showsOtherTablesDespiteBrokenOne() throws IOException {
        // given
        TableFixture.write(folder, "Error", "select 'uncorrectable' as description, 'Errors' as type");
        Files.writeString(folder.resolve("Warning.parquet"), "PAR1");
        TableFixture.write(folder, "TensorInfo", "select 'w' as variable_name");

        // then
        assertThat(text())
                .containsPattern(
                        "Warnings\ncould not be read: The table Warning in " + folder
                                + " cannot be read: Invalid Input Error: [^\n]* View the trace again; a view that was killed leaves such a file.\n")
                .contains("Largest tensors\ncould not be read: ")
                .containsPattern("uncorrectable +1\n");
    }
}
