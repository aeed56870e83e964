package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.configuration.BadSettingException;
import dev.neurontest.internal.text.VisibleText;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.support.store.Namespace;
import org.junit.platform.engine.support.store.NamespacedHierarchicalStore;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Writes the shard and the plan of each execution of JUnit's launcher to the run file, and prints the summary of a JVM's tests when the
 * last one has ended. JUnit's launcher finds it as a service. Where no test uses Neuron, or JUnit is too old for such tests, it does
 * nothing.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class NeuronSessionListener implements LauncherSessionListener {

    private @Nullable PlanListener plans;

    /** JUnit makes it. */
    public NeuronSessionListener() {}

    @Override
    public void launcherSessionOpened(LauncherSession launcherSession) {
        try {
            NamespacedHierarchicalStore<Namespace> store = launcherSession.getStore();
            Launcher launcher = launcherSession.getLauncher();
            if (!OldJUnit.isHere()) {
                plans = new PlanListener(settings -> JvmSession.of(store, settings));
                launcher.registerTestExecutionListeners(plans);
            }
            launcher.registerLauncherDiscoveryListeners(new ShardListener(settings -> JvmSession.of(store, settings)));
        } catch (NoSuchMethodError | NoClassDefFoundError oldJUnit) {
            // As below.
        }
    }

    @Override
    public void launcherSessionClosed(LauncherSession launcherSession) {
        if (plans != null) {
            plans.close();
        }
        if (sessionOf(launcherSession) instanceof JvmSession used) {
            Optional<String> summary = used.finish();
            summary.map(VisibleText::of).ifPresent(System.out::println);
        }
    }

    private static @Nullable Object sessionOf(LauncherSession launcherSession) {
        try {
            return launcherSession.getStore().get(Namespace.create(JvmSession.KEY), JvmSession.KEY);
        } catch (BadSettingException notMade) {
            // The store throws again what kept the session from being made. Each test has failed with it already.
            // Thrown from here, it would end the whole JVM of a build tool.
            return null;
        } catch (NoSuchMethodError | NoClassDefFoundError oldJUnit) {
            // Before 5.13 there is no store, so there is no session. Tests that have nothing to do with Neuron run on.
            return null;
        }
    }
}
