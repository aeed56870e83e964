package dev.neurontest.internal.lifecycle;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.configuration.BadSettingException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

class JvmSessionTest {

    private static WeakReference<ExtensionContext> seen = new WeakReference<>(null);

    @ExtendWith(ContextSpy.class)
    @NeuronTest
    static class OneCoreFixture {

        @Test
        void test(NeuronCore core) {}
    }

    static final class ContextSpy implements BeforeAllCallback {

        @Override
        public void beforeAll(ExtensionContext context) {
            seen = new WeakReference<>(context);
        }
    }

    @Test
    void doesNotRetainItsFirstTestPlan(@TempDir Path output) {
        // given
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(OneCoreFixture.class))
                .configurationParameter("neuron.test.platform", "fake:trn1.2xlarge")
                .configurationParameter("neuron.test.output", output.toString())
                .configurationParameter("neuron.test.summary", "false")
                .build();
        try (LauncherSession session = LauncherFactory.openSession()) {

            // when
            session.getLauncher().execute(request);

            // then
            assertThat(output).isNotEmptyDirectory();
            await().until(() -> {
                System.gc();
                return seen.get() == null;
            });
        }
    }

    @Test
    void endsQuietlyAfterABadSetting() {
        // given
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(OneCoreFixture.class))
                .configurationParameter("neuron.test.lease.owners", "none")
                .build();
        SummaryGeneratingListener tests = new SummaryGeneratingListener();
        LauncherSession session = LauncherFactory.openSession();
        session.getLauncher().execute(request, tests);

        // when, then
        assertThatCode(session::close).doesNotThrowAnyException();
        assertThat(tests.getSummary().getFailures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.getException()).isInstanceOf(BadSettingException.class));
    }
}
