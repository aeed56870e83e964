package dev.neurontest.internal.neff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fuzz.Fuzzing;
import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.runtime.NeffException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fuzz tests of NEFFs with errors at random places. */
class NeffFuzzTest {

    private static final int HEAD = 1024;

    @TempDir
    private Path folder;

    private byte[] whole(int logicalCoreSize) throws IOException {
        return Files.readAllBytes(FakeNeff.builder()
                .uuid(UUID.fromString("db6e2c1f-1122-4334-8566-778899aabb00"))
                .lnc(logicalCoreSize)
                .input("x", "bfloat16", 2, 3)
                .write(folder.resolve("résumé.neff")));
    }

    /** Removes the many zeros that the fake writes at the end. */
    private static byte[] small(byte[] whole) {
        int end = whole.length;
        while (whole[end - 1] == 0) {
            end--;
        }
        byte[] small = Arrays.copyOf(whole, end);
        ByteBuffer.wrap(small).order(ByteOrder.LITTLE_ENDIAN).putLong(0x10, end - HEAD);
        return small;
    }

    @Test
    void neffIsReadExactlyOrRefused() throws IOException {
        // given
        Path file = folder.resolve("x.neff");
        byte[] first = whole(1);

        // then
        Fuzzing.of(NeffFuzzTest.class, "neff")
                .seeds(first, small(first), small(whole(2)))
                .refusing(NeffException.class)
                .check(input -> NeffHeader.ofWhole(Files.write(file, input)), (input, header) -> {
                    ByteBuffer fields = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
                    assertThat(header.bodyBytes())
                            .isEqualTo(fields.getLong(0x10))
                            .isBetween(0L, input.length - 1024L);
                    assertThat(header.cut()).isFalse();
                    assertThat(header.uuid()).isEqualTo(HexFormat.of().formatHex(input, 0xcc, 0xdc));
                    assertThat(header.logicalCoreSize()).isBetween(0, 16);
                    assertThat(header.name()).isEqualTo(VisibleText.line(header.name()));
                    byte[] shorter = Arrays.copyOf(input, HEAD + (int) header.bodyBytes() - 1);
                    assertThatThrownBy(() -> NeffHeader.ofWhole(Files.write(file, shorter)))
                            .isInstanceOf(NeffException.class);
                });
    }
}
