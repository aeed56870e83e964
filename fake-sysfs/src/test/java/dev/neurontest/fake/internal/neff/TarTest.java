package dev.neurontest.fake.internal.neff;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TarTest {

    /** An endless archive of files of 512 MiB each. */
    private static final class Endless extends InputStream {

        private final byte[] header;
        private int next;

        Endless() throws IOException {
            ByteArrayOutputStream archive = new ByteArrayOutputStream();
            Tar.write(archive, "weights", new byte[0]);
            header = archive.toByteArray();
            byte[] size = "04000000000".getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(size, 0, header, 124, size.length);
        }

        @Override
        public int read() {
            int at = next;
            next = (next + 1) % header.length;
            return header[at] & 0xff;
        }

        @Override
        public long skip(long count) {
            return count;
        }
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void endsItsSearchInAnEndlessArchive() throws IOException {
        assertThat(Tar.find(new Endless(), "model")).isNull();
    }
}
