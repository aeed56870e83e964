package dev.neurontest.assertj;

import dev.neurontest.profile.ProfileTables;
import org.apiguardian.api.API;
import org.assertj.core.api.InstanceOfAssertFactory;

/** Assertions on the tables of a profile. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class ProfileTablesAssert extends AbstractNeuronAssert<ProfileTablesAssert, ProfileTables> {

    /**
     * Starts assertions; {@link NeuronAssertions#assertThat(ProfileTables)} is the usual way.
     *
     * @param actual what the profiler wrote
     */
    public ProfileTablesAssert(ProfileTables actual) {
        super(actual, ProfileTablesAssert.class);
    }

    /**
     * Goes on to what a query finds.
     *
     * <pre>{@code
     * String transposes = "select sum(duration_ns) from instruction where opcode = 'TRANSPOSE'";
     * assertThat(profile.tables()).query(transposes).isAtMost("1.5 ms"); // succeeds for 1.2 ms
     * assertThat(profile.tables()).query(transposes).isAtMost("1 ms");   // fails
     * }</pre>
     *
     * @param sql one SELECT
     * @return assertions on its rows
     * @throws dev.neurontest.profile.TablesException when it has a mistake (the message shows the place), is something else than one
     *     SELECT, needs too much, or the tables cannot be read
     */
    public TableRowsAssert query(String sql) {
        isNotNull();
        return asInstanceOf(
                new InstanceOfAssertFactory<>(ProfileTables.class, tables -> new TableRowsAssert(tables.query(sql))));
    }
}
