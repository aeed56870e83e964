package dev.neurontest.profile.system;

import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.table.ProfileTables;
import dev.neurontest.profile.table.TableFixture;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** System profiles for tests. */
public final class SystemFixture {

    /** Ten executions on a logical core of two physical ones, the tenth of which is slow, and a thread that waits for each. */
    static final String TEN_EXECUTIONS = """
            select 1000 + range * 1000 as start_ts, 100 + case range when 9 then 800 else 0 end as duration_ns,
                'nc_exec_running' as name, 'neuron_hw' as trace_event_source, 'i-1' as instance_id,
                7 as process_id, 7 as thread_id, 0 as nc_idx, 0 as pcore_idx from range(10)
            union all select 1000 + range * 1000, 30, 'nc_exec_running', 'neuron_hw', 'i-1', 7, 7, 0, 1 from range(10)
            union all select 900 + range * 1000, 200, 'nrt_execute', 'neuron_rt', 'i-1', 7, 8, 0, null from range(10)
            """;

    private SystemFixture() {}

    static SystemEvents read(Path folder) {
        return SystemEvents.of(ProfileTables.of(folder), SystemEvents.MOST_PER_CORE);
    }

    /** Of ten executions that took 100 ns, and one 900 ns. */
    public static SystemProfile tenExecutions(Path folder, Doubt... doubts) {
        TableFixture.write(folder, "SystemProfileEvents", TEN_EXECUTIONS);
        return new SystemProfile(
                "resnet50.neff",
                "neuron-explorer 2.33.38.0",
                read(folder),
                List.of(doubts),
                List.of(),
                List.of(),
                folder,
                Optional.of(folder));
    }
}
