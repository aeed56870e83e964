package dev.neurontest.fake.internal.runtime;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The folder of files that the host and the library of a process exchange because they are too large for a line. The receiver
 * deletes a file.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Exchange {

    private static final String FOLDER = ".runtime";
    private static final String FROM = "from-host-";
    private static final String TO = "to-host-";
    private static final Pattern FROM_HOST = Pattern.compile(FROM + "[0-9]{1,20}");
    private static final Pattern TO_HOST = Pattern.compile(TO + "[0-9]{1,10}-[0-9]{1,20}");

    /** Mark in a length: the bytes are the beginning of a tensor, and the library leaves the rest as it is. */
    private static final long PARTIAL = 1L << 62;

    private static final OpenOption[] READ = {StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS};
    private static final OpenOption[] CREATE = {StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW};

    private final Path folder;
    private final String prefix;
    private final Pattern received;
    private final AtomicLong files = new AtomicLong();

    private Exchange(Path folder, String prefix, Pattern received) {
        this.folder = folder;
        this.prefix = prefix;
        this.received = received;
    }

    /**
     * Creates the folder.
     *
     * @param root the root of a host
     * @return the exchange; its folder is deleted together with the root
     * @throws IOException if it cannot be created
     */
    public static Exchange open(Path root) throws IOException {
        Path folder = Files.createDirectory(
                root.resolve(FOLDER),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        return new Exchange(folder, FROM, TO_HOST);
    }

    /**
     * Returns the other side of an exchange, for a process of the host.
     *
     * @param root the root of the host
     */
    public static Exchange ofProcess(Path root) {
        return new Exchange(root.resolve(FOLDER), TO + ProcessHandle.current().pid() + '-', FROM_HOST);
    }

    /**
     * Returns the path of a file that the other side has written.
     *
     * @param name name sent by the other side
     * @return the file, which the caller deletes
     * @throws IllegalArgumentException if the other side uses no such name
     */
    public Path given(String name) {
        if (!received.matcher(name).matches()) {
            throw new IllegalArgumentException("\"" + name + "\" is not a file of the runtime library");
        }
        return folder.resolve(name);
    }

    /**
     * Reads tensors and deletes their file.
     *
     * @param name name of the file
     * @return bytes by name
     * @throws IOException if it does not exist or is damaged
     */
    public Map<String, byte[]> takeTensors(String name) throws IOException {
        Path file = given(name);
        Map<String, byte[]> tensors = new LinkedHashMap<>();
        try (InputStream in = Files.newInputStream(file, READ)) {
            for (byte[] length = in.readNBytes(Long.BYTES); length.length > 0; length = in.readNBytes(Long.BYTES)) {
                String tensor = new String(exactly(in, number(length)), StandardCharsets.UTF_8);
                tensors.put(tensor, exactly(in, number(in.readNBytes(Long.BYTES))));
            }
        } finally {
            Files.deleteIfExists(file);
        }
        return tensors;
    }

    private static byte[] exactly(InputStream in, long length) throws IOException {
        byte[] bytes = in.readNBytes((int) Math.min(Integer.MAX_VALUE - 8, length));
        if (bytes.length < length) {
            throw new EOFException("tensors end too early");
        }
        return bytes;
    }

    private static long number(byte[] bytes) throws IOException {
        if (bytes.length < Long.BYTES) {
            throw new EOFException("tensors end too early");
        }
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    /**
     * Writes tensors to a file.
     *
     * @param tensors bytes by name
     * @param partial names of those whose bytes are only the beginning of the tensor; their length has the mark {@link #PARTIAL}
     * @return name of the file
     * @throws IOException if it cannot be written; the file is deleted then
     */
    public String giveTensors(Map<String, byte[]> tensors, Set<String> partial) throws IOException {
        return give(out -> {
            for (Map.Entry<String, byte[]> tensor : tensors.entrySet()) {
                byte[] name = tensor.getKey().getBytes(StandardCharsets.UTF_8);
                out.write(number(name.length));
                out.write(name);
                out.write(number(tensor.getValue().length | (partial.contains(tensor.getKey()) ? PARTIAL : 0)));
                out.write(tensor.getValue());
            }
        });
    }

    /**
     * Writes events to a file.
     *
     * @param events events in chronological order
     * @return name of the file
     * @throws IOException if it cannot be written; the file is deleted then
     */
    public String giveEvents(List<Event> events) throws IOException {
        return give(out -> {
            for (Event event : events) {
                out.write(event.head());
                out.write(event.payload());
                out.write(event.elements());
            }
        });
    }

    /**
     * Writes bytes to a file.
     *
     * @return name of the file
     * @throws IOException if it cannot be written; the file is deleted then
     */
    public String giveBytes(byte[] content) throws IOException {
        return give(out -> out.write(content));
    }

    private static byte[] number(long number) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(number)
                .array();
    }

    private interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private String give(Content content) throws IOException {
        String name = prefix + files.incrementAndGet();
        Path file = folder.resolve(name);
        try (OutputStream out = Files.newOutputStream(file, CREATE)) {
            content.writeTo(out);
        } catch (IOException failed) {
            Files.deleteIfExists(file);
            throw failed;
        }
        return name;
    }
}
