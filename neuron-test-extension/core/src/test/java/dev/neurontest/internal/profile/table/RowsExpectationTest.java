package dev.neurontest.internal.profile.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.neurontest.internal.profile.table.RowsExpectation.State;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.TableColumn;
import dev.neurontest.profile.TableRows;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowsExpectationTest {

    private static final TableColumn TIME =
            new TableColumn("sum(duration_ns)", "HUGEINT", Optional.of(Unit.NANOSECONDS));
    private static final TableColumn BARE = new TableColumn("x", "BIGINT", Optional.empty());

    private static TableRows rows(TableColumn column, Object... values) {
        return new TableRows(
                "select",
                List.of(column),
                Stream.of(values).map(value -> Arrays.asList(value)).toList(),
                false);
    }

    private static TableRows nothing(TableColumn column) {
        return new TableRows("select", List.of(column), List.of(), false);
    }

    @ParameterizedTest
    @CsvSource({
        "1500000, KEPT, 1.5 ms",
        "1500001, BROKEN, 1.500001 ms",
        "1800000, BROKEN, 1.8 ms",
        "0, KEPT, 0 s",
    })
    void readsALimitInTheUnitOfTheColumn(long value, State state, String shown) {
        // when
        RowsExpectation.Outcome outcome =
                RowsExpectation.within("1.5 ms", "").judge(rows(TIME, BigInteger.valueOf(value)));

        // then
        assertThat(outcome.state()).isEqualTo(state);
        assertThat(outcome.actual()).isEqualTo(shown);
    }

    @Test
    void requiresBothLimits() {
        // given
        RowsExpectation expectation = RowsExpectation.within("2 ms", "1 ms");

        // then
        assertThat(expectation.words()).isEqualTo("at most 2 ms and at least 1 ms");
        assertThat(expectation.judge(rows(TIME, 1_000_000L)).state()).isEqualTo(State.KEPT);
        assertThat(expectation.judge(rows(TIME, 999_999L)).state()).isEqualTo(State.BROKEN);
    }

    @Test
    void requiresUnitInColumnNameForLimitWithUnit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RowsExpectation.within("1.5 ms", "").judge(rows(BARE, 1L)))
                .withMessageContaining("the unit of the column x is not known")
                .withMessageContaining("as wait_ns");
        assertThat(RowsExpectation.within("2", "").judge(rows(BARE, 3L)).state())
                .isEqualTo(State.BROKEN);
    }

    @Test
    void requiresUnitInLimitForColumnWithUnit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RowsExpectation.within("1500", "").judge(rows(TIME, 1L)))
                .withMessageContaining("\"1500\" has no unit");
    }

    @Test
    void explainsResultThatIsNotOneNumber() {
        // given
        RowsExpectation expectation = RowsExpectation.within("1.5 ms", "");

        // then
        assertThat(expectation.judge(rows(TIME, new Object[] {null})))
                .returns(State.OPEN, RowsExpectation.Outcome::state)
                .extracting(RowsExpectation.Outcome::actual)
                .asString()
                .startsWith("NULL, which is not 0")
                .contains("coalesce(…, 0)");
        assertThat(expectation.judge(nothing(TIME)).actual()).startsWith("no row, and a missing value is not 0");
        assertThat(expectation.judge(rows(TIME, 1L, 2L)).actual())
                .startsWith("2 rows, but a limit is compared with one");
        assertThat(expectation.judge(rows(TIME, "a")).actual()).isEqualTo("\"a\", which is not a number");
        assertThat(expectation.judge(rows(TIME, Double.NaN)).state()).isEqualTo(State.OPEN);
        assertThat(expectation.judge(rows(TIME, true)).state()).isEqualTo(State.OPEN);
    }

    @Test
    void comparesWholeNumbersExactly() {
        // given
        long large = (1L << 53) + 1;

        // then
        assertThat(RowsExpectation.equalTo(large).judge(rows(TIME, large)).state())
                .isEqualTo(State.KEPT);
        assertThat(RowsExpectation.equalTo(large).judge(rows(TIME, large - 1)).state())
                .isEqualTo(State.BROKEN);
        assertThat(RowsExpectation.equalTo(large).judge(rows(TIME, large + 1)).state())
                .isEqualTo(State.BROKEN);
    }

    @Test
    void countsRowsWithoutLimit() {
        // then
        assertThat(RowsExpectation.within("", "").words()).isEqualTo("no rows");
        assertThat(RowsExpectation.within("", "").judge(nothing(BARE)).state()).isEqualTo(State.KEPT);
        assertThat(RowsExpectation.rows(0).judge(rows(BARE, 1L)).actual()).isEqualTo("1 row");
        assertThat(RowsExpectation.rows(2).judge(rows(BARE, 1L, 2L)).state()).isEqualTo(State.KEPT);
        assertThat(RowsExpectation.rows(1)
                        .judge(new TableRows("select", List.of(BARE), List.of(List.of(1L)), true))
                        .state())
                .isEqualTo(State.BROKEN);
    }

    @Test
    void refusesLimitsThatCannotBeMet() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RowsExpectation.within("1 ms", "2 ms"))
                .withMessageContaining("greater than max");
        assertThatIllegalArgumentException().isThrownBy(() -> RowsExpectation.within("fast", ""));
    }

    @Test
    void showsRowsWithTheirUnits() {
        // given
        TableRows found = new TableRows(
                "select",
                List.of(new TableColumn("opcode", "VARCHAR", Optional.empty()), TIME),
                List.of(
                        List.of("MATMUL\u001b[31m", 1_800_000L),
                        List.of("COPY", -1L),
                        Arrays.asList(null, null),
                        List.of("DRAIN", 5L)),
                false);

        // then
        assertThat(found.toText(3)).isEqualTo("""
                opcode            sum(duration_ns)
                MATMUL\\u001b[31m            1.8 ms
                COPY                            -1
                NULL                          NULL
                … and 1 more row
                """);
    }
}
