package dev.neurontest.runtime;

import com.sun.jna.Memory;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.neff.NeffHeader;
import dev.neurontest.internal.runtime.library.NativeText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A NEFF in native memory for the runtime. The file is copied and not mapped: if another process shortened a mapped file, this JVM would
 * crash.
 */
final class NeffBytes implements AutoCloseable {

    private static final int CHUNK = 1 << 20;

    private final NeffHeader header;
    private final String file;
    private final Memory memory;

    private NeffBytes(NeffHeader header, String file, Memory memory) {
        this.header = header;
        this.file = file;
        this.memory = memory;
    }

    static NeffBytes read(Path neff) {
        NeffHeader header = NeffHeader.ofWhole(neff);
        try (InputStream in = Files.newInputStream(neff)) {
            Memory memory = new Memory(Files.size(neff));
            try {
                copy(neff, in, memory);
                return new NeffBytes(header, String.valueOf(neff.getFileName()), memory);
            } catch (IOException | RuntimeException failed) {
                memory.close();
                throw failed;
            }
        } catch (IOException e) {
            throw NeffException.unreadable(neff, e);
        }
    }

    private static void copy(Path neff, InputStream in, Memory memory) throws IOException {
        byte[] chunk = new byte[(int) Math.min(CHUNK, memory.size())];
        long done = 0;
        while (done < memory.size()) {
            int length = in.read(chunk, 0, (int) Math.min(chunk.length, memory.size() - done));
            if (length < 0) {
                throw NeffException.cut(neff, done);
            }
            memory.write(done, chunk, 0, length);
            done += length;
        }
    }

    String file() {
        return file;
    }

    String uuid() {
        return header.uuid();
    }

    /**
     * Returns a description for messages. If the NEFF was compiled for another logical core size than that of this host, it includes both
     * sizes.
     */
    String described(NeuronCore core) {
        int hostSize = core.device().host().logicalCoreSize();
        return header.logicalCoreSize() == 0 || header.logicalCoreSize() == hostSize
                ? file
                : "%s (compiled with --lnc %s, run with %s: compile it with --lnc %s, or set neuron.test.lnc=%s)"
                        .formatted(file, header.logicalCoreSize(), hostSize, hostSize, header.logicalCoreSize());
    }

    long address() {
        return NativeText.address(memory);
    }

    long size() {
        return memory.size();
    }

    @Override
    public void close() {
        memory.close();
    }
}
