package dev.neurontest.internal.lifecycle;

import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * Leaves out the classes of other shards, whichever engine has them. JUnit's launcher finds it by itself; without the setting
 * {@code neuron.test.shard} it does nothing.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ShardFilter implements PostDiscoveryFilter {

    /** Where no listener has told of the discovery, as in an old JUnit. */
    private @Nullable ShardDiscovery own;

    /** JUnit makes it. */
    public ShardFilter() {}

    /**
     * Asks whether a test belongs to the shard of this JVM.
     *
     * @param descriptor a test, a class or a container
     * @return included where no shard was set
     * @throws dev.neurontest.internal.configuration.BadSettingException when it cannot be known which shard this is
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
