package dev.neurontest.internal.host;

import java.io.FilterInputStream;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An input stream of a file with read errors from the driver. The JDK's streams treat {@code EAGAIN} as an empty read and repeat
 * it endlessly. For other errors they do not report the file name.
 */
final class AttributeStream extends FilterInputStream {

    private final Path file;

    AttributeStream(Path file, OpenOption... options) throws IOException {
        super(Files.newInputStream(file, options));
        this.file = file;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int read;
        try {
            read = super.read(buffer, offset, length);
        } catch (ClosedByInterruptException interrupted) {
            throw interrupted;
        } catch (IOException nameless) {
            throw failed(nameless.getMessage(), nameless);
        }
        if (read == 0 && length > 0) {
            throw failed("Resource temporarily unavailable", null);
        }
        return read;
    }

    private FileSystemException failed(@Nullable String reason, @Nullable IOException cause) {
        FileSystemException failed = new FileSystemException(file.toString(), null, reason);
        if (cause != null) {
            failed.initCause(cause);
        }
        return failed;
    }
}
