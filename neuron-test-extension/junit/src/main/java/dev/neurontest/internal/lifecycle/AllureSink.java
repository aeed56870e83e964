package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.evidence.AttachmentSink;
import dev.neurontest.internal.file.InputFile;
import io.qameta.allure.Allure;
import io.qameta.allure.model.Label;
import io.qameta.allure.model.TestResult;
import io.qameta.allure.util.PropertiesUtils;
import java.io.IOException;
import java.io.StringReader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A sink that attaches files to the Allure result of the test or class on the calling thread. On other threads Allure has no current test
 * and nothing is attached.
 */
@API(status = API.Status.INTERNAL)
public final class AllureSink implements AttachmentSink {

    private static final String LISTENER = "io.qameta.allure.junitplatform.AllureJunitPlatform";

    /** Allure's own label for the machine. */
    private static final String HOST = "host";

    private final @Nullable Class<?> listener;
    private volatile @Nullable Boolean attaches;

    /** Creates a sink. The parameter is the class of Allure's test listener, or null without one. */
    AllureSink(@Nullable Class<?> listener) {
        this.listener = listener;
    }

    /**
     * Finds Allure on the class path.
     *
     * @return empty if Allure is not on the class path
     */
    public static Optional<AllureSink> find() {
        if (load("io.qameta.allure.Allure").isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new AllureSink(load(LISTENER).orElse(null)));
    }

    /** Keeps what follows on this thread for the Allure result of a class, which exists only if the class fails. */
    public void beginClass(String uniqueId) {
        AllureClassResults.begin(uniqueId);
    }

    /** Discards what was kept for the class on this thread. */
    public void discardClass() {
        AllureClassResults.discard();
    }

    @Override
    public Optional<Path> attach(String name, String mediaType, byte[] content) {
        if (attaches()) {
            String extension = name.substring(name.lastIndexOf('.') + 1);
            AllureClassResults.apply(() -> Allure.getLifecycle().addAttachment(name, mediaType, extension, content));
        }
        return Optional.empty();
    }

    /** Adds labels to the Allure result of the test on the calling thread. */
    public void label(Map<String, String> labels) {
        update(result -> labels.forEach((name, value) ->
                result.getLabels().add(new Label().setName(name).setValue(value))));
    }

    /**
     * Updates the Allure result under a lock. Threads that a test starts inherit its result, so tests that run inside a test can update it
     * concurrently.
     */
    private static void update(Consumer<TestResult> change) {
        AllureClassResults.apply(() -> Allure.getLifecycle().updateTestCase(result -> {
            synchronized (result) {
                change.accept(result);
            }
        }));
    }

    /**
     * Adds labels for the host and cores of the test on the calling thread, which Allure can use for grouping. Allure has already put the
     * machine in {@code host}. A test on another host must not be counted for the machine; its host name replaces that label.
     *
     * @param host the name of the host in the report; empty for the devices of the machine
     * @param cores the names of the cores in the report
     */
    public void place(Optional<String> host, Collection<String> cores) {
        update(result -> {
            host.ifPresent(name -> {
                result.getLabels().removeIf(label -> HOST.equals(label.getName()));
                result.getLabels().add(new Label().setName(HOST).setValue(name));
            });
            cores.forEach(core ->
                    result.getLabels().add(new Label().setName("neuron.core").setValue(core)));
        });
    }

    /**
     * Excludes parameters from the identity of a test, by which Allure finds it in the next run. The core of a test is not part of that
     * identity.
     *
     * @param names the names of the parameters
     */
    public void exclude(Collection<String> names) {
        update(result -> result.getParameters().stream()
                .filter(parameter -> names.contains(parameter.getName()))
                .forEach(parameter -> parameter.setExcluded(true)));
    }

    /**
     * Writes the environment of the run to the file that Allure shows as its environment. Values of another JVM of the same run are kept.
     */
    void environment(Map<String, String> environment) {
        Path results = Path.of(
                PropertiesUtils.loadAllureProperties().getProperty("allure.results.directory", "allure-results"));
        Path file = results.resolve("environment.properties");
        if (!Files.isDirectory(results) || Files.isSymbolicLink(file)) {
            return;
        }
        Properties all = new Properties();
        try {
            if (Files.exists(file)) {
                all.load(new StringReader(InputFile.PROPERTIES.text(file)));
            }
            environment.forEach(all::putIfAbsent);
            try (Writer saying = Files.newBufferedWriter(file)) {
                all.store(saying, null);
            }
        } catch (IOException | IllegalArgumentException notWritten) {
            // Ignored: the file is only a convenience, because the report also has all values as labels.
        }
    }

    /** Checks whether this sink attaches files. This is determined with the first file, because it loads most of Allure's classes. */
    private boolean attaches() {
        Boolean known = attaches;
        if (known == null) {
            known = listener == null || !takesPublishedFiles(listener);
            attaches = known;
        }
        return known;
    }

    /** Returns whether Allure's listener attaches published files itself. Since version 3 it does so for files published through JUnit. */
    private static boolean takesPublishedFiles(Class<?> listener) {
        try {
            return Arrays.stream(listener.getMethods())
                    .anyMatch(method -> method.getName().equals("fileEntryPublished")
                            && !method.getDeclaringClass().isInterface());
        } catch (LinkageError e) {
            return false;
        }
    }

    private static Optional<Class<?>> load(String name) {
        try {
            return Optional.of(Class.forName(name, false, AllureSink.class.getClassLoader()));
        } catch (ClassNotFoundException | LinkageError e) {
            return Optional.empty();
        }
    }
}
