package dev.neurontest.internal.evidence;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The tool that started a JVM of tests. Reports use it to describe how to run a test again. It is detected by the properties that
 * each tool sets. An IDE sets no usable property, so in that case the build file in the working directory decides.
 *
 * @param name {@code maven}, {@code gradle}, {@code gradlew} if the build contains Gradle's wrapper, or {@code neuron-test}
 * @param target the built module or task. For Maven it is the path of the module below the root of the build, such as
 *     {@code services/bert}, or null for the root itself. For Gradle it is a task such as {@code :services:bert:test}
 * @param options the options of {@code neuron-test run} that the tests need, such as their class path; null for other tools
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record TestTool(
        String name, @Nullable String target, @Nullable List<String> options) {

    /** The name of Maven. */
    public static final String MAVEN = "maven";

    /** The name of an installed Gradle. */
    public static final String GRADLE = "gradle";

    /** The name of Gradle's wrapper in the build. */
    public static final String GRADLE_WRAPPER = "gradlew";

    /** The name of the command of this project. */
    public static final String NEURON_TEST = "neuron-test";

    /** The system property with the options of {@code neuron-test run} for the JVM of the tests, one per line. */
    public static final String OPTIONS = "dev.neurontest.run.options";

    private static final String MODULE = "<module>";

    /** Creates the record with a copy of the options. */
    public TestTool {
        options = options == null ? null : List.copyOf(options);
    }

    static Optional<TestTool> ofThisJvm() {
        return of(System::getProperty, Path.of(""));
    }

    static Optional<TestTool> of(UnaryOperator<@Nullable String> properties, Path workingDirectory) {
        String options = properties.apply(OPTIONS);
        if (options != null) {
            return Optional.of(new TestTool(NEURON_TEST, null, options.lines().toList()));
        }
        Path folder = workingDirectory.toAbsolutePath().normalize();
        if (properties.apply("org.gradle.test.worker") != null) {
            return Optional.of(gradle(folder, task(properties.apply("org.gradle.internal.worker.tmpdir"))));
        }
        // Surefire and Failsafe set the folder of the module, which might differ from the working directory.
        String module = properties.apply("basedir");
        if (module != null && properties.apply("surefire.real.class.path") != null) {
            return Optional.of(maven(Path.of(module).toAbsolutePath().normalize()));
        }
        if (Files.exists(folder.resolve("pom.xml"))) {
            return Optional.of(maven(folder));
        }
        return hasAny(folder, "build.gradle") ? Optional.of(gradle(folder, "test")) : Optional.empty();
    }

    private static TestTool maven(Path module) {
        Path root = module;
        Set<Path> below = new HashSet<>(Set.of(module));
        for (Path folder = module.getParent(); folder != null; folder = folder.getParent()) {
            if (leads(folder, below)) {
                root = folder;
                below.add(folder);
            }
        }
        return new TestTool(MAVEN, root.equals(module) ? null : path(root, module, "/"), null);
    }

    /**
     * Checks whether a folder has a Maven project with one of the given modules. This avoids regular expressions, which would
     * cost the first test of a JVM some milliseconds.
     */
    private static boolean leads(Path folder, Set<Path> below) {
        Path pom = folder.resolve("pom.xml");
        if (!Files.isRegularFile(pom)) {
            return false;
        }
        try {
            String text = new String(Files.readAllBytes(pom), StandardCharsets.UTF_8);
            for (int start = text.indexOf(MODULE); start >= 0; start = text.indexOf(MODULE, start + 1)) {
                int end = text.indexOf("</", start);
                boolean comment = text.lastIndexOf("<!--", start) > text.lastIndexOf("-->", start);
                if (end > 0 && !comment && leadsTo(folder, text.substring(start + MODULE.length(), end), below)) {
                    return true;
                }
            }
            return false;
        } catch (IOException | InvalidPathException unreadable) {
            return false;
        }
    }

    /** Checks whether a module name leads to one of the given folders. A module can also be named by its file. */
    private static boolean leadsTo(Path folder, String name, Set<Path> below) {
        Path module = folder.resolve(name.strip()).normalize();
        return below.contains(name.strip().endsWith(".xml") ? module.getParent() : module);
    }

    private static TestTool gradle(Path project, String task) {
        Path root = project;
        for (Path folder = project; folder != null; folder = folder.getParent()) {
            if (hasAny(folder, "settings.gradle")) {
                root = folder;
                break;
            }
        }
        String path = root.equals(project) ? "" : ":" + path(root, project, ":");
        return new TestTool(Files.exists(root.resolve("gradlew")) ? GRADLE_WRAPPER : GRADLE, path + ":" + task, null);
    }

    /** Returns the name of the task. The temporary folder of a worker is {@code build/tmp/TASK/work}. */
    private static String task(@Nullable String temporary) {
        Path folder = temporary == null ? null : Path.of(temporary).getParent();
        return folder == null || folder.getFileName() == null
                ? "test"
                : folder.getFileName().toString();
    }

    private static boolean hasAny(Path folder, String script) {
        return Files.exists(folder.resolve(script)) || Files.exists(folder.resolve(script + ".kts"));
    }

    private static String path(Path root, Path below, String separator) {
        return root.relativize(below).toString().replace(File.separator, separator);
    }
}
