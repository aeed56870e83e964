package dev.neurontest.internal.neff;

import dev.neurontest.runtime.NeffException;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The header of a NEFF, its first 1024 bytes. The vendor does not document this layout; it was derived from public files.
 *
 * @param name name from the compiler, such as {@code file.neff}
 * @param uuid 32 hexadecimal digits; the NTFFs of the NEFF contain the same UUID
 * @param hash 32 hexadecimal digits
 * @param logicalCoreSize number of physical cores in a logical core of the compiled graph; 0 when the header does not contain it
 * @param bodyBytes expected size of the body in bytes
 * @param cut true if the file is shorter than its header states
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record NeffHeader(String name, String uuid, String hash, int logicalCoreSize, long bodyBytes, boolean cut) {

    private static final int LENGTH = 1024;
    private static final int MAGIC_OF_BODY = 2;

    private static final int PACKAGE_VERSION = 0x00;
    private static final int HEADER_SIZE = 0x08;
    private static final int BODY_SIZE = 0x10;
    private static final int HASH = 0xac;
    private static final int UUID = 0xcc;
    private static final int NAME = 0xdc;
    private static final int CORES_PER_LOGICAL_CORE = 0x228;

    private static final int UUID_LENGTH = 16;
    private static final int NAME_LENGTH = 256;
    private static final int MOST_VERSIONS = 0xff;
    private static final int MOST_CORES = 16;

    /**
     * Reads the header of a NEFF.
     *
     * @return the header; {@link #cut()} when the body is incomplete
     * @throws NeffException when the file is missing, not a regular file, empty, no NEFF, truncated within its header, or unreadable
     */
    public static NeffHeader read(Path neff) {
        if (!Files.exists(neff)) {
            throw NeffException.missing(neff);
        }
        if (!Files.isRegularFile(neff)) {
            throw NeffException.noFile(neff, Files.isDirectory(neff) ? "a folder" : "not a regular file");
        }
        try (SeekableByteChannel file = Files.newByteChannel(neff)) {
            return of(neff, FileHead.read(file, LENGTH + MAGIC_OF_BODY), file.size());
        } catch (IOException e) {
            throw NeffException.unreadable(neff, e);
        }
    }

    /**
     * Reads the header of a NEFF that must be complete, because the runtime requires a complete one.
     *
     * @throws NeffException when {@link #read(Path)} throws it, or the body is incomplete
     */
    public static NeffHeader ofWhole(Path neff) {
        NeffHeader header = read(neff);
        try {
            if (header.cut()) {
                throw NeffException.cut(neff, Files.size(neff) - LENGTH, header.bodyBytes());
            }
            return header;
        } catch (IOException e) {
            throw NeffException.unreadable(neff, e);
        }
    }

    /**
     * Reads the header of a NEFF if possible.
     *
     * @return empty when {@link #read(Path)} would throw an exception
     */
    public static Optional<NeffHeader> find(Path neff) {
        try {
            return Optional.of(read(neff));
        } catch (NeffException e) {
            return Optional.empty();
        }
    }

    private static NeffHeader of(Path neff, FileHead head, long size) {
        if (head.length() == 0) {
            throw NeffException.noFile(neff, "empty");
        }
        int sizesKnown = BODY_SIZE + Long.BYTES;
        if (head.length() >= sizesKnown) {
            checkSizes(neff, head);
        }
        if (head.length() < LENGTH) {
            throw NeffException.cut(neff, size);
        }
        if (head.length() == LENGTH + MAGIC_OF_BODY
                && !head.hex(LENGTH, MAGIC_OF_BODY).equals("1f8b")) {
            throw NeffException.noNeff(
                    neff,
                    "its body begins with %s and not with that of gzip, 1f8b"
                            .formatted(head.hex(LENGTH, MAGIC_OF_BODY)));
        }
        long cores = head.eightBytes(CORES_PER_LOGICAL_CORE);
        return new NeffHeader(
                head.text(NAME, NAME_LENGTH),
                head.hex(UUID, UUID_LENGTH),
                head.hex(HASH, UUID_LENGTH),
                cores < 0 || cores > MOST_CORES ? 0 : (int) cores,
                head.eightBytes(BODY_SIZE),
                size - LENGTH < head.eightBytes(BODY_SIZE));
    }

    private static void checkSizes(Path neff, FileHead head) {
        long version = head.eightBytes(PACKAGE_VERSION);
        if (version < 1
                || version > MOST_VERSIONS
                || head.eightBytes(HEADER_SIZE) != LENGTH
                || head.eightBytes(BODY_SIZE) < 0) {
            throw NeffException.noNeff(
                    neff,
                    "it begins with %s and not with a version and the size of its head"
                            .formatted(head.hex(0, BODY_SIZE)));
        }
    }
}
