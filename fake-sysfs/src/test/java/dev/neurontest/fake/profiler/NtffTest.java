package dev.neurontest.fake.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

/** The format of a trace, against the bytes of the facts. */
class NtffTest {

    private static final byte[] UUID = HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");
    private static final byte[] GENUINE_UUID = HexFormat.of().parseHex("e09e25ab3c064ef989233737f9c6fa04");

    @TempDir
    private Path folder;

    private static Ntff ntff(int version, String instance, List<Ntff.Graph> graphs) {
        return new Ntff(version, "file.neff", UUID, graphs, instance, new Traits(), 2);
    }

    /** What the facts leave open is zero there. */
    private static byte[] withoutHeaderAndRecords(byte[] file) {
        byte[] cleared = file.clone();
        Arrays.fill(cleared, 9, Ntff.HEADER, (byte) 0);
        Arrays.fill(cleared, cleared.length - 2 * Ntff.RECORD, cleared.length, (byte) 0);
        return cleared;
    }

    @Test
    void isThatOfTheSampleOfVersion4() throws Exception {
        byte[] file = ntff(4, "trn1.2xlarge", List.of(new Ntff.Graph("sg00", 0, 29044183)))
                .toBytes(0);

        assertThat(withoutHeaderAndRecords(file)).isEqualTo(SampleFixture.hex("ntff_synthetic_v4_lnc1.hex"));
    }

    @Test
    void isThatOfTheSampleOfVersion5WithTwoGraphs() throws Exception {
        byte[] file = ntff(
                        5,
                        "trn2.3xlarge",
                        List.of(new Ntff.Graph("sg00", 4, 26416626), new Ntff.Graph("sg01", 5, 7900000)))
                .toBytes(0);

        assertThat(withoutHeaderAndRecords(file)).isEqualTo(SampleFixture.hex("ntff_synthetic_v5_lnc2.hex"));
    }

    @Test
    void beginsAsAGenuineTraceDoes() {
        byte[] file = new Ntff(5, "file.neff", GENUINE_UUID, List.of(), "trn2.3xlarge", new Traits(), 0).toBytes(0);

        // 0x10 to 0x48 and the name and UUID of the hex dump of a genuine file.
        assertThat(HexFormat.of().formatHex(file, 0x10, 0x50)).isEqualTo("03000000030000000000000000000000".repeat(4));
        assertThat(HexFormat.of().formatHex(file, 0x80, 0x9d))
                .isEqualTo("0a0966696c652e6e6566661216e09e25ab3c064ef989233737f9c6fa04");
    }

    @Test
    void hasItsLengthInTheHeaderAndRecordsOf16BytesBehindTheMessage() {
        Ntff ntff = ntff(6, "trn1.2xlarge", List.of());

        byte[] file = ntff.toBytes(0);

        long length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getLong(1);
        assertThat(file).hasSize((int) (Ntff.HEADER + length + 2 * Ntff.RECORD));
    }

    @Test
    void isReadAsItWasWritten() throws Exception {
        Ntff written = new Ntff(
                7,
                "a\nb c",
                UUID,
                List.of(new Ntff.Graph("sg00", 6, 5_000_000_000_000L), new Ntff.Graph("sg01", 7, 1)),
                "trn2.48xlarge",
                new Traits().with("rank", 3).with("throttle", 0.25),
                11);
        Path file = Files.write(folder.resolve("x.ntff"), written.toBytes(1));

        Ntff read = Ntff.read(file);

        assertThat(read).usingRecursiveComparison().isEqualTo(written);
        assertThat(read.picoseconds()).isEqualTo(5_000_000_000_000L);
    }

    @Test
    void cannotBeReadWhenItIsCutInTheMessage() throws Exception {
        byte[] whole =
                ntff(5, "trn1.2xlarge", List.of(new Ntff.Graph("sg00", 0, 1))).toBytes(0);
        int message = whole.length - 2 * Ntff.RECORD;

        for (int length = 0; length < message; length++) {
            Path file = Files.write(folder.resolve("cut.ntff"), Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> Ntff.read(file)).as("%d bytes", length).isInstanceOf(IOException.class);
        }
        Path rest = Files.write(folder.resolve("cut.ntff"), Arrays.copyOf(whole, message));
        assertThat(Ntff.read(rest).records()).isZero();
    }
}
