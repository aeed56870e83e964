package dev.neurontest.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** A program on a host, started by the command of an engine. Its standard error is in a file. */
final class LaunchedFixture implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;
    private final Path errors;

    private LaunchedFixture(Process process, Path errors) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.errors = errors;
    }

    static LaunchedFixture start(Path folder, HostEngine engine, List<String> command, Map<String, String> variables)
            throws IOException {
        Path errors = Files.createTempFile(folder, "stderr", ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectError(errors.toFile());
        builder.environment().putAll(variables);
        engine.clean(builder.environment());
        return new LaunchedFixture(builder.start(), errors);
    }

    Process process() {
        return process;
    }

    /** Writes a line and returns the next line of the output. A program without output is ended. */
    String exchange(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        try {
            return CompletableFuture.supplyAsync(this::next)
                    .orTimeout(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException silent) {
            process.destroyForcibly();
            throw new AssertionError("no line after " + line + ": " + errors(), silent);
        }
    }

    private String next() {
        try {
            return String.valueOf(output.readLine());
        } catch (IOException ended) {
            throw new UncheckedIOException(ended);
        }
    }

    /** Ends the standard input and returns the remaining output. */
    String rest() throws IOException {
        process.getOutputStream().close();
        StringBuilder rest = new StringBuilder();
        for (int next = output.read(); next >= 0; next = output.read()) {
            rest.append((char) next);
        }
        return rest.toString();
    }

    int exitCode() throws InterruptedException {
        assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        return process.exitValue();
    }

    String errors() throws IOException {
        return Files.readString(errors);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
