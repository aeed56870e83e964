package dev.neurontest.fake.internal.profiler.capture;

import dev.neurontest.fake.internal.files.RegularFile;
import dev.neurontest.fake.internal.neff.NeffModel;
import dev.neurontest.fake.internal.neff.NeffTensor;
import dev.neurontest.fake.internal.profiler.call.Invocation;
import dev.neurontest.fake.internal.tool.ToolFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Check of named inputs, from raw files or NumPy arrays. */
final class Inputs {

    private static final byte[] NUMPY = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

    private Inputs() {}

    /** Reads the inputs that have a file. */
    static Map<String, byte[]> read(List<String> pairs, Invocation invocation) throws IOException {
        Map<String, byte[]> inputs = new LinkedHashMap<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            Path file = invocation.path(pairs.get(i + 1));
            try (InputStream in = RegularFile.open(file)) {
                in.skipNBytes(Files.size(file) - size(file));
                inputs.put(pairs.get(i), in.readAllBytes());
            }
        }
        return inputs;
    }

    /** Checks that the inputs match the model. */
    static void check(List<String> pairs, NeffModel model, Invocation invocation) throws ToolFailure, IOException {
        if (pairs.size() % 2 != 0) {
            throw invocation.refuse(
                    "inputs must be pairs of <NAME> <FILE_PATH>, \"" + pairs.get(pairs.size() - 1) + "\" has no file");
        }
        Map<String, NeffTensor> declared = model.inputs();
        for (int i = 0; i < pairs.size(); i += 2) {
            String name = pairs.get(i);
            if (declared != null && !declared.containsKey(name)) {
                throw invocation.refuse("input \"" + name + "\" is not an input of the NEFF");
            }
            long bytes;
            try {
                bytes = size(invocation.path(pairs.get(i + 1)));
            } catch (NoSuchFileException gone) {
                throw invocation.refuse("open " + pairs.get(i + 1) + ": no such file or directory");
            }
            if (declared != null && declared.get(name).bytes() != bytes) {
                throw invocation.refuse("input \"" + name + "\" has " + bytes + " bytes, the NEFF wants "
                        + declared.get(name).bytes() + ": NRT_EXEC_BAD_INPUT (1002)");
            }
        }
    }

    /** Returns the size of the data without a NumPy header. */
    private static long size(Path file) throws IOException {
        long bytes = Files.size(file);
        try (InputStream in = RegularFile.open(file)) {
            byte[] head = in.readNBytes(12);
            if (head.length < 12) {
                return bytes;
            }
            for (int i = 0; i < NUMPY.length; i++) {
                if (head[i] != NUMPY[i]) {
                    return bytes;
                }
            }
            int length = head[8] & 0xff | (head[9] & 0xff) << 8;
            boolean isOld = head[6] == 1;
            return isOld
                    ? bytes - 10 - length
                    : bytes - 12 - (length | (head[10] & 0xff) << 16 | (long) (head[11] & 0xff) << 24);
        }
    }
}
