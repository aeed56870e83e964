package dev.neurontest.fake.internal.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.fake.internal.command.FakeSysfsCommand;
import dev.neurontest.jvm.JvmCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that recordings that are too large or endless are refused, even in a JVM with little memory. */
class ArchiveLimitsIT {

    private static final int MEBIBYTE = 1 << 20;

    @TempDir
    private Path folder;

    /** Writes a packed archive with a comment of the given number of MiB. */
    private Path packed(int mebibytes, int lineLength) throws IOException {
        Path file = folder.resolve("host.archive.txt.gz");
        byte[] block = new byte[MEBIBYTE];
        Arrays.fill(block, (byte) '#');
        for (int at = lineLength; at < block.length; at += lineLength) {
            block[at] = '\n';
        }
        byte[] packed = packed(block);
        try (OutputStream out = Files.newOutputStream(file)) {
            out.write(packed("neuron-archive 1\n".getBytes(StandardCharsets.US_ASCII)));
            for (int i = 0; i < mebibytes; i++) {
                out.write(packed);
            }
        }
        return file;
    }

    /** Returns a member of a packed file. A reader unpacks the members one after the other. */
    private static byte[] packed(byte[] content) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(content);
        }
        return packed.toByteArray();
    }

    private Process serve(Path recording) throws IOException {
        return new ProcessBuilder(JvmCommand.program(
                        List.of("-Xmx48m"),
                        FakeSysfsCommand.class,
                        "serve",
                        "--root",
                        folder.resolve("root").toString(),
                        "--from",
                        recording.toString()))
                .redirectErrorStream(true)
                .start();
    }

    @ParameterizedTest
    @CsvSource({
        "1000,'its unpacked content exceeds the limit of 256 MiB; record for a shorter time'",
        "1000000000,'line 2 is longer than 1 MiB, the limit for a line; use the recorded file'"
    })
    void refusesRecordingThatUnpacksWithoutEnd(int lineLength, String reason) throws Exception {
        // given
        Path recording = packed(300, lineLength);

        // when
        Process serving = serve(recording);
        String printed = new String(serving.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        // then
        assertThat(printed).startsWith("cannot replay " + recording + ": " + reason);
        assertThat(serving.waitFor()).isEqualTo(2);
    }

    @Test
    void refusesPipeBeforeItIsOpened() throws Exception {
        // given
        Path pipe = folder.resolve("pipe");
        Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
        assertThat(made.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assumeThat(made.exitValue()).as("exit code of mkfifo").isZero();

        // then
        assertThatExceptionOfType(ArchiveException.class)
                .isThrownBy(() -> ArchiveReader.read(pipe))
                .withMessage(pipe + ": it is a pipe; use the recorded file");
    }

    @Test
    void refusesDeviceBeforeItIsOpened() {
        assertThatExceptionOfType(ArchiveException.class)
                .isThrownBy(() -> ArchiveReader.read(Path.of("/dev/zero")))
                .withMessage("/dev/zero: it is a device; use the recorded file");
    }
}
