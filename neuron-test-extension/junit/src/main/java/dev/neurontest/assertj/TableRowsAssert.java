package dev.neurontest.assertj;

import dev.neurontest.internal.profile.table.RowsExpectation;
import dev.neurontest.profile.TableRows;
import java.util.Locale;
import org.apiguardian.api.API;

/**
 * Assertions on the result of a query on the tables of a profile. A limit is compared with one number: NULL, no row and several rows fail
 * every limit. A limit includes its unit if the column has one, according to the schema or to the ending of its name.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class TableRowsAssert extends AbstractNeuronAssert<TableRowsAssert, TableRows> {

    private static final int SHOWN = 10;

    /**
     * Creates the assertions; usually called by {@link ProfileTablesAssert#query(String)}.
     *
     * @param actual the rows
     */
    public TableRowsAssert(TableRows actual) {
        super(actual, TableRowsAssert.class);
    }

    /**
     * Verifies that the result is one number that does not exceed a limit.
     *
     * <pre>{@code
     * String waits = "select max(evt_wait_time_ns) from instruction";
     * assertThat(profile.tables()).query(waits).isAtMost("20 us"); // succeeds for 18 us
     * assertThat(profile.tables()).query(waits).isAtMost("15 us"); // fails
     * }</pre>
     *
     * @param max the largest accepted value with the unit of the column
     * @return this
     * @throws IllegalArgumentException if the limit cannot be parsed, or has a unit although the column has none
     */
    public TableRowsAssert isAtMost(String max) {
        return meets(RowsExpectation.within(max, ""));
    }

    /**
     * Verifies that the result is one number that is not below a limit.
     *
     * <pre>{@code
     * String matmuls = "select count(*) from instruction where opcode = 'MATMUL'";
     * assertThat(profile.tables()).query(matmuls).isAtLeast("1_000"); // succeeds for 1,024
     * assertThat(profile.tables()).query(matmuls).isAtLeast("2_000"); // fails
     * }</pre>
     *
     * @param min the smallest accepted value with the unit of the column
     * @return this
     * @throws IllegalArgumentException if the limit cannot be parsed, or has a unit although the column has none
     */
    public TableRowsAssert isAtLeast(String min) {
        return meets(RowsExpectation.within("", min));
    }

    /**
     * Verifies that the result is one number in a range.
     *
     * <pre>{@code
     * String spilled = "select sum(spill_save_bytes) from instruction";
     * assertThat(profile.tables()).query(spilled).isBetween("1 KiB", "8 KiB"); // succeeds for 4 KiB
     * assertThat(profile.tables()).query(spilled).isBetween("6 KiB", "8 KiB"); // fails
     * }</pre>
     *
     * @param min the smallest accepted value with the unit of the column
     * @param max the largest accepted value with the unit of the column
     * @return this
     * @throws IllegalArgumentException if min is greater than max, or if a limit cannot be parsed or has a unit although the column has
     *     none
     */
    public TableRowsAssert isBetween(String min, String max) {
        return meets(RowsExpectation.within(max, min));
    }

    /**
     * Verifies that the result is exactly one given number.
     *
     * <pre>{@code
     * String operations = "select count(*) from ccop";
     * assertThat(profile.tables()).query(operations).isEqualTo(3); // succeeds
     * assertThat(profile.tables()).query(operations).isEqualTo(4); // fails
     * }</pre>
     *
     * @param expected the number in the unit of the column, such as nanoseconds
     * @return this
     */
    public TableRowsAssert isEqualTo(long expected) {
        return meets(RowsExpectation.equalTo(expected));
    }

    /**
     * Verifies that the query found no rows.
     *
     * <pre>{@code
     * assertThat(profile.tables()).query("select * from warning where category = 'Missing Data'").hasNoRows(); // succeeds
     * assertThat(profile.tables()).query("select * from instruction").hasNoRows();                            // fails
     * }</pre>
     *
     * @return this
     */
    public TableRowsAssert hasNoRows() {
        return hasRows(0);
    }

    /**
     * Verifies that the query found the expected number of rows.
     *
     * <pre>{@code
     * assertThat(profile.tables()).query("select distinct engine from instruction").hasRows(5); // succeeds
     * assertThat(profile.tables()).query("select distinct engine from instruction").hasRows(4); // fails
     * }</pre>
     *
     * @param count the number of rows
     * @return this
     */
    public TableRowsAssert hasRows(int count) {
        if (count > TableRows.MOST) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "%,d rows are more than the %,d that are kept: select count(*) and use isEqualTo.",
                    count,
                    TableRows.MOST));
        }
        return meets(RowsExpectation.rows(count));
    }

    private TableRowsAssert meets(RowsExpectation expectation) {
        isNotNull();
        RowsExpectation.Outcome outcome = expectation.judge(actual);
        if (outcome.state() != RowsExpectation.State.KEPT) {
            throw failureWithActualExpected(
                    outcome.actual(),
                    expectation.words(),
                    "%nQuery: %s%nexpected %s%nwas %s%n%nIt found:%n%s",
                    actual.sql().strip(),
                    expectation.words(),
                    outcome.actual(),
                    actual.toText(SHOWN));
        }
        return this;
    }
}
