package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.evidence.AttachmentSink;
import dev.neurontest.internal.file.InputFile;
import io.qameta.allure.Allure;
import io.qameta.allure.AllureLifecycle;
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
 * Attaches to Allure's result of the test that runs on the calling thread; on other threads Allure knows no test and
 * nothing is attached.
 */
@API(status = API.Status.INTERNAL)
public final class AllureSink implements AttachmentSink {

    private static final String LISTENER = "io.qameta.allure.junitplatform.AllureJunitPlatform";

    /** Allure's own label. */
    private static final String HOST = "host";

    private final boolean attaches;

    /** With the listener of Allure that watches the tests; null without one. */
    AllureSink(@Nullable Class<?> listener) {
        this.attaches = listener == null || !takesPublishedFiles(listener);
    }

    /**
     * Looks for Allure.
     *
     * @return empty when it is not on the class path
     */
    public static Optional<AllureSink> find() {
        if (load("io.qameta.allure.Allure").isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new AllureSink(load(LISTENER).orElse(null)));
    }

    @Override
    public Optional<Path> attach(String name, String mediaType, byte[] content) {
        AllureLifecycle lifecycle = Allure.getLifecycle();
        if (attaches && lifecycle.getCurrentTestCase().isPresent()) {
            lifecycle.addAttachment(name, mediaType, name.substring(name.lastIndexOf('.') + 1), content);
        }
        return Optional.empty();
    }

    /**
     * Labels the test that runs on the calling thread.
     *
     * @param labels names and values
     */
    public void label(Map<String, String> labels) {
        update(result -> labels.forEach((name, value) ->
                result.getLabels().add(new Label().setName(name).setValue(value))));
    }

    /** Threads that a test starts inherit it, so that tests which run inside a test change its result at the same time. */
    private static void update(Consumer<TestResult> change) {
        Allure.getLifecycle().updateTestCase(result -> {
            synchronized (result) {
                change.accept(result);
            }
        });
    }

    /**
     * Says where the test on the calling thread runs, in labels by which Allure can group. Allure has already put the machine in
     * {@code host}; a test on another host does not count as one of the machine.
     *
     * @param host what the report calls it; empty for the machine's own devices
     * @param cores as the report names them
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
     * Keeps parameters out of what a test is recognised by in the next run: which core it got is no part of what it tests.
     *
     * @param names of the parameters
     */
    public void exclude(Collection<String> names) {
        update(result -> result.getParameters().stream()
                .filter(parameter -> names.contains(parameter.getName()))
                .forEach(parameter -> parameter.setExcluded(true)));
    }

    /**
     * Says on what the run was, in the file that Allure shows as its environment. What another JVM of the run has said stays.
     *
     * @param environment names and values
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
            // It is a convenience of a report that has all of it as labels, too.
        }
    }

    /** From version 3 on Allure's listener turns files published through JUnit into attachments by itself. */
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
