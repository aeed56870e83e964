package dev.neurontest.internal.runtime.library;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** Check of the first bytes of a shared library. It is done before loading, because the messages of the loader are less precise. */
final class ElfHead {

    private static final int LENGTH = 20;
    private static final byte[] MAGIC = {0x7f, 'E', 'L', 'F'};
    private static final int CLASS = 4;
    private static final int CLASS_OF_64_BITS = 2;
    private static final int MACHINE = 18;
    private static final Map<Integer, String> MACHINES = Map.of(3, "i386", 62, "amd64", 183, "aarch64");

    private ElfHead() {}

    /** Returns the reason why this JVM cannot load a file; empty when it can. */
    static Optional<String> unusable(Path file) throws IOException {
        byte[] head;
        try (InputStream in = Files.newInputStream(file)) {
            head = in.readNBytes(LENGTH);
        }
        if (head.length < LENGTH || !Arrays.equals(head, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            return Optional.of("is not a shared library: it begins with %s instead of 7f454c46 (ELF)"
                    .formatted(
                            head.length == 0
                                    ? "nothing"
                                    : HexFormat.of().formatHex(head, 0, Math.min(MAGIC.length, head.length))));
        }
        int number = Byte.toUnsignedInt(head[MACHINE]) | Byte.toUnsignedInt(head[MACHINE + 1]) << Byte.SIZE;
        String machine = MACHINES.getOrDefault(number, "machine " + number);
        String own = System.getProperty("os.arch");
        if (head[CLASS] != CLASS_OF_64_BITS || !machine.equals(own)) {
            return Optional.of("is a library for %s%s, but this JVM is %s"
                    .formatted(machine, head[CLASS] == CLASS_OF_64_BITS ? "" : " of 32 bits", own));
        }
        return Optional.empty();
    }
}
