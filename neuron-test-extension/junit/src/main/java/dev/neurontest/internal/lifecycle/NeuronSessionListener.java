package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.configuration.BadSettingException;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.text.VisibleText;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.support.store.Namespace;
import org.junit.platform.engine.support.store.NamespacedHierarchicalStore;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * The launcher session listener that writes the shard and the plan of each launcher execution to the run file. When the last test of the
 * JVM has ended, it prints the summary. JUnit's launcher finds it as a service. It does nothing if no test uses Neuron, or if JUnit is too
 * old for such tests.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class NeuronSessionListener implements LauncherSessionListener {

    private @Nullable PlanListener plans;

    /** Creates the listener; called by JUnit. */
    public NeuronSessionListener() {}

    @Override
    public void launcherSessionOpened(LauncherSession launcherSession) {
        try {
            NamespacedHierarchicalStore<Namespace> store = launcherSession.getStore();
            Launcher launcher = launcherSession.getLauncher();
            Function<Settings, JvmSession> sessions = settings -> JvmSession.of(store, settings);
            if (!OldJUnit.isHere()) {
                plans = new PlanListener(sessions);
                launcher.registerTestExecutionListeners(plans);
            }
            launcher.registerLauncherDiscoveryListeners(new ShardListener(sessions));
        } catch (NoSuchMethodError | NoClassDefFoundError oldJUnit) {
            // Ignored for the reason given in sessionOf.
        }
    }

    @Override
    public void launcherSessionClosed(LauncherSession launcherSession) {
        if (plans != null) {
            plans.close();
        }
        if (sessionOf(launcherSession) instanceof JvmSession used) {
            Optional<String> summary = used.finish();
            if (summary.isPresent()) {
                System.out.println(VisibleText.of(summary.get()));
            }
        }
    }

    private static @Nullable Object sessionOf(LauncherSession launcherSession) {
        try {
            return launcherSession.getStore().get(Namespace.create(JvmSession.KEY), JvmSession.KEY);
        } catch (BadSettingException notMade) {
            // The store throws the exception again that prevented the session from being created. Each test has failed
            // with it already. If it were thrown here, it would end the whole JVM of a build tool.
            return null;
        } catch (NoSuchMethodError | NoClassDefFoundError oldJUnit) {
            // JUnit before 5.13 has no store and therefore no session. Tests without Neuron must still run.
            return null;
        }
    }
}
