package dev.neurontest.command.run;

import dev.neurontest.folder.TemporaryFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * JUnit's launcher for a class path that has JUnit 6 without it, as that of a build usually has: the launcher that is part of this
 * program's own class path is that of JUnit 5, and JUnit's parts must be of one version.
 */
final class BundledLauncher implements AutoCloseable {

    private static final String LAUNCHER_6 = "junit-platform-launcher-6.jar";

    private final Optional<TemporaryFolder> folder;

    private BundledLauncher(Optional<TemporaryFolder> folder) {
        this.folder = folder;
    }

    /** What the class path needs; nothing where it has its own, or where the one of this program fits. */
    static BundledLauncher of(ClassPath tests) throws IOException {
        boolean needed = !tests.hasLauncher()
                && tests.platformVersion()
                        .filter(version -> version.startsWith("6."))
                        .isPresent();
        return new BundledLauncher(needed ? unpacked() : Optional.empty());
    }

    private static Optional<TemporaryFolder> unpacked() throws IOException {
        try (@Nullable InputStream resource = BundledLauncher.class.getResourceAsStream(LAUNCHER_6)) {
            if (resource == null) {
                throw new CommandException(
                        "The class path has JUnit 6 without its launcher, and so has this program when it is not run as"
                                + " neuron-test.jar. Add org.junit.platform:junit-platform-launcher of the same version.");
            }
            TemporaryFolder folder = TemporaryFolder.make();
            Files.copy(resource, jar(folder));
            return Optional.of(folder);
        }
    }

    private static Path jar(TemporaryFolder folder) {
        return folder.path().resolve("junit-platform-launcher.jar");
    }

    Optional<Path> jar() {
        return folder.map(BundledLauncher::jar);
    }

    @Override
    public void close() {
        folder.ifPresent(TemporaryFolder::close);
    }
}
