package dev.neurontest.fake.internal.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.CProgramFixture;
import dev.neurontest.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A static C program with one attribute open, which does not depend on the fake. */
final class AttributeProgramFixture implements AutoCloseable {

    private final Process process;
    private final Writer calls;
    private final BufferedReader outcomes;

    private static final class Compiled {
        private static final Path PROGRAM = CProgramFixture.compile("attribute_calls", "-static");
    }

    private AttributeProgramFixture(Process process) {
        this.process = process;
        this.calls = process.outputWriter(StandardCharsets.UTF_8);
        this.outcomes = process.inputReader(StandardCharsets.UTF_8);
    }

    static AttributeProgramFixture start() throws IOException {
        FuseFixture.require("gcc");
        return new AttributeProgramFixture(new ProcessBuilder(Compiled.PROGRAM.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Makes a call and returns its outcome. */
    String say(String call) throws IOException {
        begin(call);
        return end();
    }

    void begin(String call) throws IOException {
        calls.write(call + "\n");
        calls.flush();
    }

    String end() throws IOException {
        String outcome = outcomes.readLine();
        assertThat(outcome).as("the program has ended").isNotNull();
        return outcome;
    }

    long pid() {
        return process.pid();
    }

    boolean kill() throws InterruptedException {
        process.destroyForcibly();
        return process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
