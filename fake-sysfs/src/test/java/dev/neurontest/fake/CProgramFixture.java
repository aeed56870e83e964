package dev.neurontest.fake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A compiler of test programs in C, which do not depend on the fake. */
public final class CProgramFixture {

    private CProgramFixture() {}

    /**
     * Compiles a program of {@code src/test/c} into a folder of this JVM, to never run a file that another JVM is
     * writing.
     *
     * @param name of the source without {@code .c}, and of the program
     * @param flags after the common ones
     */
    public static Path compile(String name, String... flags) {
        try {
            Path folder = Files.createDirectories(Path.of(
                    "target",
                    "test-programs",
                    Long.toString(ProcessHandle.current().pid())));
            Path program = folder.resolve(name).toAbsolutePath();
            // deleteOnExit deletes in the reverse order.
            folder.toFile().deleteOnExit();
            program.toFile().deleteOnExit();
            List<String> command = new ArrayList<>(List.of("gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror"));
            command.addAll(List.of("src/test/c/" + name + ".c", "-o", program.toString()));
            command.addAll(List.of(flags));
            Process gcc = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(gcc.waitFor()).as(output).isZero();
            return program;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
