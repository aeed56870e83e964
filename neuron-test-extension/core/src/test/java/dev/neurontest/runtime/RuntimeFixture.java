package dev.neurontest.runtime;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeRuntime;
import dev.neurontest.internal.host.FileTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A fake host with its library. If the library cannot be built, tests are skipped with the reason. */
final class RuntimeFixture implements AutoCloseable {

    /** A model that adds two tensors of four numbers. */
    static final String ADD = "add.neff";

    private final FakeNeuronHost fake;
    private final NeuronHost host;

    RuntimeFixture() throws IOException {
        assumeThat(FakeRuntime.unavailable()).isEmpty();
        fake = FakeNeuronHost.builder().instance("trn1.2xlarge").start();
        fake.runtime().strict();
        host = NeuronHost.discover(FileTree.at(fake.directory()));
    }

    FakeNeuronHost fake() {
        return fake;
    }

    List<NeuronCore> cores() {
        return host.cores();
    }

    NeuronRuntime.Builder builder() {
        return builder(cores());
    }

    NeuronRuntime.Builder builder(List<NeuronCore> cores) {
        return NeuronRuntime.builder(cores).root(fake.directory()).patience(Duration.ofMillis(100));
    }

    /** Writes the NEFF of {@link #ADD} and scripts its sum. */
    Path add(Path folder) throws IOException {
        fake.runtime().neff(ADD).output("c", RuntimeFixture::sum);
        return FakeNeff.builder()
                .name(ADD)
                .input("a", "float32", 2, 2)
                .input("b", "float32", 2, 2)
                .output("c", "float32", 2, 2)
                .write(folder.resolve(ADD));
    }

    private static byte[] sum(Map<String, byte[]> inputs) {
        ByteBuffer a = littleEndian(inputs.get("a"));
        ByteBuffer b = littleEndian(inputs.get("b"));
        ByteBuffer c = littleEndian(new byte[a.capacity()]);
        while (a.hasRemaining()) {
            c.putFloat(a.getFloat() + b.getFloat());
        }
        return c.array();
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() {
        fake.close();
    }
}
