package dev.neurontest.internal.command.run;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The user's class path, in the form of a JVM.
 *
 * @param entries folders and jars, in order; {@code folder/*} is replaced by the jars of that folder
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ClassPath(List<Path> entries) {

    private static final String ENGINE = "org.junit.platform.engine.TestEngine";
    private static final String LAUNCHER = "org/junit/platform/launcher/Launcher.class";

    /** Creates a class path with a copy of the list. */
    public ClassPath {
        entries = List.copyOf(entries);
    }

    /**
     * Parses class paths.
     *
     * @param texts class paths as given in options
     * @throws CommandException when none of the entries exists
     */
    public static ClassPath of(List<String> texts) {
        List<Path> entries = new ArrayList<>();
        for (String text : texts) {
            for (String entry : text.split(File.pathSeparator)) {
                if (entry.equals("*") || entry.endsWith("/*") || entry.endsWith(File.separator + "*")) {
                    entries.addAll(jarsIn(Path.of(entry.equals("*") ? "." : entry.substring(0, entry.length() - 2))));
                } else if (!entry.isEmpty()) {
                    entries.add(Path.of(entry));
                }
            }
        }
        List<Path> missing =
                entries.stream().filter(entry -> !Files.exists(entry)).toList();
        if (missing.size() == entries.size() && !missing.isEmpty()) {
            throw new CommandException(
                    "No entry of the class path exists: %s. Build the tests first, or correct --class-path."
                            .formatted(join(missing)));
        }
        return new ClassPath(entries);
    }

    private static List<Path> jarsIn(Path folder) {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.{jar,JAR}")) {
            List<Path> paths = new ArrayList<>();
            jars.forEach(paths::add);
            paths.sort(null);
            return paths;
        } catch (IOException absent) {
            throw new CommandException(
                    "The folder %s of the class path cannot be listed: %s".formatted(folder, absent), absent);
        }
    }

    /** Adds an optional folder or jar at the end. */
    public ClassPath and(Optional<Path> entry) {
        return new ClassPath(Stream.concat(entries.stream(), entry.stream()).toList());
    }

    /** Returns the folders, which contain classes as files. Tests are searched there unless an option selects other roots. */
    public List<Path> folders() {
        return entries.stream().filter(Files::isDirectory).toList();
    }

    /**
     * Checks whether JUnit 6 is present without its launcher, as in the class path of a build. The launcher of this program is that of
     * JUnit 5, and all parts of JUnit must have one version.
     */
    boolean needsLauncher() throws IOException {
        URL[] urls = new URL[entries.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = entries.get(i).toUri().toURL();
        }
        try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
            @Nullable String version = loader.loadClass(ENGINE).getPackage().getImplementationVersion();
            return version != null && version.startsWith("6.") && loader.getResource(LAUNCHER) == null;
        } catch (ClassNotFoundException | LinkageError none) {
            return false;
        }
    }

    private static String join(List<Path> paths) {
        return String.join(
                File.pathSeparator, paths.stream().map(Path::toString).toList());
    }

    @Override
    public String toString() {
        return join(entries);
    }
}
