package dev.neurontest.fake.internal.profiler.capture;

import dev.neurontest.fake.internal.neff.NeffModel;
import dev.neurontest.fake.internal.neff.NeffTensor;
import dev.neurontest.fake.internal.profiler.call.Invocation;
import dev.neurontest.fake.internal.tool.GoFlags;
import dev.neurontest.fake.internal.tool.ToolFailure;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/** Writer of the outputs of executions, which are zeros: raw files or NumPy arrays. */
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

    private Outputs() {}

    /** Writes the outputs that the options select, into the working directory. */
    static void save(GoFlags flags, NeffModel model, int executions, Invocation invocation)
            throws ToolFailure, IOException {
        boolean isNumpy = flags.has("save-output-npy");
        if (!isNumpy && !flags.has("save-output")) {
            return;
        }
        int nth = Math.max(1, flags.number("save-nth-output", 1));
        for (int execution = nth; execution <= executions; execution += nth) {
            for (Map.Entry<String, NeffTensor> output : model.written().entrySet()) {
                String name = output.getKey();
                String file =
                        name.replace('/', '_') + (execution == 1 ? "" : "." + execution) + (isNumpy ? ".npy" : "");
                byte[] header = isNumpy ? header(name, output.getValue()) : new byte[0];
                write(invocation.path(file), header, output.getValue().bytes());
                invocation.out().println("saved output \"" + name + "\" as \"" + file + '"');
            }
        }
    }

    private static void write(Path file, byte[] header, long zeros) throws IOException {
        Files.write(file, header);
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(header.length + zeros);
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
