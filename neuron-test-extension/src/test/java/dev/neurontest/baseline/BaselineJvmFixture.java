package dev.neurontest.baseline;

import static dev.neurontest.baseline.BaselineFixture.latency;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;

/** Another JVM that writes baselines. */
final class BaselineJvmFixture implements AutoCloseable {

    private final Process process;
    private final BufferedReader said;

    /** Writes so many baselines, one by one, as {@code name-0()} and so on, when it is told to. */
    BaselineJvmFixture(Path directory, String name, int count) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BaselineJvmFixture.class.getName(),
                        directory.toString(),
                        name,
                        Integer.toString(count))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        said = process.inputReader();
    }

    /** What it says next: {@code ready}, {@code writing} after the first, {@code done}. */
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

    /** The other side. With a count below 0 it keeps the lock until it is killed. */
    public static void main(String[] arguments) throws Exception {
        BaselineStore store = BaselineStore.in(Path.of(arguments[0]));
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        commands.readLine();
        int count = Integer.parseInt(arguments[2]);
        if (count < 0) {
            store.locked(() -> {
                System.out.println("writing");
                try {
                    return commands.readLine();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
        for (int index = 0; index < count; index++) {
            store.write(List.of(latency(arguments[1] + "-" + index + "()", 1)));
            if (index == 0) {
                System.out.println("writing");
            }
        }
        System.out.println("done");
    }

    /** What a copy of the classes in another class loader does. */
    public static void write(Path directory, String name, int count) {
        BaselineStore store = BaselineStore.in(directory);
        for (int index = 0; index < count; index++) {
            store.write(List.of(latency(name + "-" + index + "()", 1)));
        }
    }
}
