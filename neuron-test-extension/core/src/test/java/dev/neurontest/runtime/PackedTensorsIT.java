package dev.neurontest.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeff;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a model with tensors that may have a packed type. Runtimes before 2.33 report a quarter of their size. */
class PackedTensorsIT {

    @TempDir
    Path folder;

    private Path neff() throws Exception {
        return FakeNeff.builder().name("packed").input("a", 16).output("c", 16).write(folder.resolve("packed.neff"));
    }

    @Test
    void areNotAllocatedBySizeAloneBelow233() throws Exception {
        try (RuntimeFixture fixture = new RuntimeFixture()) {
            fixture.fake().runtime().release("2.32.31.0");
            NeuronCore core = fixture.cores().get(0);
            try (NeuronRuntime runtime = fixture.builder().open();
                    LoadedModel model = runtime.load(core, neff());
                    Execution execution = model.bind();
                    DeviceTensor c = runtime.allocate(core, "c", 16)) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> model.execute(Map.of("a", new byte[16])))
                        .withMessageStartingWith("The size of c (unknown 16, 16 bytes) of packed.neff on ")
                        .withMessageContaining("runtime 2.32.31.0 reports a quarter of the size of packed types (_x4)")
                        .withMessageContaining("pass it with Execution.output(name, tensor)");
                // The input accepts both possible sizes and no other.
                execution.input("a", new byte[64]).input("a", new byte[16]);
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> execution.input("a", new byte[32]))
                        .withMessageContaining("of 32 bytes");

                execution.output("c", c).run();

                assertThat(execution.outputs().bytes("c").size()).isEqualTo(16);
            }
        }
    }

    @Test
    void areTrustedFrom233On() throws Exception {
        try (RuntimeFixture fixture = new RuntimeFixture()) {
            fixture.fake().runtime().release("2.33.10.0");
            try (NeuronRuntime runtime = fixture.builder().open();
                    LoadedModel model = runtime.load(fixture.cores().get(0), neff())) {
                assertThat(model.tensors()).hasSize(2);
                assertThat(model.execute(Map.of("a", new byte[16])).bytes("c").size())
                        .isEqualTo(16);
            }
        }
    }
}
