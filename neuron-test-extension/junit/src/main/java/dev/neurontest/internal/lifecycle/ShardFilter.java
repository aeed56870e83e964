package dev.neurontest.internal.lifecycle;

import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * A filter that excludes the classes of other shards, for all engines. JUnit's launcher finds it as a service. Without the setting
 * {@code neuron.test.shard} it does nothing.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ShardFilter implements PostDiscoveryFilter {

    /** Discovery for the case that no listener started one, as in an old JUnit. */
    private @Nullable ShardDiscovery own;

    /** Creates the filter; called by JUnit. */
    public ShardFilter() {}

    /**
     * Checks whether a test belongs to the shard of this JVM.
     *
     * @param descriptor a test, a class or a container
     * @return included if no shard is set
     * @throws dev.neurontest.internal.configuration.BadSettingException if the shard of this JVM cannot be determined
     */
    @Override
    public FilterResult apply(TestDescriptor descriptor) {
        ShardDiscovery discovery = ShardDiscovery.current();
        if (discovery == null) {
            discovery = own == null ? ShardDiscovery.of(name -> Optional.empty()) : own;
            own = discovery;
        }
        return discovery.isHere(descriptor)
                ? FilterResult.included("it belongs to this shard")
                : FilterResult.excluded("it belongs to another shard (neuron.test.shard)");
    }
}
