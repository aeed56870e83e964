package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunLine;
import dev.neurontest.internal.evidence.RunLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.platform.engine.OutputDirectoryCreator;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.discovery.MethodSelector;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** A kit that runs fixture classes on a given platform, as a user's build does, and returns the results. */
public final class NeuronTestKit {

    private final Path output;
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private final List<String> resources = new ArrayList<>();

    public NeuronTestKit(Path output) {
        this.output = output;
        with("neuron.test.output", output.resolve("run").toString());
        with("neuron.test.platform", "fake:trn1.2xlarge");
    }

    public NeuronTestKit on(String platform) {
        return with("neuron.test.platform", platform);
    }

    public NeuronTestKit with(String parameter, String value) {
        parameters.put(parameter, value);
        return this;
    }

    /** Reads configuration parameters from a file of the class path, as from {@code junit-platform.properties}. */
    NeuronTestKit fromFile(String resource) {
        resources.add(resource);
        return this;
    }

    NeuronTestKit inParallel() {
        return with("junit.jupiter.execution.parallel.enabled", "true")
                .with("junit.jupiter.execution.parallel.mode.default", "concurrent")
                .with("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .with("junit.jupiter.execution.parallel.config.fixed.parallelism", "8");
    }

    public EngineExecutionResults run(Class<?>... testClasses) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(Stream.of(testClasses)
                        .map(testClass -> selectClass(testClass))
                        .toArray(ClassSelector[]::new))
                .configurationParameters(parameters)
                .outputDirectoryCreator(new Attachments(output.resolve("junit")))
                .execute();
    }

    /** Runs one method of a class. */
    public EngineExecutionResults run(Class<?> testClass, String method) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(Stream.of(testClass.getDeclaredMethods())
                        .filter(each -> each.getName().equals(method))
                        .map(each -> selectMethod(testClass, each))
                        .toArray(MethodSelector[]::new))
                .configurationParameters(parameters)
                .outputDirectoryCreator(new Attachments(output.resolve("junit")))
                .execute();
    }

    /** Runs tests by JUnit's launcher, as build tools and IDEs do. */
    public TestExecutionSummary launch(Class<?>... testClasses) {
        return launch(new TestExecutionListener() {}, testClasses);
    }

    TestExecutionSummary launch(TestExecutionListener listener, Class<?>... testClasses) {
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        try (LauncherSession session = LauncherFactory.openSession()) {
            session.getLauncher()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(Stream.of(testClasses)
                                            .map(testClass -> selectClass(testClass))
                                            .toArray(ClassSelector[]::new))
                                    .configurationParameters(parameters)
                                    .configurationParametersResources(resources.toArray(String[]::new))
                                    .build(),
                            summary,
                            listener);
        }
        return summary.getSummary();
    }

    /** Returns the content of the run file. */
    List<RunEvent> events() {
        Path folder = output.resolve("run");
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            List<RunEvent> events = new ArrayList<>();
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                RunLog.read(file).lines().stream().map(RunLine::event).forEach(events::add);
            }
            return events;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    public <E extends RunEvent> List<E> events(Class<E> type) {
        return events().stream().filter(type::isInstance).map(type::cast).toList();
    }

    List<String> notices() {
        return events(RunEvent.Noticed.class).stream()
                .map(RunEvent.Noticed::notice)
                .toList();
    }

    /** Returns the first file of this name that a test published. */
    String attachment(String name) throws IOException {
        try (Stream<Path> files = Files.walk(output.resolve("junit"))) {
            return Files.readString(
                    files.filter(file -> file.endsWith(name)).findFirst().orElseThrow());
        }
    }

    /** Creates a separate folder for the published files of each test. */
    private record Attachments(Path folder) implements OutputDirectoryCreator {

        @Override
        public Path getRootDirectory() {
            return folder;
        }

        @Override
        public Path createOutputDirectory(TestDescriptor test) throws IOException {
            return Files.createDirectories(
                    folder.resolve(Integer.toHexString(test.getUniqueId().hashCode())));
        }
    }

    /** Returns the failures of the tests and containers in order. */
    public static List<Throwable> failures(EngineExecutionResults results) {
        return results.allEvents().failed().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .flatMap(result -> result.getThrowable().stream())
                .toList();
    }

    /** Returns the only failure. */
    public static Throwable onlyFailure(EngineExecutionResults results) {
        List<Throwable> failures = failures(results);
        assertThat(failures).hasSize(1);
        return failures.get(0);
    }
}
