package dev.neurontest.examples;

import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakePrint;
import dev.neurontest.fake.FakeRuntime;
import dev.neurontest.fake.NrtStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/**
 * The kernels of the examples. On a Neuron instance {@code -Dexamples.kernels=/folder} names real ones: {@code
 * scale.neff} doubles {@code x}, {@code tiles.neff} prints 64 tiles as {@code acc}, {@code out_of_bounds.neff} reads
 * behind its tensor, {@code unstable.neff} prints 8 tiles as {@code norm}. Without it, the kernels are files with the
 * outer form of a NEFF, and the fake host is scripted with their effects.
 */
final class CompiledKernels {

    static final String SCALE = "target/kernels/scale.neff";
    static final String TILES = "target/kernels/tiles.neff";
    static final String OUT_OF_BOUNDS = "target/kernels/out_of_bounds.neff";
    static final String UNSTABLE = "target/kernels/unstable.neff";

    private static final int TILE_COUNT = 64;
    private static final int[] TILE_SHAPE = {16, 32};

    private CompiledKernels() {}

    static void compile(NeuronHost host, Optional<FakeNeuronHost> fake) throws IOException {
        Files.createDirectories(Path.of(SCALE).getParent());
        for (String kernel : new String[] {SCALE, TILES, OUT_OF_BOUNDS, UNSTABLE}) {
            put(Path.of(kernel), host.logicalCoreSize());
        }
        fake.ifPresent(CompiledKernels::script);
    }

    private static void put(Path neff, int logicalCoreSize) throws IOException {
        String real = System.getProperty("examples.kernels", "");
        if (!real.isEmpty()) {
            Files.copy(Path.of(real).resolve(neff.getFileName()), neff, StandardCopyOption.REPLACE_EXISTING);
            return;
        }
        FakeNeff.Builder kernel = FakeNeff.builder().lnc(logicalCoreSize);
        if (neff.toString().equals(SCALE)) {
            kernel.input("x", "float32", 4).output("y", "float32", 4);
        }
        kernel.write(neff);
    }

    private static void script(FakeNeuronHost fake) {
        Optional<String> missing = FakeRuntime.unavailable();
        Assumptions.assumeTrue(missing.isEmpty(), missing::toString);
        fake.runtime().reset();
        fake.runtime().neff(name(SCALE)).output("y", CompiledKernels::doubled);
        for (int tile = 0; tile < TILE_COUNT; tile++) {
            fake.runtime().neff(name(TILES)).print(tile("acc").fill(tile));
        }
        fake.runtime().neff(name(OUT_OF_BOUNDS)).status(NrtStatus.of("NRT_EXEC_OOB"));
        for (int tile = 0; tile < 8; tile++) {
            FakePrint norm = tile("norm").ones();
            fake.runtime().neff(name(UNSTABLE)).print(tile < 5 ? norm : norm.nan(17));
        }
    }

    private static FakePrint tile(String prefix) {
        return FakePrint.of(prefix, "bfloat16", TILE_SHAPE[0], TILE_SHAPE[1]);
    }

    private static byte[] doubled(Map<String, byte[]> inputs) {
        ByteBuffer x = ByteBuffer.wrap(inputs.get("x")).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer y = ByteBuffer.allocate(x.capacity()).order(ByteOrder.LITTLE_ENDIAN);
        while (x.hasRemaining()) {
            y.putFloat(2 * x.getFloat());
        }
        return y.array();
    }

    /** Returns the name by which the fake host recognizes a NEFF. */
    private static String name(String neff) {
        return Path.of(neff).getFileName().toString().replace(".neff", "");
    }
}
