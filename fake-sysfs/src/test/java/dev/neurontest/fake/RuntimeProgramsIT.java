package dev.neurontest.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.fake.internal.command.FakeSysfsCommand;
import dev.neurontest.jvm.JvmCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a Python program with a host of this JVM, and with a host that a command serves. */
class RuntimeProgramsIT {

    private static final String PRINTED = """
            c (0.0, 1.0, 2.0, 3.0)
            acc float32 0000803f0000803f
            """;

    @TempDir
    private Path folder;

    @BeforeAll
    static void requireLibraryAndPython() {
        RuntimeProgramFixture.requireLibrary();
        assumeThat(pythonIsThere()).as("python3 is there").isTrue();
    }

    private static boolean pythonIsThere() {
        try {
            return new ProcessBuilder("python3", "--version")
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException notThere) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private String run(Path root, Path neff) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                "python3",
                Path.of("src", "test", "python", "runtime_calls.py").toString(),
                root.resolve("opt/aws/neuron/lib/libnrt.so.1").toString(),
                neff.toString());
        builder.environment().keySet().removeIf(name -> name.startsWith("NEURON_"));
        Process python = builder.redirectErrorStream(true).start();
        return new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void runAgainstAHostScriptedInJava() throws Exception {
        Path neff = FakeNeff.builder().name("acc").output("c", "float32", 4).write(folder.resolve("acc.neff"));
        try (FakeNeuronHost host = FakeNeuronHost.builder().start()) {
            host.runtime()
                    .neff("acc")
                    .output("c", "arange")
                    .print(FakePrint.of("acc", "float32", 2).ones());

            assertThat(run(host.directory(), neff)).isEqualTo(PRINTED);
        }
    }

    @Test
    void runAgainstSeveralHostsAtOnce() throws Exception {
        try (FakeNeuronHost one = FakeNeuronHost.builder().start();
                FakeNeuronHost other = FakeNeuronHost.builder().start()) {
            ProcessBuilder builder = new ProcessBuilder("python3", "-c", """
                    import ctypes, sys
                    for library in sys.argv[1:]:
                        nrt = ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
                        assert nrt.nrt_init(1, b"", b"") == 0
                        tensor = ctypes.c_void_p()
                        assert nrt.nrt_tensor_allocate(0, 0, ctypes.c_size_t(64), b"", ctypes.byref(tensor)) == 0
                        buffer = ctypes.create_string_buffer(64)
                        op = (ctypes.c_uint64 * 3)(0, 64, ctypes.addressof(buffer))
                        batch = (ctypes.c_uint64 * 3)(tensor.value, ctypes.addressof(op), 1)
                        assert nrt.nrt_tensor_read_batch(batch, ctypes.c_uint64(1), False) == 0
                    print("done")
                    """, library(one), library(other));
            builder.environment().keySet().removeIf(name -> name.startsWith("NEURON_"));
            Process python = builder.redirectErrorStream(true).start();

            String all = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(all).isEqualTo("done\n");
            python.waitFor();
        }
    }

    private static String library(FakeNeuronHost host) {
        return host.directory().resolve("opt/aws/neuron/lib/libnrt.so.1").toString();
    }

    @Test
    void runAgainstAServedHostWithALongRootName() throws Exception {
        Path root = Files.createDirectory(folder.resolve("x".repeat(120))).resolve("host");
        Path neff = folder.resolve("acc.neff");
        assertThat(command("neff", "--name", "acc", "--output", "c:float32:2x2", neff.toString())
                        .waitFor())
                .isZero();
        Process served = command("serve", "--instance", "trn1.2xlarge", "--root", root.toString());
        try (Writer commands = served.outputWriter(StandardCharsets.UTF_8);
                BufferedReader answers = served.inputReader(StandardCharsets.UTF_8)) {
            assertThat(answers.readLine()).isEqualTo("ready " + root);
            commands.write("neff acc output=\"c arange\" print=\"acc float32 2 ones\"\n");
            commands.flush();
            assertThat(answers.readLine()).isEqualTo("ok");

            assertThat(run(root, neff)).isEqualTo(PRINTED);

            commands.write("executions\nquit\n");
            commands.flush();
            assertThat(answers.readLine())
                    .matches("ok acc on neuron0/neuron_core0 by python3.* \\(pid \\d+\\): NRT_SUCCESS, 1 event");
        }
        assertThat(served.waitFor()).isZero();
        assertThat(root).doesNotExist();
    }

    private static Process command(String... arguments) throws IOException {
        return new ProcessBuilder(JvmCommand.program(FakeSysfsCommand.class, arguments))
                .redirectErrorStream(true)
                .start();
    }
}
