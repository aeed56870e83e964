package dev.neurontest.assertj;

import dev.neurontest.profile.ProfileTables;
import org.apiguardian.api.API;
import org.assertj.core.api.InstanceOfAssertFactory;

/** Assertions on the tables of a profile. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class ProfileTablesAssert extends AbstractNeuronAssert<ProfileTablesAssert, ProfileTables> {

    /**
     * Creates the assertions; usually called by {@link NeuronAssertions#assertThat(ProfileTables)}.
     *
     * @param actual the tables of the profiler
     */
    public ProfileTablesAssert(ProfileTables actual) {
        super(actual, ProfileTablesAssert.class);
    }

    /**
     * Returns assertions on the result of a query.
     *
     * <pre>{@code
     * String transposes = "select sum(duration_ns) from instruction where tensor_instruction_type = 'TRANSPOSE'";
     * assertThat(profile.tables()).query(transposes).isAtMost("1.5 ms"); // succeeds for 1.2 ms
     * assertThat(profile.tables()).query(transposes).isAtMost("1 ms");   // fails
     * }</pre>
     *
     * @param sql one SELECT statement
     * @return assertions on its rows
     * @throws dev.neurontest.profile.TablesException if the query has a mistake (the message shows the position), is not a single SELECT
     *     statement, or needs too many resources, or if the tables cannot be read
     */
    public TableRowsAssert query(String sql) {
        isNotNull();
        return asInstanceOf(
                new InstanceOfAssertFactory<>(ProfileTables.class, tables -> new TableRowsAssert(tables.query(sql))));
    }
}
