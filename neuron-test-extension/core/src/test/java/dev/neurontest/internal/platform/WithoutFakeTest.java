package dev.neurontest.internal.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.configuration.Settings;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests without the fake, which is an optional dependency. If it is chosen and missing, the message contains the
 * remedy.
 */
class WithoutFakeTest {

    /** A class loader with separate classes for the whole class path except the fake. */
    private static final class LoaderFixture extends URLClassLoader {

        LoaderFixture() throws MalformedURLException {
            super(classPath(), ClassLoader.getPlatformClassLoader());
        }

        private static URL[] classPath() throws MalformedURLException {
            String[] entries = System.getProperty("java.class.path").split(File.pathSeparator);
            URL[] urls = new URL[entries.length];
            for (int i = 0; i < entries.length; i++) {
                urls[i] = new File(entries[i]).toURI().toURL();
            }
            return urls;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("dev.neurontest.fake.")) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "fake:trn1.2xlarge, the fake host is not on the class path",
        "'replay:any.archive.txt', 'the fake host, which shows recordings, is not on the class path'"
    })
    void failureNamesMissingDependency(String platform, String reason)
            throws IOException, ReflectiveOperationException {
        // given
        Function<String, Optional<String>> parameters =
                name -> name.equals("neuron.test.platform") ? Optional.of(platform) : Optional.empty();
        try (LoaderFixture loader = new LoaderFixture()) {
            Class<?> settings = loader.loadClass(Settings.class.getName());
            Object chosen = settings.getMethod("of", Function.class).invoke(null, parameters);

            // when
            Throwable failure = null;
            try {
                loader.loadClass(Platform.class.getName())
                        .getMethod("open", settings)
                        .invoke(null, chosen);
            } catch (InvocationTargetException refused) {
                failure = refused.getCause();
            }

            // then
            assertThat(failure)
                    .isNotNull()
                    .hasMessageEndingWith(": " + reason + "; add dev.neurontest:fake-sysfs to the test dependencies");
        }
    }
}
