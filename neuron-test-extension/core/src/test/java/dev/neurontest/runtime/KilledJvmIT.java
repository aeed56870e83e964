package dev.neurontest.runtime;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.jvm.JvmCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with a JVM that is killed during an execution. */
class KilledJvmIT {

    private static final String HANG = "hang.neff";

    @TempDir
    Path folder;

    @Test
    void leavesItsCoresToOthers() throws IOException, InterruptedException {
        try (RuntimeFixture fixture = new RuntimeFixture()) {
            // given
            Path neff = FakeNeff.builder().name(HANG).input("x", 1 << 20).write(folder.resolve(HANG));
            fixture.fake().runtime().neff(HANG).hangs();
            Process child = start(fixture.fake().directory(), neff);
            try {
                BufferedReader said = child.inputReader();
                assertThat(said.readLine()).isEqualTo("executing");
                assertThat(fixture.fake().processes()).singleElement().satisfies(process -> {
                    assertThat(process.pid()).isEqualTo(child.pid());
                    assertThat(process.cores()).hasSize(2);
                });
                assertThat(tensorBytes(fixture)).isGreaterThanOrEqualTo(1 << 20);

                // when
                child.destroyForcibly().waitFor();

                // then
                await().until(() -> fixture.fake().processes().isEmpty());
                await().until(() -> tensorBytes(fixture) == 0);
                try (NeuronRuntime runtime = fixture.builder().open();
                        LoadedModel model = runtime.load(fixture.cores().get(0), fixture.add(folder))) {
                    assertThat(model.execute(Map.of("a", new float[4], "b", new float[4]))
                                    .tensor("c")
                                    .toFloats())
                            .containsOnly(0);
                }
            } finally {
                child.destroyForcibly();
            }
        }
    }

    private static long tensorBytes(RuntimeFixture fixture) throws IOException {
        return Long.parseLong(new String(
                        fixture.fake()
                                .tree()
                                .read(
                                        "sys/devices/virtual/neuron_device/neuron0/neuron_core0/stats/memory_usage/device_mem/tensors/total"))
                .strip());
    }

    private static Process start(Path root, Path neff) throws IOException {
        return new ProcessBuilder(JvmCommand.program(Child.class, root.toString(), neff.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** The killed JVM. */
    static final class Child {

        private Child() {}

        public static void main(String[] arguments) throws IOException {
            Path root = Path.of(arguments[0]);
            NeuronHost host = NeuronHost.discover(FileTree.at(root));
            NeuronRuntime runtime =
                    NeuronRuntime.builder(host.cores()).root(root).open();
            LoadedModel model = runtime.load(host.cores().get(0), Path.of(arguments[1]));
            Execution execution = model.bind().input("x", new byte[1 << 20]);
            Thread hanging = new Thread(execution::run);
            hanging.start();
            while (runtime.executionsBegun(List.of(0)) == 0) {
                Thread.onSpinWait();
            }
            System.out.println("executing");
        }
    }
}
