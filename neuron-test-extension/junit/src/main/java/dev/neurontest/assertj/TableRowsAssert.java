package dev.neurontest.assertj;

import dev.neurontest.internal.profile.table.RowsExpectation;
import dev.neurontest.profile.TableRows;
import java.util.Locale;
import org.apiguardian.api.API;

/**
 * Assertions on what a query found in the tables of a profile. A limit is held against one number: NULL, no row and several rows fail
 * every limit. It states its unit where the column has one, by the schema or by the ending of its name.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class TableRowsAssert extends AbstractNeuronAssert<TableRowsAssert, TableRows> {

    private static final int SHOWN = 10;

    /**
     * Starts assertions; {@link ProfileTablesAssert#query(String)} is the usual way.
     *
     * @param actual what was found
     */
    public TableRowsAssert(TableRows actual) {
        super(actual, TableRowsAssert.class);
    }

    /**
     * It is one number that is not over a limit.
     *
     * <pre>{@code
     * String waits = "select max(evt_wait_time_ns) from instruction";
     * assertThat(profile.tables()).query(waits).isAtMost("20 us"); // succeeds for 18 us
     * assertThat(profile.tables()).query(waits).isAtMost("15 us"); // fails
     * }</pre>
     *
     * @param max with the unit of the column; it may be reached
     * @return this
     * @throws IllegalArgumentException when it cannot be read, or the column has no unit and the limit has one
     */
    public TableRowsAssert isAtMost(String max) {
        return meets(RowsExpectation.within(max, ""));
    }

    /**
     * It is one number that is not under a limit.
     *
     * <pre>{@code
     * String matmuls = "select count(*) from instruction where opcode = 'MATMUL'";
     * assertThat(profile.tables()).query(matmuls).isAtLeast("1_000"); // succeeds for 1,024
     * assertThat(profile.tables()).query(matmuls).isAtLeast("2_000"); // fails
     * }</pre>
     *
     * @param min with the unit of the column; it may be reached
     * @return this
     * @throws IllegalArgumentException when it cannot be read, or the column has no unit and the limit has one
     */
    public TableRowsAssert isAtLeast(String min) {
        return meets(RowsExpectation.within("", min));
    }

    /**
     * It is one number in a range.
     *
     * <pre>{@code
     * String spilled = "select sum(spill_save_bytes) from instruction";
     * assertThat(profile.tables()).query(spilled).isBetween("1 KiB", "8 KiB"); // succeeds for 4 KiB
     * assertThat(profile.tables()).query(spilled).isBetween("6 KiB", "8 KiB"); // fails
     * }</pre>
     *
     * @param min with the unit of the column; it may be reached
     * @param max with the unit of the column; it may be reached
     * @return this
     * @throws IllegalArgumentException when min is over max, one cannot be read, or the column has no unit and a limit has one
     */
    public TableRowsAssert isBetween(String min, String max) {
        return meets(RowsExpectation.within(max, min));
    }

    /**
     * It is one number, exactly.
     *
     * <pre>{@code
     * String operations = "select count(*) from ccop";
     * assertThat(profile.tables()).query(operations).isEqualTo(3); // succeeds
     * assertThat(profile.tables()).query(operations).isEqualTo(4); // fails
     * }</pre>
     *
     * @param expected in the unit of the column, such as nanoseconds
     * @return this
     */
    public TableRowsAssert isEqualTo(long expected) {
        return meets(RowsExpectation.equalTo(expected));
    }

    /**
     * Nothing is so.
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
     * So many are so.
     *
     * <pre>{@code
     * assertThat(profile.tables()).query("select distinct engine from instruction").hasRows(5); // succeeds
     * assertThat(profile.tables()).query("select distinct engine from instruction").hasRows(4); // fails
     * }</pre>
     *
     * @param count how many rows
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

    private TableRowsAssert meets(RowsExpectation demand) {
        isNotNull();
        RowsExpectation.Outcome outcome = demand.judge(actual);
        if (outcome.state() != RowsExpectation.State.KEPT) {
            throw failureWithActualExpected(
                    outcome.actual(),
                    demand.words(),
                    "%nQuery: %s%nexpected %s%nwas %s%n%nIt found:%n%s",
                    actual.sql().strip(),
                    demand.words(),
                    outcome.actual(),
                    actual.toText(SHOWN));
        }
        return this;
    }
}
