package dev.neurontest.fake.internal.profiler.ntff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.neff.NeffModel;
import dev.neurontest.fake.internal.profiler.SampleFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A comparison of the format of a trace with the bytes of the facts. */
class NtffTest {

    private static final byte[] UUID = HexFormat.of().parseHex("101112131415161718191a1b1c1d1e1f");
    private static final int SAMPLE_UUID_AT = Ntff.HEADER + 13;
    private static final byte[] GENUINE_UUID = HexFormat.of().parseHex("e09e25ab3c064ef989233737f9c6fa04");

    @TempDir
    private Path folder;

    private static Ntff ntff(int version, String instance, List<Ntff.Graph> graphs) {
        return new Ntff(version, "file.neff", UUID, graphs, instance, new TraceProperties(), 2);
    }

    /** Returns a sample with a UUID that begins with no zero byte, because a genuine trace would cut that one off. */
    private static byte[] sample(String name) throws IOException {
        byte[] file = SampleFixture.hex(name);
        System.arraycopy(UUID, 0, file, SAMPLE_UUID_AT, UUID.length);
        return file;
    }

    /** Clears the bytes that the facts leave open. */
    private static byte[] withoutHeaderAndRecords(byte[] file) {
        byte[] cleared = file.clone();
        Arrays.fill(cleared, 9, Ntff.HEADER, (byte) 0);
        Arrays.fill(cleared, cleared.length - 2 * Ntff.RECORD, cleared.length, (byte) 0);
        return cleared;
    }

    @Test
    void matchesTheSampleOfVersion4() throws Exception {
        byte[] file = ntff(4, "trn1.2xlarge", List.of(new Ntff.Graph("sg00", 0, 29044183)))
                .toBytes(0);

        assertThat(withoutHeaderAndRecords(file)).isEqualTo(sample("ntff_synthetic_v4_lnc1.hex"));
    }

    @Test
    void matchesTheSampleOfVersion5WithTwoGraphs() throws Exception {
        byte[] file = ntff(
                        5,
                        "trn2.3xlarge",
                        List.of(new Ntff.Graph("sg00", 4, 26416626), new Ntff.Graph("sg01", 5, 7900000)))
                .toBytes(0);

        assertThat(withoutHeaderAndRecords(file)).isEqualTo(sample("ntff_synthetic_v5_lnc2.hex"));
    }

    @Test
    void beginsWithTheBytesOfAGenuineTrace() {
        byte[] file =
                new Ntff(5, "file.neff", GENUINE_UUID, List.of(), "trn2.3xlarge", new TraceProperties(), 0).toBytes(0);

        // The bytes 0x10 to 0x48, the name and the UUID of the hex dump of a genuine file.
        assertThat(HexFormat.of().formatHex(file, 0x10, 0x50)).isEqualTo("03000000030000000000000000000000".repeat(4));
        assertThat(HexFormat.of().formatHex(file, 0x80, 0x9d))
                .isEqualTo("0a0966696c652e6e6566661216e09e25ab3c064ef989233737f9c6fa04");
    }

    @Test
    void messageLengthInHeaderExcludesTheRecords() {
        Ntff ntff = ntff(6, "trn1.2xlarge", List.of());

        byte[] file = ntff.toBytes(0);

        long length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getLong(1);
        assertThat(file).hasSize((int) (Ntff.HEADER + length + 2 * Ntff.RECORD));
    }

    @Test
    void isReadBackUnchanged() throws Exception {
        Ntff written = new Ntff(
                7,
                "a\nb c",
                UUID,
                List.of(new Ntff.Graph("sg00", 6, 5_000_000_000_000L), new Ntff.Graph("sg01", 7, 1)),
                "trn2.48xlarge",
                new TraceProperties().with("rank", 3).with("throttle", 0.25),
                11);
        Path file = Files.write(folder.resolve("x.ntff"), written.toBytes(1));

        Ntff read = Ntff.read(file);

        assertThat(read).usingRecursiveComparison().isEqualTo(written);
        assertThat(read.picoseconds()).isEqualTo(5_000_000_000_000L);
    }

    @ParameterizedTest
    @CsvSource({
        "db6e2c1f00112233445566778899aabb, db6e2c1f",
        "ce4a538806634f08806c5ef3f100d0ff, ce4a538806634f08806c5ef3f1",
        "00112233445566778899aabbccddeeff, ''",
    })
    void hasTheUuidUpToItsFirstZeroByte(String uuid, String written) throws Exception {
        byte[] whole = HexFormat.of().parseHex(uuid);
        Ntff ntff = new Ntff(7, "n", whole, List.of(), "", new TraceProperties().with("rank", 0), 0);

        byte[] file = ntff.toBytes(0);

        String length = HexFormat.of().toHexDigits((byte) (written.length() / 2));
        assertThat(HexFormat.of().formatHex(file, Ntff.HEADER, file.length))
                .startsWith("0a016e12" + length + written + "18");
        Ntff read = Ntff.read(Files.write(folder.resolve("x.ntff"), file));
        assertThat(read.isOf(neff(whole))).isTrue();
        byte[] behind = whole.clone();
        behind[15] ^= 1;
        assertThat(read.isOf(neff(behind)))
                .as("bytes that are not in the trace")
                .isTrue();
        byte[] before = whole.clone();
        before[0] ^= 0x10;
        assertThat(read.isOf(neff(before))).isFalse();
    }

    private static Neff neff(byte[] uuid) {
        return new Neff("n", uuid, 1, Path.of("n.neff"), 0, NeffModel.UNKNOWN);
    }

    @Test
    void traceTruncatedInTheMessageIsRefused() throws Exception {
        byte[] whole =
                ntff(5, "trn1.2xlarge", List.of(new Ntff.Graph("sg00", 0, 1))).toBytes(0);
        int message = whole.length - 2 * Ntff.RECORD;

        for (int length = 0; length < message; length++) {
            Path file = Files.write(folder.resolve("cut.ntff"), Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> Ntff.read(file)).as("%s bytes", length).isInstanceOf(IOException.class);
        }
        Path rest = Files.write(folder.resolve("cut.ntff"), Arrays.copyOf(whole, message));
        assertThat(Ntff.read(rest).records()).isZero();
    }
}
