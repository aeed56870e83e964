package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.neurontest.internal.profile.table.TableFixture;
import dev.neurontest.metric.Unit;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileTablesTest {

    @TempDir
    Path folder;

    @BeforeEach
    void writeTables() {
        TableFixture.write(
                folder,
                "Instruction_0",
                "select 'Tensor' as engine, 'MATMUL' as opcode, range * 10 as duration_ns from range(100)");
        TableFixture.write(
                folder,
                "Instruction_1",
                "select 'Vector' as engine, 'COPY' as opcode, 7::bigint as duration_ns, 3 as more");
        TableFixture.write(folder, "Metadata", "select '7.4.0' as profile_schema_version");
        TableFixture.write(folder, "SchemaFields", """
                select * from (values
                    ('Warning', 'message', 'string', null, null), ('Warning', 'category', 'string', null, null),
                    ('Instruction', 'duration_ns', 'integer', 'int64', 'ns'),
                    ('Instruction', 'evt_wait', 'integer', 'int64', 'ns'))
                    as t(table_name, field_name, field_type, field_format, field_unit)""");
    }

    @Test
    void queriesAllPartsOfTable() {
        // when
        TableRows found = ProfileTables.of(folder)
                .query("select engine, sum(duration_ns), count(more) from instruction group by engine order by 1");

        // then
        assertThat(found.rows()).hasSize(2);
        assertThat(found.text(0, 0)).isEqualTo("Tensor");
        assertThat(found.number(0, 1)).hasValue(49_500);
        assertThat(found.number(1, 2)).hasValue(1);
        assertThat(found.columns().get(1).unit()).contains(Unit.NANOSECONDS);
    }

    /**
     * Verifies that the folder of a parameterized test is read, and not a neighbour that its name would match as a
     * pattern.
     */
    @ParameterizedTest
    @CsvSource({"test[1], test1", "te*t, test", "te?t, test", "te[t, te", "[a-z], b", "it's{1}, it"})
    void readsFolderWithPatternCharacters(String name, String neighbour) throws IOException {
        // given
        Path named = Files.createDirectories(folder.resolve(name));
        TableFixture.write(named, "Instruction", "select 1 as duration_ns");
        TableFixture.write(
                Files.createDirectories(folder.resolve(neighbour)), "Instruction", "select 2 as duration_ns");

        // when
        TableRows found = ProfileTables.of(named).query("select duration_ns from instruction");

        // then
        assertThat(found.rows()).hasSize(1);
        assertThat(found.number(0, 0)).hasValue(1);
    }

    @Test
    void listsNamesOfTables() {
        // then
        assertThat(ProfileTables.of(folder).names()).containsExactly("Instruction", "Metadata", "SchemaFields");
    }

    @Test
    void missingTableOfSchemaIsEmpty() {
        // then
        assertThat(ProfileTables.of(folder)
                        .query("select count(*) from warning")
                        .number(0, 0))
                .hasValue(0);
    }

    @Test
    void missingColumnOfSchemaIsNull() {
        // then
        assertThat(ProfileTables.of(folder)
                        .query("select sum(evt_wait) from instruction")
                        .number(0, 0))
                .isEmpty();
    }

    @Test
    void queriesTablesDespiteUnknownSchemaShape() {
        // given
        TableFixture.write(folder, "SchemaFields", "select 'Warning' as named, 'message' as field");

        // when
        ProfileTables tables = ProfileTables.of(folder);

        // then
        assertThat(tables.query("select count(*) from instruction").number(0, 0))
                .hasValue(101);
        assertThatExceptionOfType(TablesException.class)
                .isThrownBy(() -> tables.query("select count(*) from warning"))
                .withMessageContaining("The tables are Instruction, Metadata, SchemaFields.");
    }

    @Test
    void reportsTableOutsideOfSchema() {
        // when
        assertThatExceptionOfType(TablesException.class)
                .isThrownBy(() -> ProfileTables.of(folder).query("select count(*) from ccop"))
                // then
                .withMessageContaining("The tables are Instruction, Metadata, SchemaFields.")
                .extracting(TablesException::kind)
                .isEqualTo(TablesException.Kind.NO_TABLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "copy (select 1) to 'FOLDER/x.csv'",
                "attach 'FOLDER/x.db'",
                "select * from read_csv('/etc/hostname')",
                "select * from read_text('/etc/hostname')",
                "select * from read_parquet('FOLDER/other/Secret.parquet')",
                "select * from glob('/etc/*')",
                "install httpfs",
                "load httpfs",
                "pragma version",
                "set memory_limit = '10GB'",
                "create table x as select 1",
                "drop view instruction",
                "select 1; select 2",
                "with x as (insert into instruction values (1) returning *) select * from x"
            })
    void refusesOtherThanSelectOverItsTables(String sql) throws IOException {
        // given
        Path other = Files.createDirectory(folder.resolve("other"));
        TableFixture.write(other, "Secret", "select 1 as secret");

        // when
        assertThatExceptionOfType(TablesException.class)
                .isThrownBy(() -> ProfileTables.of(folder).query(sql.replace("FOLDER", folder.toString())))
                // then
                .extracting(TablesException::kind)
                .isIn(TablesException.Kind.REFUSED, TablesException.Kind.QUERY);
        assertThat(folder).isDirectoryNotContaining("glob:**.csv").isDirectoryNotContaining("glob:**.db");
    }

    @Test
    void showsPositionOfMistakeInQuery() {
        // when
        assertThatExceptionOfType(TablesException.class)
                .isThrownBy(() -> ProfileTables.of(folder).query("select sum(duration) from instruction"))
                // then
                .withMessageContaining("Candidate bindings: \"duration_ns\"")
                .withMessageContaining("^")
                .extracting(TablesException::kind)
                .isEqualTo(TablesException.Kind.QUERY);
    }

    @Test
    void namesTruncatedTable() throws IOException {
        // given
        Path file = folder.resolve("Metadata.parquet");
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));

        // when
        assertThatExceptionOfType(TablesException.class)
                .isThrownBy(() -> ProfileTables.of(folder).query("select * from metadata"))
                // then
                .withMessageContaining("Metadata.parquet")
                .withMessageContaining("View the trace again")
                .extracting(TablesException::kind)
                .isEqualTo(TablesException.Kind.BROKEN);
        assertThat(ProfileTables.of(folder)
                        .query("select count(*) from instruction")
                        .number(0, 0))
                .hasValue(101);
    }

    @Test
    void reportsFolderWithoutTables() throws IOException {
        // given
        Path empty = Files.createDirectory(folder.resolve("empty"));

        // when
        assertThatExceptionOfType(TablesException.class)
                .isThrownBy(() -> ProfileTables.of(empty).query("select 1"))
                // then
                .withMessageContaining(empty + " contains no table.")
                .extracting(TablesException::kind)
                .isEqualTo(TablesException.Kind.NO_TABLE);
    }

    @Test
    void refusesTheTablesOfManyProfilesInOneFolder() throws IOException {
        // given
        for (int table = 0; table < 10_000; table++) {
            Files.createFile(folder.resolve("Table" + table + ".parquet"));
        }

        // when
        assertThatExceptionOfType(TablesException.class)
                .isThrownBy(() -> ProfileTables.of(folder))
                // then
                .withMessageContaining("has files of 10,003 tables; a profile has at most 49.")
                .extracting(TablesException::kind)
                .isEqualTo(TablesException.Kind.BROKEN);
    }

    @Test
    void queriesThousandParts() throws IOException {
        // given
        byte[] part = Files.readAllBytes(folder.resolve("Instruction_1.parquet"));
        for (int number = 2; number < 1_000; number++) {
            Files.write(folder.resolve("Instruction_" + number + ".parquet"), part);
        }

        // then
        assertThat(ProfileTables.of(folder)
                        .query("select count(*) from instruction")
                        .number(0, 0))
                .hasValue(100 + 999);
    }

    @Test
    void readsFolderWithQuotesInName() throws IOException {
        // given
        Path quoted = Files.createDirectory(folder.resolve("it's \"the\" run; drop"));
        TableFixture.write(quoted, "Metadata", "select '12.0.1' as profile_schema_version");

        // then
        assertThat(ProfileTables.of(quoted)
                        .query("select profile_schema_version from metadata")
                        .text(0, 0))
                .isEqualTo("12.0.1");
    }

    @Test
    void reportsQueryThatNeedsTooMuchMemory() {
        // when
        assertThatExceptionOfType(TablesException.class)
                .isThrownBy(
                        () -> ProfileTables.of(folder)
                                .query(
                                        "select count(*) from (select distinct a.range * 100000 + b.range from range(10000) a, range(10000) b)"))
                // then
                .withMessageContaining("it needs more than 512MB of memory.")
                .extracting(TablesException::kind)
                .isEqualTo(TablesException.Kind.LIMIT);
    }

    @Test
    void endsQueryOfInterruptedThread() throws InterruptedException {
        // given
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread asking = new Thread(() -> thrown.set(catchThrowable(() -> ProfileTables.of(folder)
                .query("select sum(a.range * b.range % 7) from range(10000000) a, range(10000000) b"))));

        // when
        asking.start();
        Patience.await()
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .anyMatch(thread -> thread.getName().equals("neuron-test-tables")));
        asking.interrupt();
        asking.join(Patience.LIMIT.toMillis());

        // then
        assertThat(thrown.get())
                .isInstanceOf(TablesException.class)
                .hasMessageContaining("the test was interrupted.")
                .extracting(failure -> ((TablesException) failure).kind())
                .isEqualTo(TablesException.Kind.LIMIT);
    }
}
