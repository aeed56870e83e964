package dev.neurontest.internal.print.stream;

import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.runtime.LoadedModel;
import dev.neurontest.runtime.NeuronRuntime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A JVM that executes once, reads all prints, and waits until it is killed. */
final class StreamingJvm {

    private StreamingJvm() {}

    /**
     * Runs the JVM.
     *
     * @param arguments the root of a host, a NEFF, the number of its prints, and the folder for them
     */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]);
        NeuronHost host = NeuronHost.discover(FileTree.at(root));
        NeuronRuntime runtime = NeuronRuntime.builder(host.cores()).root(root).open();
        LoadedModel model = runtime.load(host.cores().get(0), Path.of(arguments[1]));
        StreamTap tap = DebugStreams.open(runtime, StreamOptions.DEFAULTS)
                .begin(List.of(0), new PrintLog(() -> Path.of(arguments[3])));
        model.execute(Map.of());
        tap.settle();
        System.out.println(tap.prints().size() == Integer.parseInt(arguments[2]) ? "read" : tap.prints());
        System.in.read();
    }
}
