package dev.neurontest.fake.internal.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.fake.internal.runtime.LibraryFile;
import dev.neurontest.patience.Patience;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Calls of the launcher, like those of the command, within other programs if necessary. */
final class LauncherFixture {

    private static final Pattern SYSTEM =
            Pattern.compile("/sys/(devices/virtual|class|module)(/.*)?|/opt(/.*)?|/dev(/neuron.*)?");

    /** The result of a program that has ended. */
    record Ended(int status, String out, String err) {}

    private LauncherFixture() {}

    private static final class Tried {
        private static final Ended ENDED = launch(List.of(), "true");
    }

    /** Assumes that there is a launcher and that namespaces are allowed. */
    static void assumeRunnable() {
        assumeThat(RealPath.unavailable()).isEmpty();
        assumeThat(Tried.ENDED.status()).as(Tried.ENDED.err()).isZero();
    }

    /** Assumes root, for a test that becomes another user. */
    static void assumeRoot() {
        assumeThat(System.getProperty("user.name"))
                .as("the user, who must be root")
                .isEqualTo("root");
    }

    /** The launcher of this JVM, extracted from the jar that may contain it. */
    private static final class Program {

        private static final Path FILE = take();

        private static Path take() {
            String name = "at-real-path-" + LibraryFile.machine();
            try (InputStream program = RealPath.class.getResourceAsStream(name)) {
                Path folder = Files.createTempDirectory("launcher-");
                Path file = folder.resolve(name);
                Files.copy(Objects.requireNonNull(program), file);
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
                // deleteOnExit deletes in the reverse order.
                folder.toFile().deleteOnExit();
                file.toFile().deleteOnExit();
                return file;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static Path program() {
        return Program.FILE;
    }

    /** Calls the launcher with words before its {@code --} and the command after it. */
    static Ended launch(List<String> grafts, String... command) {
        List<String> words = new ArrayList<>(List.of(program().toString()));
        words.addAll(grafts);
        words.add("--");
        words.addAll(List.of(command));
        return call(words);
    }

    static Ended call(List<String> words) {
        try {
            // Another user may have no access to the folder of the build.
            Process process = new ProcessBuilder(words).directory(new File("/")).start();
            process.outputWriter().close();
            // The output is small enough for a pipe.
            if (!process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            assertThat(process.isAlive()).as("alive: %s", words).isFalse();
            return new Ended(
                    process.exitValue(),
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8),
                    new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /**
     * Returns the mounts that a leaking namespace would add outside: mounts of a folder of the test, or over
     * directories of the system. Excludes others, because other processes may mount concurrently.
     */
    static List<String> mounts(Path folder) throws IOException {
        try (Stream<String> all = Files.lines(Path.of("/proc/self/mountinfo"))) {
            return all.filter(mount -> mount.contains(folder.toString())
                            || SYSTEM.matcher(mount.split(" ")[4]).matches())
                    .toList();
        }
    }
}
