package dev.neurontest.assertj;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.neurontest.internal.profile.table.TableFixture;
import dev.neurontest.profile.ProfileTables;
import dev.neurontest.profile.TablesException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;

class ProfileTablesAssertTest {

    private static final String TRANSPOSES = "select sum(duration_ns) from instruction where opcode = 'TRANSPOSE'";

    @TempDir
    private Path folder;

    private ProfileTables tables;

    @BeforeEach
    void writeTables() {
        TableFixture.write(folder, "Instruction", """
                select 'TRANSPOSE' as opcode, 100000::bigint as duration_ns from range(12)
                union all select 'MATMUL\u001b[31m', 9000000""");
        tables = ProfileTables.of(folder);
    }

    @Test
    void acceptsNumberWithinLimits() {
        // when, then
        assertThat(tables)
                .query(TRANSPOSES)
                .isAtMost("1.2 ms")
                .isAtLeast("1200 us")
                .isBetween("1 ms", "2 ms")
                .isEqualTo(1_200_000)
                .hasRows(1);
        assertThat(tables)
                .query("select * from instruction where opcode = 'COPY'")
                .hasNoRows();
    }

    @Test
    void failureShowsQueryLimitNumberAndRows() {
        // when
        AssertionFailedError failure = catchThrowableOfType(
                AssertionFailedError.class,
                () -> assertThat(tables).query(TRANSPOSES).isAtMost("1 ms"));

        // then
        assertThat(failure).hasMessageContaining("""
                Query: select sum(duration_ns) from instruction where opcode = 'TRANSPOSE'
                expected at most 1 ms
                was 1.2 ms

                It found:
                sum(duration_ns)
                          1.2 ms
                """);
        assertThat(failure.getActual().getStringRepresentation()).isEqualTo("1.2 ms");
        assertThat(failure.getExpected().getStringRepresentation()).isEqualTo("at most 1 ms");
    }

    @Test
    void showsAtMostTenRowsEscaped() {
        // when, then
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(tables)
                        .query("select opcode, duration_ns from instruction order by 2 desc")
                        .hasNoRows())
                .withMessageContaining("was 13 rows")
                .withMessageContaining("MATMUL\\u001b[31m")
                .withMessageContaining("… and 3 more rows");
    }

    @Test
    void resultOtherThanOneNumberFailsLimit() {
        // when, then
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(tables)
                        .query("select sum(duration_ns) from instruction where opcode = 'COPY'")
                        .isAtMost("1 ms"))
                .withMessageContaining("was NULL, which is not 0");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(tables)
                        .query("select duration_ns from instruction")
                        .isAtMost("1 h"))
                .withMessageContaining("was 13 rows, but a limit is compared with one");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(tables)
                        .query("select duration_ns from instruction where opcode = 'COPY'")
                        .isEqualTo(0))
                .withMessageContaining("was no row, and a missing value is not 0");
    }

    @Test
    void requiresUnitOfColumn() {
        // when, then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> assertThat(tables)
                        .query("select sum(duration_ns) / 2 as half from instruction")
                        .isAtMost("1 ms"))
                .withMessageContaining("the unit of the column half is not known");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> assertThat(tables).query(TRANSPOSES).isAtMost("1000000"))
                .withMessageContaining("has no unit");
    }

    @Test
    void aMistakeOfTheQueryIsShown() {
        // when, then
        assertThatExceptionOfType(TablesException.class)
                .isThrownBy(() -> assertThat(tables).query("select sum(duration) from instruction"))
                .withMessageContaining("Candidate bindings: \"duration_ns\"");
    }

    @Test
    void collectsFailures() {
        // given
        NeuronSoftAssertions softly = new NeuronSoftAssertions();

        // when
        softly.assertThat(tables).query(TRANSPOSES).isAtMost("1 ms").isEqualTo(7);
        softly.assertThat(tables).query(TRANSPOSES).hasNoRows();

        // then
        assertThat(softly.errorsCollected()).hasSize(3);
    }
}
