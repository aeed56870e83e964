package dev.neurontest.internal.cluster.rank;

import dev.neurontest.internal.cluster.agent.RemoteHost;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.process.ProgramFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * The cluster of a test.
 *
 * @param hosts leased hosts, in the order of their ranks
 * @param folder folder for the files of the test, requested when the first one is needed
 * @param tag name of the test, for monitoring
 * @param environment variables for its programs besides those of their hosts, requested at each start
 * @param folders folders for files of its programs, requested at each start
 * @param observer observer of each start and end
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ClusterContext(
        List<LeasedHost> hosts,
        Supplier<Path> folder,
        String tag,
        Supplier<Map<String, String>> environment,
        Supplier<List<ProgramFolder>> folders,
        ClusterObserver observer) {

    /** A host with the lease of its cores. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record LeasedHost(RemoteHost host, Lease lease) {

        public String name() {
            return host.name();
        }
    }

    /** Creates a context with its own copy of the hosts. */
    public ClusterContext {
        hosts = List.copyOf(hosts);
    }
}
