package dev.neurontest.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A C program that is linked to the library of a host and makes the calls that a test writes to it. */
final class RuntimeProgramFixture implements AutoCloseable {

    private final Process process;
    private final Writer calls;
    private final BufferedReader answers;
    private final Path err;

    private RuntimeProgramFixture(Process process, Path err) {
        this.process = process;
        this.calls = process.outputWriter(StandardCharsets.UTF_8);
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.ISO_8859_1));
        this.err = err;
    }

    /** The program, compiled once for the library of any host, because all have the same name and the same calls. */
    private static final class Compiled {

        private static final Path PROGRAM = compile();

        private static Path compile() {
            try (FakeNeuronHost host = FakeNeuronHost.builder().start()) {
                return CProgramFixture.compile(
                        "runtime_calls",
                        "-Isrc/main/c",
                        "-pthread",
                        "-L" + host.directory().resolve("opt/aws/neuron/lib"),
                        "-lnrt",
                        "-ldl");
            }
        }
    }

    static void requireLibrary() {
        assumeThat(FakeRuntime.unavailable()).as("the library").isEmpty();
    }

    static RuntimeProgramFixture start(FakeNeuronHost host) throws IOException {
        return start(host, Map.of());
    }

    /**
     * Starts the program.
     *
     * @param variables added to its environment, which already points at the host
     */
    static RuntimeProgramFixture start(FakeNeuronHost host, Map<String, String> variables) throws IOException {
        requireLibrary();
        return start(Compiled.PROGRAM, host, variables);
    }

    private static RuntimeProgramFixture start(Path program, FakeNeuronHost host, Map<String, String> variables)
            throws IOException {
        Path err = Files.createTempFile("runtime-calls", ".err");
        ProcessBuilder builder = new ProcessBuilder(List.of(program.toString()));
        builder.environment().keySet().removeIf(name -> name.startsWith("NEURON_"));
        builder.environment()
                .put(
                        "LD_LIBRARY_PATH",
                        host.directory().resolve("opt/aws/neuron/lib").toString());
        builder.environment().putAll(variables);
        return new RuntimeProgramFixture(builder.redirectError(err.toFile()).start(), err);
    }

    /** Makes a call and returns the answer, which begins with its status. */
    String say(String call) throws IOException {
        calls.write(call + "\n");
        calls.flush();
        String answer = answers.readLine();
        assertThat(answer).as("the answer to %s; %s", call, err()).isNotNull();
        return answer;
    }

    /** Makes a call without waiting for its end. */
    void begin(String call) throws IOException {
        calls.write(call + "\n");
        calls.flush();
    }

    /** Waits for the end of a call and returns its answer. */
    String end() throws IOException {
        return answers.readLine();
    }

    /** Makes calls that must succeed. */
    void succeed(String... each) throws IOException {
        for (String call : each) {
            assertThat(say(call)).as(call + "\n" + err()).matches("0( .*)?");
        }
    }

    /** Returns the log. */
    String err() throws IOException {
        return Files.readString(err);
    }

    long pid() {
        return process.pid();
    }

    /** Ends the calls, after which the program returns from its main function. */
    void endInput() throws IOException {
        calls.close();
    }

    /** Waits for the end of the program. */
    int exitCode() throws InterruptedException {
        return process.waitFor();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws IOException {
        try {
            calls.close();
        } catch (IOException gone) {
            // The program was killed.
        }
        try {
            assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Files.deleteIfExists(err);
    }
}
