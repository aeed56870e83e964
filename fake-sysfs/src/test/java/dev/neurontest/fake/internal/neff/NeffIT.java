package dev.neurontest.fake.internal.neff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fake.FakeNeff;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A comparison of the format of a compiled model with the bytes of the facts. */
class NeffIT {

    private static final UUID GENUINE = UUID.fromString("e09e25ab-3c06-4ef9-8923-3737f9c6fa04");

    @TempDir
    private Path folder;

    private Path write(FakeNeff.Builder neff) throws IOException {
        return neff.write(folder.resolve("m.neff"));
    }

    @ParameterizedTest
    @CsvSource({
        "0x00, 02000000000000000004000000000000",
        // Format 2.0, for a logical core of two.
        "0x18, 02000000000000000000000000000000",
        "0xa0, 000000000000000001000000",
        "0xcc, e09e25ab3c064ef989233737f9c6fa0466696c652e6e65666600000000000000",
        "0x1d0, 00000000000000000000000001000000",
        "0x1e0, 01000000000000000000000000000000",
        "0x220, 000c0000000000000200000000000000",
        "0x400, 1f8b0800"
    })
    void hasTheBytesOfAGenuineHeader(String offset, String bytes) throws Exception {
        byte[] file = Files.readAllBytes(
                write(FakeNeff.builder().name("file.neff").uuid(GENUINE).lnc(2)));

        int at = Integer.decode(offset);
        assertThat(HexFormat.of().formatHex(file, at, at + bytes.length() / 2)).isEqualTo(bytes);
    }

    /** Verifies that no UUID begins with a zero byte, because a trace keeps it only up to the first zero byte. */
    @Test
    void uuidNeverStartsWithAZeroByte() throws Exception {
        for (int round = 0; round < 2_000; round++) {
            Path neff = write(FakeNeff.builder());
            assertThat(Neff.read(neff).uuid()[0]).isNotZero();
        }
    }

    @Test
    void bodySizeInHeaderIsAMultipleOf10240() throws Exception {
        byte[] file = Files.readAllBytes(write(FakeNeff.builder()));

        assertThat((file.length - 1024) % 10240).isZero();
        assertThat(HexFormat.of().formatHex(file, 0x10, 0x18)).isEqualTo("0028000000000000");
        assertThat(file).hasSize(1024 + 0x2800);
    }

    @Test
    void archiveIsReadableByTar() throws Exception {
        byte[] file = Files.readAllBytes(write(FakeNeff.builder().lnc(2)));
        Path body = Files.write(folder.resolve("body.tgz"), Arrays.copyOfRange(file, 1024, file.length));

        Process tar = new ProcessBuilder("tar", "tzf", body.toString())
                .redirectErrorStream(true)
                .start();

        assertThat(tar.inputReader().lines())
                .contains("info.json", "neff.json", "kelf-0.json", "sg00/def.json", "sg01/def.json");
    }

    @Test
    void isReadBackUnchanged() throws Exception {
        Path file = write(FakeNeff.builder()
                .name("resnet 50")
                .uuid(GENUINE)
                .profile("vector")
                .time(Duration.ofNanos(17_500))
                .workers(4)
                .input("in\n1 \\x", 4096)
                .input("a b", "bf16", 8, 4)
                .output("out", "float32"));

        Neff neff = Neff.read(file);

        assertThat(neff.name()).isEqualTo("resnet 50");
        assertThat(HexFormat.of().formatHex(neff.uuid())).isEqualTo("e09e25ab3c064ef989233737f9c6fa04");
        assertThat(neff.lnc()).isEqualTo(1);
        assertThat(neff.model())
                .isEqualTo(new NeffModel(
                        "vector",
                        17_500_000,
                        4,
                        Map.of(
                                "in\n1 \\x",
                                NeffTensor.ofBytes(4096),
                                "a b",
                                new NeffTensor(64, "bf16", List.of(8L, 4L))),
                        Map.of("out", new NeffTensor(4, "float32", List.of()))));
    }

    @Test
    void genuineNeffIsReadWithAnUnknownModel() throws Exception {
        byte[] file = Files.readAllBytes(write(FakeNeff.builder().input("x", 1)));
        // The archive of a genuine model has no such file.
        Path other = folder.resolve("other");
        Process tar = new ProcessBuilder(
                        "sh",
                        "-c",
                        "cd \"$1\" && echo {} > neff.json && tar czf other neff.json",
                        "sh",
                        folder.toString())
                .start();
        assertThat(tar.waitFor()).isZero();
        byte[] archive = Files.readAllBytes(other);
        byte[] genuine = Arrays.copyOf(file, file.length);
        Arrays.fill(genuine, 1024, genuine.length, (byte) 0);
        System.arraycopy(archive, 0, genuine, 1024, archive.length);

        assertThat(Neff.read(Files.write(other, genuine)).model()).isEqualTo(NeffModel.UNKNOWN);
    }

    @Test
    void truncatedNeffIsRefused() throws Exception {
        byte[] whole = Files.readAllBytes(write(FakeNeff.builder()));

        for (int length : new int[] {0, 100, 1023, 1024, 1500, whole.length - 1}) {
            Path file = Files.write(folder.resolve("cut.neff"), Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> Neff.read(file)).as("%s bytes", length).isInstanceOf(IOException.class);
        }
    }
}
