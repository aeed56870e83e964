package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.shard.Sharding;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.launcher.LauncherDiscoveryListener;
import org.junit.platform.launcher.LauncherDiscoveryRequest;

/** A listener that passes the configuration parameters to {@link ShardFilter} and records the shard of this JVM. */
final class ShardListener implements LauncherDiscoveryListener {

    private final Function<Settings, JvmSession> sessions;
    private @Nullable CachedSharding cached;

    /** Cached sharding. Surefire runs a separate discovery for each class of a fork; the timings file is read only once for all of them. */
    private record CachedSharding(List<String> texts, Optional<Sharding> sharding) {}

    ShardListener(Function<Settings, JvmSession> sessions) {
        this.sessions = sessions;
    }

    @Override
    public void launcherDiscoveryStarted(LauncherDiscoveryRequest request) {
        ShardDiscovery.end();
        Function<String, Optional<String>> parameters = request.getConfigurationParameters()::get;
        ShardDiscovery.begin(ShardDiscovery.of(
                ShardDiscovery.isAskedFor(parameters) ? sharding(Settings.of(parameters)) : Optional.empty()));
    }

    private synchronized Optional<Sharding> sharding(Settings settings) {
        // Not a constant: JVMs without a shard, which mostly do not use Neuron, then need not load the settings.
        List<String> texts = Stream.of(Setting.SHARD, Setting.SHARD_TIMINGS, Setting.SHARD_CODE)
                .map(setting -> settings.get(setting).text())
                .toList();
        if (cached == null || !cached.texts().equals(texts)) {
            cached = new CachedSharding(texts, Sharding.of(settings, System.getenv()));
        }
        return cached.sharding();
    }

    @Override
    public void launcherDiscoveryFinished(LauncherDiscoveryRequest request) {
        ShardDiscovery discovery = ShardDiscovery.current();
        ShardDiscovery.end();
        if (discovery != null && discovery.isSharded()) {
            discovery.reportTo(sessions.apply(JvmSession.settings(request.getConfigurationParameters())));
        }
    }
}
