package dev.neurontest.fake.internal.profiler.table;

import static dev.neurontest.fake.internal.profiler.TablesFixture.from;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fake.internal.profiler.TablesFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of files with a genuine reader of Parquet. */
class TableFileTest {

    @AutoClose
    private static TablesFixture reader;

    @TempDir
    private Path folder;

    @BeforeAll
    static void open() throws SQLException {
        reader = new TablesFixture();
    }

    private static Table table(String... columns) {
        List<Column> parsed = Arrays.stream(columns).map(Column::parse).toList();
        return new Table("T", "A table.", parsed);
    }

    private Path file() {
        return folder.resolve("T.parquet");
    }

    private TableFile write(Table table) throws IOException {
        return new TableFile(Files.newOutputStream(file()), table, Map.of());
    }

    @Test
    void storesAllTypesAndNulls() throws Exception {
        Table table = table("s s", "l l", "i i", "f f", "w F", "d d", "b b", "r s!");

        try (TableFile file = write(table)) {
            file.put("s", "Grüße")
                    .put("l", Long.MIN_VALUE)
                    .put("i", -7)
                    .put("f", 0.5)
                    .put("w", 0.1);
            file.put("d", 1e300).put("b", true).put("r", "").endRow();
            file.put("r", "last").endRow();
        }

        assertThat(reader.rows("SELECT * FROM " + from(file())))
                .containsExactly(
                        row(
                                "s",
                                "Grüße",
                                "l",
                                Long.MIN_VALUE,
                                "i",
                                -7,
                                "f",
                                0.5f,
                                "w",
                                0.1,
                                "d",
                                1e300,
                                "b",
                                true,
                                "r",
                                ""),
                        row("s", null, "l", null, "i", null, "f", null, "w", null, "d", null, "b", null, "r", "last"));
    }

    private static Map<String, Object> row(Object... words) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (int i = 0; i < words.length; i += 2) {
            row.put((String) words[i], words[i + 1]);
        }
        return row;
    }

    @Test
    void marksOptionalColumns() throws Exception {
        try (TableFile file = write(table("a l!", "b s"))) {
            file.put("a", 1).endRow();
        }

        assertThat(reader.rows("SELECT name, type, repetition_type, converted_type FROM parquet_schema('" + file()
                        + "') WHERE name <> 'T'"))
                .containsExactly(
                        row("name", "a", "type", "INT64", "repetition_type", "REQUIRED", "converted_type", null),
                        row(
                                "name",
                                "b",
                                "type",
                                "BYTE_ARRAY",
                                "repetition_type",
                                "OPTIONAL",
                                "converted_type",
                                "UTF8"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 9, 50_000, 50_001, 120_000})
    void storesAnyNumberOfRows(int rows) throws Exception {
        try (TableFile file = write(table("n l!", "third b", "text s"))) {
            for (int i = 0; i < rows; i++) {
                file.put("n", i);
                if (i % 3 == 0) {
                    file.put("third", i % 2 == 0).put("text", "row " + i);
                }
                file.endRow();
            }
        }

        long thirds = (rows + 2) / 3;
        assertThat(reader.rows("SELECT count(*) AS rows, coalesce(sum(n), 0)::BIGINT AS sum, count(third) AS thirds,"
                        + " count(CASE WHEN third THEN 1 END) AS even, count(CASE WHEN text = 'row ' || n THEN 1 END) AS texts"
                        + " FROM " + from(file())))
                .containsExactly(row(
                        "rows",
                        (long) rows,
                        "sum",
                        (long) rows * (rows - 1) / 2,
                        "thirds",
                        thirds,
                        "even",
                        (thirds + 1) / 2,
                        "texts",
                        thirds));
    }

    @Test
    void hasTheColumnsOfTheSchema() throws Exception {
        for (Table table : new Schema().tables()) {
            write(table).close();
            List<String> names = table.columns().stream()
                    .filter(column -> !column.list())
                    .map(Column::name)
                    .toList();

            if (!names.isEmpty()) {
                assertThat(reader.rows("DESCRIBE SELECT * FROM " + from(file())))
                        .as(table.name())
                        .extracting(row -> row.get("column_name"))
                        .containsExactlyElementsOf(names);
            }
        }
    }

    @Test
    void refusesRowsAgainstTheSchema() throws Exception {
        TableFile file = write(table("a l!", "b s", "c l[]"));

        assertThatThrownBy(() -> file.put("c", 1)).hasMessage("T has no column c that is written");
        assertThatThrownBy(() -> file.put("b", 1)).hasMessage("b holds TEXT, not a whole number");
        assertThatThrownBy(() -> file.put("a", 1.5)).hasMessage("a holds LONG, not a number with a fraction");
        assertThatThrownBy(() -> file.put("a", 1).put("a", 2)).hasMessage("a has two values in one row");
        file.endRow();
        assertThatThrownBy(file::endRow).hasMessage("a is required, and a row lacks it");
    }
}
