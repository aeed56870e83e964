package dev.neurontest.fake.internal.archive;

import dev.neurontest.fake.internal.files.RegularFile;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** The lines of an archive. They are read one by one, because a compressed text of a few megabytes may unpack to any size. */
final class ArchiveLines implements Closeable {

    /** Maximum size of an archive without compression. The largest host takes 1 MB; the rest is for changes. */
    private static final int LARGEST = 256 << 20;

    /** Maximum length of a line. A file has at most 64 KiB, and one byte takes up to four characters. */
    private static final int LONGEST_LINE = 1 << 20;

    private final Path file;
    private final Reader text;
    private int number;
    private boolean ended;

    private ArchiveLines(Path file, Reader text) {
        this.file = file;
        this.text = text;
    }

    /**
     * Opens an archive.
     *
     * @throws ArchiveException when it is no regular file, or damaged
     * @throws IOException when it cannot be read
     */
    static ArchiveLines open(Path file) throws IOException {
        Optional<String> kind = RegularFile.otherKind(file);
        if (kind.isPresent()) {
            throw ArchiveException.of(file, "it is " + kind.get() + "; use the recorded file");
        }
        InputStream raw = new BufferedInputStream(RegularFile.open(file));
        try {
            raw.mark(2);
            boolean packed = raw.read() == 0x1f && raw.read() == 0x8b;
            raw.reset();
            InputStream unpacked = new Bounded(file, packed ? new GZIPInputStream(raw) : raw);
            Reader text = new InputStreamReader(unpacked, StandardCharsets.UTF_8.newDecoder());
            return new ArchiveLines(file, new BufferedReader(text));
        } catch (EOFException | ZipException damaged) {
            raw.close();
            throw damaged(file);
        } catch (IOException unreadable) {
            raw.close();
            throw unreadable;
        }
    }

    private static ArchiveException damaged(Path file) {
        return ArchiveException.of(file, "the gzip around the archive is damaged or was cut short; copy it again");
    }

    /** The content of an archive up to the size limit. */
    private static final class Bounded extends FilterInputStream {

        private final Path file;
        private long remainingBytes = LARGEST;

        Bounded(Path file, InputStream content) {
            super(content);
            this.file = file;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int read = super.read(buffer, offset, length);
            remainingBytes -= Math.max(read, 0);
            if (remainingBytes < 0) {
                throw ArchiveException.of(
                        file,
                        "its unpacked content exceeds the limit of " + (LARGEST >> 20)
                                + " MiB; record for a shorter time");
            }
            return read;
        }
    }

    /**
     * Reads the next line.
     *
     * @return the line without its line feed; null after the last
     */
    @Nullable
    String next() throws IOException {
        if (ended) {
            return null;
        }
        StringBuilder read = new StringBuilder();
        try {
            int each = text.read();
            for (; each >= 0 && each != '\n'; each = text.read()) {
                read.append((char) each);
                if (read.length() > LONGEST_LINE) {
                    throw ArchiveException.of(
                            file,
                            "line " + (number + 1) + " is longer than " + (LONGEST_LINE >> 20)
                                    + " MiB, the limit for a line; use the recorded file");
                }
            }
            ended = each < 0;
        } catch (CharacterCodingException binary) {
            throw ArchiveException.of(
                    file, "it is not text in UTF-8 and therefore not an archive; record it again or undo the change");
        } catch (EOFException | ZipException damaged) {
            throw damaged(file);
        }
        number++;
        int end = read.length() - 1;
        return end >= 0 && read.charAt(end) == '\r' ? read.substring(0, end) : read.toString();
    }

    /** Returns true when nothing follows the last line that was read, not even a line feed. */
    boolean isCut() {
        return ended;
    }

    /** Returns the number of the last line that was read, from 1. */
    int number() {
        return number;
    }

    @Override
    public void close() throws IOException {
        text.close();
    }
}
