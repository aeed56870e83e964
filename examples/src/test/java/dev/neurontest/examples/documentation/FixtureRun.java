package dev.neurontest.examples.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.reporting.FileEntry;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.opentest4j.TestAbortedException;

/**
 * A runner of the tests with failures and attachments that the pages show: each class once for each choice of settings.
 */
final class FixtureRun {

    private static final Pattern PLACE = Pattern.compile("(\\S+\\.java)#(\\w+)(?: with (.+))?");

    private final Path root;
    private final Map<String, Results> runs = new HashMap<>();

    private static final class Results implements TestExecutionListener {

        final Map<String, String> failures = new TreeMap<>();
        final Map<String, Path> attachments = new TreeMap<>();
        final List<String> brokenBuild = new ArrayList<>();
        final List<String> notHere = new ArrayList<>();

        @Override
        public void fileEntryPublished(TestIdentifier test, FileEntry file) {
            attachments.put(method(test) + "/" + file.getPath().getFileName(), file.getPath());
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            result.getThrowable().ifPresent(failure -> {
                if (failure instanceof LinkageError) {
                    brokenBuild.add(failure.toString());
                }
                if (test.isContainer() && result.getStatus() == TestExecutionResult.Status.ABORTED) {
                    notHere.add(String.valueOf(failure.getMessage()));
                }
                failures.put(method(test), String.valueOf(failure.getMessage()));
            });
        }

        private static String method(TestIdentifier test) {
            return test.getSource()
                    .filter(MethodSource.class::isInstance)
                    .map(source -> ((MethodSource) source).getMethodName())
                    .orElse("");
        }
    }

    FixtureRun(Path root) {
        this.root = root;
    }

    /** Returns the message of the failure of {@code FILE#METHOD [with SETTING=VALUE, …]}. */
    String failure(String place) {
        Matcher matcher = parsed(place);
        String message = results(matcher).failures.get(matcher.group(2));
        if (message == null) {
            throw new IllegalArgumentException(matcher.group(2) + " did not fail; "
                    + results(matcher).failures.keySet() + " did");
        }
        return message;
    }

    /** Returns the attachment {@code NAME of FILE#METHOD [with SETTING=VALUE, …]}. */
    String attachment(String place) {
        String[] parts = place.split(" of ", 2);
        if (parts.length < 2) {
            throw new IllegalArgumentException("write: attachment NAME of FILE#METHOD");
        }
        Matcher matcher = parsed(parts[1]);
        Results results = results(matcher);
        Path file = results.attachments.get(matcher.group(2) + "/" + parts[0]);
        if (file == null) {
            throw new IllegalArgumentException("there is no such attachment: " + results.attachments.keySet());
        }
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Matcher parsed(String place) {
        Matcher matcher = PLACE.matcher(place);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "write FILE.java#METHOD, or FILE.java#METHOD with SETTING=VALUE, SETTING=VALUE");
        }
        if (!Files.isRegularFile(root.resolve(matcher.group(1)))) {
            throw new IllegalArgumentException("there is no file " + matcher.group(1));
        }
        return matcher;
    }

    private Results results(Matcher place) {
        String settings = place.group(3) == null ? "" : place.group(3);
        return runs.computeIfAbsent(place.group(1) + " " + settings, key -> run(place.group(1), settings));
    }

    private Results run(String file, String settings) {
        String name =
                file.replaceFirst(".*src/test/java/", "").replace(".java", "").replace('/', '.');
        Map<String, String> parameters = new HashMap<>(Map.of(
                "neuron.test.platform",
                "fake:trn1.2xlarge",
                "neuron.test.output",
                "target/documentation/run",
                "neuron.test.summary",
                "false"));
        if (!settings.isEmpty()) {
            for (String setting : settings.split(",\\s*")) {
                parameters.put(setting.replaceFirst("=.*", ""), setting.replaceFirst("[^=]*=", ""));
            }
        }
        Results results = new Results();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(name))
                                .configurationParameters(parameters)
                                .build(),
                        results);
        if (!results.brokenBuild.isEmpty()) {
            throw new IllegalStateException(
                    "The build is not whole, so no page can be compared: " + results.brokenBuild);
        }
        if (!results.notHere.isEmpty()) {
            throw new TestAbortedException(name + " cannot run here: " + results.notHere);
        }
        return results;
    }
}
