package dev.neurontest.fake.internal.profiler.capture;

import dev.neurontest.fake.internal.neff.NeffModel;
import dev.neurontest.fake.internal.neff.NeffTensor;
import dev.neurontest.fake.internal.profiler.call.Invocation;
import dev.neurontest.fake.internal.runtime.Exchange;
import dev.neurontest.fake.internal.tool.GoFlags;
import dev.neurontest.fake.internal.tool.HostConnection;
import dev.neurontest.fake.internal.tool.ToolFailure;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Writer of the outputs of executions, which are zeros unless a script sets them: raw files or NumPy arrays. */
final class Outputs {

    /** The types that NumPy has, as its files name them. A tensor without a declared type consists of bytes. */
    private static final Map<String, String> NUMPY_TYPES = Map.ofEntries(
            Map.entry("", "|u1"),
            Map.entry("bool", "|b1"),
            Map.entry("int8", "|i1"),
            Map.entry("uint8", "|u1"),
            Map.entry("int16", "<i2"),
            Map.entry("uint16", "<u2"),
            Map.entry("float16", "<f2"),
            Map.entry("int32", "<i4"),
            Map.entry("uint32", "<u4"),
            Map.entry("float32", "<f4"),
            Map.entry("int64", "<i8"),
            Map.entry("uint64", "<u8"));

    private static final int NUMPY_ALIGNMENT = 64;
    private static final int NUMPY_PREFIX = 10;

    private final Invocation invocation;
    private final GoFlags flags;
    private final NeffModel model;
    private final HostConnection host;
    private final Exchange exchange;

    Outputs(Invocation invocation, GoFlags flags, NeffModel model, HostConnection host) {
        this.invocation = invocation;
        this.flags = flags;
        this.model = model;
        this.host = host;
        this.exchange = Exchange.ofProcess(invocation.root());
    }

    /** Writes the outputs that the options select, into the working directory. */
    void save(int executions) throws ToolFailure, IOException {
        if (!flags.has("save-output-npy") && !flags.has("save-output")) {
            return;
        }
        int nth = Math.max(1, flags.number("save-nth-output", 1));
        for (int execution = 1; execution <= executions; execution++) {
            Map<String, byte[]> scripted = scripted();
            if (execution % nth == 0) {
                save(execution, scripted);
            }
        }
    }

    /** Returns the outputs of the next execution that scripts of the host set. */
    private Map<String, byte[]> scripted() throws ToolFailure, IOException {
        String neff = exchange.giveBytes(Files.readAllBytes(invocation.path(flags.get("neff", "file.neff"))));
        String inputs = exchange.giveTensors(Inputs.read(words(), invocation), Set.of());
        return exchange.takeTensors(host.request("nrt outputs " + neff + " " + inputs));
    }

    /** Returns the inputs of the first worker. */
    private List<String> words() throws IOException {
        String file = flags.get("multi-input", "");
        return file.isEmpty()
                ? flags.words()
                : List.of(
                        Files.readAllLines(invocation.path(file)).get(0).strip().split("\\s+"));
    }

    private void save(int execution, Map<String, byte[]> scripted) throws ToolFailure, IOException {
        boolean isNumpy = flags.has("save-output-npy");
        for (Map.Entry<String, NeffTensor> output : model.written().entrySet()) {
            String name = output.getKey();
            String file = name.replace('/', '_') + (execution == 1 ? "" : "." + execution) + (isNumpy ? ".npy" : "");
            byte[] header = isNumpy ? header(name, output.getValue()) : new byte[0];
            write(
                    invocation.path(file),
                    header,
                    scripted.getOrDefault(name, new byte[0]),
                    output.getValue().bytes());
            invocation.out().println("saved output \"" + name + "\" as \"" + file + '"');
        }
    }

    /** Writes a file. Bytes after the content are zeros. */
    private static void write(Path file, byte[] header, byte[] content, long bytes) throws IOException {
        Files.write(file, header);
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.seek(header.length);
            sparse.write(content);
            sparse.setLength(header.length + bytes);
        }
    }

    private static byte[] header(String name, NeffTensor tensor) throws ToolFailure {
        String type = NUMPY_TYPES.get(tensor.dtype());
        if (type == null) {
            throw new ToolFailure(
                    "failed to save output " + name + " to file: unsupported type for npy output: " + tensor.dtype());
        }
        String shape = tensor.shape().stream().map(size -> size + ",").collect(Collectors.joining());
        String text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
        int length = text.length() + 1;
        String padded = text + " ".repeat(Math.floorMod(-(NUMPY_PREFIX + length), NUMPY_ALIGNMENT)) + '\n';
        String prefix = "\u0093NUMPY\u0001\u0000" + (char) (padded.length() & 0xff) + (char) (padded.length() >> 8);
        return (prefix + padded).getBytes(StandardCharsets.ISO_8859_1);
    }
}
