package dev.neurontest.internal.archive;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A recording of a host as text: a {@link HostPicture}, and how it went on. {@code replay:<file>} makes a host of it again. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HostArchive {

    private final String text;
    private final Coverage coverage;
    private final int files;
    private final Map<String, Integer> unreadable;

    /**
     * What the timeline covers.
     *
     * @param watched how many files were read again and again
     * @param looks how often
     * @param changes how many new values were written down
     * @param lasted from the first look to the last
     * @param shortfall what is missing, in words; null when nothing is
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Coverage(
            int watched,
            long looks,
            long changes,
            Duration lasted,
            @Nullable String shortfall) {

        /** No timeline. */
        static final Coverage NONE = new Coverage(0, 0, 0, Duration.ZERO, null);
    }

    HostArchive(HostPicture picture, @Nullable Duration interval, String timeline, Coverage coverage) {
        this.text = picture.text(interval) + timeline + "end\n";
        this.coverage = coverage;
        this.files = picture.files();
        this.unreadable = picture.unreadable();
    }

    static String writer() {
        String version = HostArchive.class.getPackage().getImplementationVersion();
        return "neuron-test " + (version == null ? "development" : version);
    }

    /**
     * What the timeline covers.
     *
     * @return nothing watched where there is none
     */
    public Coverage coverage() {
        return coverage;
    }

    /**
     * How many files the picture has.
     *
     * @return with those that could not be read
     */
    public int files() {
        return files;
    }

    /**
     * Which files of the picture could not be read, and why.
     *
     * @return how many by reason, such as {@code EACCES}, in the order of the reasons
     */
    public Map<String, Integer> unreadable() {
        return unreadable;
    }

    /**
     * The whole text.
     *
     * @return ASCII, ended by the line {@code end}
     */
    public String text() {
        return text;
    }

    /**
     * The whole text as a file has it.
     *
     * @return its bytes
     */
    public byte[] bytes() {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Writes a file. What is there is replaced when everything is written, so that no program reads half of it.
     *
     * @param file where; packed by gzip when its name ends with {@code .gz}
     * @throws IOException when it cannot be written; what was there stays
     */
    public void writeTo(Path file) throws IOException {
        Path absolute = file.toAbsolutePath();
        String name = absolute.getFileName().toString();
        Path fresh = absolute.resolveSibling("." + name + "-" + UUID.randomUUID() + ".part");
        try {
            try (OutputStream plain = Files.newOutputStream(fresh, StandardOpenOption.CREATE_NEW);
                    OutputStream out = name.endsWith(".gz") ? new GZIPOutputStream(plain) : plain) {
                out.write(bytes());
            }
            Files.move(fresh, absolute, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }
}
