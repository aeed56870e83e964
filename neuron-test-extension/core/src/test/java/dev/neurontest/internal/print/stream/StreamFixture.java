package dev.neurontest.internal.print.stream;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakePrint;
import dev.neurontest.fake.FakeRuntime;
import dev.neurontest.fake.NeffScript;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.patience.Patience;
import dev.neurontest.runtime.LoadedModel;
import dev.neurontest.runtime.NeuronRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The runtime of a fake host in this process, and a model that prints. Without a library, tests are skipped with the
 * reason.
 */
public final class StreamFixture implements AutoCloseable {

    static final String KERNEL = "kernel.neff";
    static final StreamOptions QUICK = StreamOptions.DEFAULTS.settle(Duration.ofMillis(5), Patience.LIMIT);

    private final FakeNeuronHost fake;
    private final NeuronHost host;
    private final Path folder;
    private @Nullable NeuronRuntime runtime;

    public StreamFixture() throws IOException {
        this(runtime -> runtime);
    }

    public StreamFixture(UnaryOperator<FakeRuntime> library) throws IOException {
        assumeThat(FakeRuntime.unavailable()).isEmpty();
        fake = FakeNeuronHost.builder().instance("trn1.2xlarge").start();
        library.apply(fake.runtime());
        host = NeuronHost.discover(FileTree.at(fake.directory()));
        folder = Files.createTempDirectory("prints-test");
    }

    public FakeNeuronHost fake() {
        return fake;
    }

    public Path folder() {
        return folder;
    }

    public NeffScript kernel() {
        return fake.runtime().neff(KERNEL);
    }

    public NeuronRuntime runtime() {
        return runtime(Map.of());
    }

    public NeuronRuntime runtime(Map<String, String> environment) {
        if (runtime == null) {
            NeuronRuntime.Builder builder = NeuronRuntime.builder(host.cores()).root(fake.directory());
            environment.forEach(builder::environment);
            runtime = builder.open();
        }
        return runtime;
    }

    public LoadedModel model(int core) throws IOException {
        return runtime().load(runtime().cores().get(core), neff());
    }

    public Path neff() throws IOException {
        return FakeNeff.builder().name(KERNEL).write(folder.resolve(KERNEL));
    }

    public void execute(int core) throws IOException {
        try (LoadedModel model = model(core)) {
            model.execute(Map.of());
        }
    }

    public static FakePrint counting(String prefix, long times) {
        return FakePrint.of(prefix, "int32", 2).times(times).sequence();
    }

    @Override
    public void close() throws IOException {
        if (runtime != null) {
            runtime.close();
        }
        fake.close();
        Files.deleteIfExists(folder.resolve(KERNEL));
        Files.deleteIfExists(folder.resolve(PrintLog.NAME));
        Files.deleteIfExists(folder);
    }
}
