package dev.neurontest.internal.profile.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.profile.table.QueryForm.UnknownName;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which names of a query are refused before there are tables. */
class QueryFormTest {

    private static final Predicate<String> POSSIBLE = name -> Set.of(
                    "instruction",
                    "warning",
                    "layer",
                    "duration_ns",
                    "category",
                    "engine",
                    "message",
                    "start_ts",
                    "end_ts")
            .contains(name.toLowerCase(Locale.ROOT));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select count(*) from instruction",
                "SELECT Layer, sum(duration_ns) AS took FROM Instruction GROUP BY 1 ORDER BY took DESC",
                "select * from warning where category = 'Missing Data'",
                "select * exclude (message) from warning",
                "with slow as (select layer as l, duration_ns as d from instruction) select l, max(d) from slow group by l",
                "select a.layer from instruction a join warning w on w.message = a.layer where a.duration_ns > 5",
                "select t.x from (select duration_ns as x from instruction) t where t.x > 3",
                "select max(end_ts) - min(start_ts) from instruction where engine ilike 'tensor%'",
                "select (select count(*) from warning) + count(*) from instruction i where exists (select 1 from warning where message = i.layer)",
                "select v from (values (1), (2)) as numbers(v)",
                "select column_name from information_schema.columns where table_name = 'Instruction'",
                "select table_name from duckdb_tables()",
                "select list_transform([1, 2], n -> n + 1) from instruction",
                "select unnest(range(3)) as k, sum(duration_ns) over (partition by layer) from instruction",
                "from instruction select layer",
                "select * from read_parquet('/any/Instruction.parquet')",
                "select lyer(1)",
            })
    void acceptsQueryThatCouldWork(String sql) {
        assertThat(QueryForm.unknownNameIn(sql, POSSIBLE)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "select count(*) from instuction                                       | table  | instuction",
                "select * from instruction join warnings on true                       | table  | warnings",
                "with w as (select * from wrong) select * from w                       | table  | wrong",
                "select sum(duraton_ns) from instruction                               | column | duraton_ns",
                "select layer, enigne from instruction where duration_ns > 5           | column | enigne",
                "select i.colour from instruction i                                    | column | colour",
                "select * from warning where category = \"Missing Data\"               | column | Missing Data",
                "with slow as (select layer from instruction) select took from slow    | column | took",
            })
    void refusesNameThatCannotBeThere(String sql, String kind, String name) {
        assertThat(QueryForm.unknownNameIn(sql, POSSIBLE)).isEqualTo(Optional.of(new UnknownName(kind, name)));
    }
}
