package dev.neurontest.profile.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableSchemaTest {

    /** Files joined as they are: one does not end its last line. */
    private static final String PRINTED = """
            openapi: 3.0.3
            info:
              title: Profile schema
              version: 12.0.1
            paths: {}
            ---
            # What ran.
            Instruction:
              type: object
              description: "One instruction |---|---|"
              required: [start_ts, duration_ns]
              properties:
                start_ts: {type: integer, format: int64}
                duration_ns:
                  type: integer
                  format: int64
                  x-unit: ns
                opcode: {type: string}
            ---
            DmaQueueType:
              type: string
              enum: [input, output]---Warning:
              type: object
              properties:
                message: {type: string}
                category: {type: string}
            ---
            FrameworkNode:
              type: object
              properties:
                sizes: {type: array, items: {type: integer}}
                mfu: {type: number, format: float}
            """;

    private static String mistake(String sql) {
        return TableSchema.read(PRINTED)
                .orElseThrow()
                .mistakeIn(sql, "neuron-explorer 2.33.1.0")
                .orElse("");
    }

    @Test
    void isOneDocumentForEachTable() {
        // when
        TableSchema schema = TableSchema.read(PRINTED).orElseThrow();

        // then
        assertThat(schema.version()).isEqualTo("12.0.1");
        assertThat(schema.isWhole()).isTrue();
        assertThat(schema.tables()).containsOnlyKeys("Instruction", "Warning", "FrameworkNode");
        assertThat(schema.tables().get("Instruction"))
                .containsEntry("start_ts", "BIGINT")
                .containsEntry("opcode", "VARCHAR")
                .hasSize(3);
        assertThat(schema.tables().get("FrameworkNode"))
                .containsEntry("sizes", "BIGINT[]")
                .containsEntry("mfu", "DOUBLE");
    }

    @Test
    void findsNothingInAQueryThatItsTablesCanAnswer() {
        // then
        assertThat(mistake("select sum(duration_ns) from instruction where opcode = 'Transpose'"))
                .isEmpty();
        assertThat(mistake("select * from warning where category = 'Missing Data'"))
                .isEmpty();
        assertThat(mistake("select list_sum(sizes) from FrameworkNode where mfu > 0.5"))
                .isEmpty();
    }

    @Test
    void namesAColumnThatThereIsNot() {
        // then
        assertThat(mistake("select sum(duration) from instruction"))
                .startsWith(
                        "the installed neuron-explorer 2.33.1.0 (schema 12.0.1) has no column duration in Instruction; nearest: duration_ns")
                .contains("^");
        assertThat(mistake("select i.duration from instruction i join warning w on i.opcode = w.message"))
                .startsWith(
                        "the installed neuron-explorer 2.33.1.0 (schema 12.0.1) has no column duration in Instruction or Warning");
    }

    @Test
    void namesATableThatThereIsNot() {
        // then
        assertThat(mistake("select * from warnings"))
                .startsWith(
                        "the installed neuron-explorer 2.33.1.0 (schema 12.0.1) has no table warnings; nearest: Warning");
    }

    @Test
    void showsWhereAQueryCannotBeRead() {
        // then
        assertThat(mistake("select sum(duration_ns) form instruction"))
                .startsWith("the query cannot be read:\nParser Error")
                .contains("^");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "  ",
                "-- nothing",
                "select 1; select 2",
                "copy (select 1) to 'out.csv'",
                "drop table instruction",
                "pragma version",
                "with a as (insert into warning values ('m', 'c') returning *) select * from a"
            })
    void anythingButOneSelectIsTold(String sql) {
        // then
        assertThat(mistake(sql)).startsWith("only one SELECT may be asked, and this is something else: ");
        assertThat(TableSchema.UNKNOWN.mistakeIn(sql, "tool")).isPresent();
    }

    @Test
    void ofAToolThatTellsNoTablesOnlyTheFormOfAQueryIsKnown() {
        // then
        assertThat(TableSchema.UNKNOWN.mistakeIn("select any_column from any_table", "tool"))
                .isEmpty();
        assertThat(TableSchema.UNKNOWN.mistakeIn("select form any_table where", "tool"))
                .get(STRING)
                .startsWith("the query cannot be read:\nParser Error");
    }

    @Test
    void ofWhatCannotBeReadNothingIsSaid() {
        // given
        String withABrokenDocument = PRINTED + "---\nError:\n  properties: [\n";

        // when
        TableSchema schema = TableSchema.read(withABrokenDocument).orElseThrow();

        // then
        assertThat(schema.isWhole()).isFalse();
        assertThat(schema.mistakeIn("select * from error", "tool")).isEmpty();
        assertThat(schema.mistakeIn("select x from warning", "tool")).isPresent();
    }

    @Test
    void whatNamesNoTableIsNoSchema() {
        // then
        assertThat(TableSchema.read("")).isEmpty();
        assertThat(TableSchema.read("unknown flag: --show-profile-schema")).isEmpty();
        assertThat(TableSchema.read("!!javax.script.ScriptEngineManager [x]")).isEmpty();
        assertThat(TableSchema.read("a: &a [x]\nb: [*a, *a]")).isEmpty();
    }
}
