package dev.neurontest.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronSysfsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class OpenFileLimitTest {

    private static final FileSystemException REACHED = new FileSystemException("/sys/x", null, "Too many open files");

    @Test
    void isFoundAmongCauses() {
        assertThat(OpenFileLimit.isReached(REACHED)).isTrue();
        assertThat(OpenFileLimit.isReached(new UncheckedIOException("cannot be read", REACHED)))
                .isTrue();
        assertThat(OpenFileLimit.isReached(new IOException("error=24, Trop de fichiers ouverts")))
                .isTrue();
        assertThat(OpenFileLimit.isReached(new IOException("error=2, No such file or directory")))
                .isFalse();
        assertThat(OpenFileLimit.isReached(new NoSuchFileException("/sys/x"))).isFalse();
        assertThat(OpenFileLimit.isReached(new IOException())).isFalse();
    }

    @Test
    void replacesAdviceAboutTheFile() {
        assertThat(NeuronSysfsException.unreadable("/sys/x", "Load the driver.", REACHED))
                .hasMessageContaining("ulimit -n 4096")
                .hasMessageNotContaining("Load the driver.");
        assertThat(NeuronSysfsException.unreadable("/sys/x", "Load the driver.", new NoSuchFileException("/sys/x")))
                .hasMessageEndingWith("Load the driver.");
    }
}
