package dev.neurontest.fake.internal.neff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fuzz.Fuzzing;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fuzz tests of models with errors at random places, and of their content. */
class NeffFuzzTest {

    private static final int HEADER = 1024;
    private static final byte[] UUID = "a-uuid-of-a-neff".getBytes(StandardCharsets.US_ASCII);
    private static final NeffModel MODEL = new NeffModel(
            "model",
            17_000_000_000L,
            2,
            Map.of("x", NeffTensor.ofBytes(4096), "y\n\\z", new NeffTensor(12, "bfloat16", List.of(2L, 3L))),
            Map.of("out", new NeffTensor(4, "float32", List.of())));

    @TempDir
    private Path folder;

    private static byte[] neff(byte[] archive) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(body)) {
            packed.write(archive);
        }
        byte[] header = Arrays.copyOf(Neff.toBytes("résumé", UUID, 1, MODEL), HEADER);
        ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).putLong(0x10, body.size());
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(header);
        body.writeTo(file);
        return file.toByteArray();
    }

    private static byte[] archive() throws IOException {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        Tar.write(tar, "info.json", "{}\n".getBytes(StandardCharsets.UTF_8));
        Tar.write(tar, "fake/model.txt", MODEL.toString().getBytes(StandardCharsets.UTF_8));
        Tar.end(tar);
        return tar.toByteArray();
    }

    private Neff read(byte[] neff) throws IOException {
        return Neff.read(Files.write(folder.resolve("x.neff"), neff));
    }

    private void assertIsReadBack(Neff neff) throws IOException {
        NeffModel model = neff.model();
        if (model.inputs() != null) {
            NeffModel again = read(Neff.toBytes(neff.name(), neff.uuid(), neff.lnc(), model))
                    .model();
            assertThat(again).isEqualTo(model);
        }
    }

    @Test
    void brokenModelIsReadOrRefused() throws IOException {
        // then
        Fuzzing.of(NeffFuzzTest.class, "neff")
                .seeds(neff(archive()), Neff.toBytes("n", UUID, 2, NeffModel.UNKNOWN))
                .refusing(IOException.class)
                .check(this::read, (input, neff) -> {
                    assertThat(neff.bytes()).isEqualTo(input.length);
                    assertThat(neff.uuid()).isEqualTo(Arrays.copyOfRange(input, 0xcc, 0xdc));
                    long body = ByteBuffer.wrap(input)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .getLong(0x10);
                    assertThat(body).isBetween(0L, (long) input.length - HEADER);
                    assertIsReadBack(neff);
                });
    }

    @Test
    void brokenArchiveContentIsReadOrRefused() throws IOException {
        // then
        Fuzzing.of(NeffFuzzTest.class, "neff-archive")
                .seeds(archive(), MODEL.toString().getBytes(StandardCharsets.UTF_8))
                .words("\ninput 4 ", "\ntyped-output 4 int32 2x2 ", "\nworkers ", "\nwork ", "-1", " ", "x", "\\")
                .refusing(IOException.class)
                .check(input -> read(neff(inTar(input))), (input, neff) -> assertIsReadBack(neff));
    }

    @Test
    void archiveTruncatedInTheModelIsRefused() throws IOException {
        // given
        byte[] archive = archive();
        int model = 3 * 512;
        int length = MODEL.toString().length();

        // then
        for (int end = model; end < model + length; end++) {
            byte[] cut = neff(Arrays.copyOf(archive, end));
            assertThatThrownBy(() -> read(cut)).isInstanceOf(IOException.class).hasMessage("body: unexpected EOF");
        }
    }

    /** Wraps a text without an archive in one. */
    private static byte[] inTar(byte[] input) throws IOException {
        if (!new String(input, StandardCharsets.UTF_8).startsWith("work ")) {
            return input;
        }
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        Tar.write(tar, "fake/model.txt", input);
        Tar.end(tar);
        return tar.toByteArray();
    }
}
