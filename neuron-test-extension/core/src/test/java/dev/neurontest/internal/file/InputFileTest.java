package dev.neurontest.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.internal.host.Pipes;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class InputFileTest {

    @TempDir
    private Path folder;

    private Path large(String name, long bytes) throws IOException {
        Path file = folder.resolve(name);
        try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
            large.setLength(bytes);
        }
        return file;
    }

    @Test
    void readsFileUpToItsLimit() throws IOException {
        assertThat(InputFile.GATES.read(large("gates", 1 << 20))).hasSize(1 << 20);
    }

    @Test
    void readsTextAndRefusesOtherBytes() throws IOException {
        // given
        Path text = Files.writeString(folder.resolve("text"), "hardware.min = 4\u0661");
        Path bytes = Files.write(folder.resolve("bytes"), new byte[] {(byte) 0xff});

        // then
        assertThat(InputFile.GATES.text(text)).isEqualTo("hardware.min = 4\u0661");
        assertThatExceptionOfType(CharacterCodingException.class).isThrownBy(() -> InputFile.GATES.text(bytes));
    }

    @Test
    void readsFileWithoutSize() throws IOException {
        assertThat(InputFile.PROPERTIES.text(Path.of("/proc/self/status"))).contains("Pid:");
    }

    @ParameterizedTest
    @CsvSource({
        "GATES, 1048577, a file of gates has at most 1 MiB",
        "SNAPSHOT, 3221225472, a snapshot of counters has at most 16 MiB",
        "REPORT, 8589934592, the JSON of a report has at most 4 GiB",
        "ARRAY, 2147483648, an array has at most 2147483639 bytes"
    })
    void refusesLargerFileByItsSize(InputFile kind, long bytes, String limit) throws IOException {
        // given
        Path file = large("large", bytes);

        // then
        assertThatExceptionOfType(UnfitFileException.class)
                .isThrownBy(() -> kind.open(file))
                .withMessage("%s has %s bytes, and %s", file, bytes, limit);
    }

    @Test
    void refusesFileThatGrowsBeyondItsLimit() throws IOException {
        // given
        Path file = large("large", 1 << 20);

        // then
        try (InputStream in = InputFile.GATES.open(file)) {
            Files.write(file, new byte[1], StandardOpenOption.APPEND);
            assertThatExceptionOfType(UnfitFileException.class)
                    .isThrownBy(in::readAllBytes)
                    .withMessageEndingWith("a file of gates has at most 1 MiB");
        }
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void refusesPipeBeforeItIsOpened(InputFile kind) {
        // given
        Path pipe = Pipes.make(folder.resolve("pipe"));

        // then
        assertThatExceptionOfType(UnfitFileException.class)
                .isThrownBy(() -> kind.open(pipe))
                .withMessageStartingWith(pipe + " is a pipe and was not read, expected ")
                .withMessageEndingWith(" in a regular file");
    }

    @Test
    void refusesDeviceAndFolder() {
        assertThatExceptionOfType(UnfitFileException.class)
                .isThrownBy(() -> InputFile.GATES.open(Path.of("/dev/zero")))
                .withMessageStartingWith("/dev/zero is a device and was not read");
        assertThatExceptionOfType(UnfitFileException.class)
                .isThrownBy(() -> InputFile.GATES.open(folder))
                .withMessageStartingWith(folder + " is a folder and was not read");
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> InputFile.GATES.open(folder.resolve("missing")));
    }
}
