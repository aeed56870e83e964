package dev.neurontest.internal.baseline.history;

import static dev.neurontest.baseline.ComparisonOutcome.NO_BASELINE;
import static dev.neurontest.internal.baseline.history.BaselineFixture.LATENCY;
import static dev.neurontest.internal.baseline.history.BaselineFixture.TODAY;
import static dev.neurontest.internal.baseline.history.BaselineFixture.around;
import static dev.neurontest.internal.baseline.history.BaselineFixture.comparison;
import static dev.neurontest.internal.baseline.history.BaselineFixture.key;
import static dev.neurontest.internal.baseline.history.BaselineFixture.latency;

import dev.neurontest.jvm.JvmCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Another JVM that writes baselines. */
final class BaselineJvmFixture implements AutoCloseable {

    private final Process process;
    private final BufferedReader said;

    /**
     * Starts a JVM that waits for a command and then does one of these: {@code write} the given number of baselines one
     * by one, as {@code name-0()} and so on; {@code approve} the given number of its own proposals; or {@code hold} the
     * lock until it is killed.
     */
    BaselineJvmFixture(Path directory, String does, Path output, int count) throws IOException {
        process = new ProcessBuilder(JvmCommand.program(
                        BaselineJvmFixture.class,
                        directory.toString(),
                        does,
                        output.toString(),
                        Integer.toString(count)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        said = process.inputReader();
    }

    /** Returns the next line of its output: {@code ready}, {@code begun}, {@code done}. */
    String next() throws IOException {
        return String.valueOf(said.readLine());
    }

    void go() throws IOException {
        process.outputWriter().write("go\n");
        process.outputWriter().flush();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** Runs in the other JVM. */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        Path output = Path.of(arguments[2]);
        int count = Integer.parseInt(arguments[3]);
        BaselineProposals proposals = arguments[1].equals("approve") ? proposed(directory, output, count) : null;
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        commands.readLine();
        switch (arguments[1]) {
            case "write" -> {
                write(directory, output.getFileName().toString(), 1);
                System.out.println("begun");
                write(directory, output.getFileName().toString(), count);
            }
            case "approve" -> {
                System.out.println("begun");
                for (int index = 0; index < count; index++) {
                    String test = test(output, index);
                    proposals.approve(change -> change.proposed().key().test().equals(test), "", false);
                }
            }
            case "hold" ->
                BaselineStore.in(directory).locked(() -> {
                    System.out.println("begun");
                    try {
                        return commands.readLine();
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                });
            default -> throw new IllegalArgumentException(arguments[1]);
        }
        System.out.println("done");
    }

    private static BaselineProposals proposed(Path directory, Path output, int count) {
        BaselineProposals proposals = BaselineProposals.of(
                BaselineStore.in(directory), output, new BaselinePolicy(false, "", () -> TODAY, "run-1"));
        for (int index = 0; index < count; index++) {
            proposals.record(
                    comparison(key(test(output, index), LATENCY.name()), LATENCY, NO_BASELINE, false, around(1)),
                    Optional.empty(),
                    Optional::empty);
        }
        return proposals;
    }

    private static String test(Path output, int index) {
        return output.getFileName() + "-" + index + "()";
    }

    /** Writes baselines, also for a copy of the classes in another class loader. */
    public static void write(Path directory, String name, int count) {
        BaselineStore store = BaselineStore.in(directory);
        for (int index = 0; index < count; index++) {
            BaselineFixture.write(store, List.of(latency(name + "-" + index + "()", 1)));
        }
    }
}
