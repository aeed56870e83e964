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

/** A recording of a host as text: a {@link HostPicture} and its timeline. {@code replay:<file>} makes a host from it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HostArchive {

    private final String text;
    private final Coverage coverage;
    private final int files;
    private final Map<String, Integer> unreadable;

    /**
     * Statistics of the timeline.
     *
     * @param watched number of files that were read repeatedly
     * @param looks number of readings
     * @param changes number of recorded new values
     * @param lasted time from the first reading to the last
     * @param shortfall description of the gaps; null when there are none
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Coverage(
            int watched,
            long looks,
            long changes,
            Duration lasted,
            @Nullable String shortfall) {

        /** Statistics of an archive without a timeline. */
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
     * Returns the statistics of the timeline.
     *
     * @return zero watched files when there is no timeline
     */
    public Coverage coverage() {
        return coverage;
    }

    /**
     * Returns the number of files of the picture.
     *
     * @return the number, including unreadable files
     */
    public int files() {
        return files;
    }

    /**
     * Returns the unreadable files of the picture by reason.
     *
     * @return the number of files by reason, such as {@code EACCES}, in the order of the reasons
     */
    public Map<String, Integer> unreadable() {
        return unreadable;
    }

    /**
     * Returns the whole text.
     *
     * @return ASCII text; its last line is {@code end}
     */
    public String text() {
        return text;
    }

    /** Returns the whole text as bytes. */
    public byte[] bytes() {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Writes the archive to a file. An existing file is replaced after everything is written, because no program must read an incomplete
     * archive.
     *
     * @param file target; compressed by gzip when its name ends with {@code .gz}
     * @throws IOException when the file cannot be written; an existing file remains
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
