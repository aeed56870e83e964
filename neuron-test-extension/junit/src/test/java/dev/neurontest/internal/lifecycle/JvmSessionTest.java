package dev.neurontest.internal.lifecycle;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.configuration.BadSettingException;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherConfig;
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

    @Test
    void namesMisspeltSettingOfFileWithoutItsLauncherListener(@TempDir Path folder) throws IOException {
        // given
        Path output = folder.resolve("run");
        Files.writeString(
                folder.resolve("junit-platform.properties"),
                "neuron.test.platfrom = real\nneuron.test.platform = fake:trn1.2xlarge\nneuron.test.summary = false\n"
                        + "neuron.test.output = " + output + "\n");
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        LauncherConfig config = LauncherConfig.builder()
                .enableLauncherSessionListenerAutoRegistration(false)
                .build();
        try (URLClassLoader withFile =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            thread.setContextClassLoader(withFile);

            // when
            try (LauncherSession session = LauncherFactory.openSession(config)) {
                session.getLauncher()
                        .execute(LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(OneCoreFixture.class))
                                .build());
            }
        } finally {
            thread.setContextClassLoader(before);
        }

        // then
        try (Stream<Path> files = Files.list(output)) {
            assertThat(files.filter(Files::isRegularFile))
                    .singleElement()
                    .satisfies(file -> assertThat(file)
                            .content()
                            .contains("configuration parameter neuron.test.platfrom is not a setting"));
        }
    }
}
