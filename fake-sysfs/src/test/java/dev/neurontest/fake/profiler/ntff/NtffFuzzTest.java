package dev.neurontest.fake.profiler.ntff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fuzz.Fuzzing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces that are broken anywhere. */
class NtffFuzzTest {

    private static final byte[] UUID = "a-uuid-of-a-neff".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path folder;

    private static byte[] ntff(int version, TraceProperties properties, Ntff.Graph... graphs) {
        return new Ntff(version, "résumé", UUID, List.of(graphs), "trn2.3xlarge", properties, 2).toBytes(1);
    }

    private Ntff read(byte[] ntff) throws IOException {
        return Ntff.read(Files.write(folder.resolve("x.ntff"), ntff));
    }

    /** The writer believes what it says of itself. */
    private static Ntff without(TraceProperties said, Ntff ntff) throws IOException {
        assertThat(TraceProperties.parse(said.toString())).hasToString(said.toString());
        return new Ntff(
                ntff.version(),
                ntff.neffName(),
                ntff.uuid(),
                ntff.graphs(),
                ntff.instanceType(),
                new TraceProperties(),
                ntff.records());
    }

    @Test
    void areReadBackAsTheyAreWrittenOrRefused() {
        // given
        TraceProperties properties =
                new TraceProperties().with("runtime", "2.27.23").with("work", "model");

        // then
        Fuzzing.of(NtffFuzzTest.class, "ntff")
                .seeds(
                        ntff(4, new TraceProperties(), new Ntff.Graph("sg00", 0, 29044183)),
                        ntff(5, properties, new Ntff.Graph("sg00", 4, 26416626), new Ntff.Graph("sg01", 5, 7900000)))
                .refusing(IOException.class)
                .check(this::read, (input, ntff) -> {
                    int message = (int) ByteBuffer.wrap(input)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .getLong(1);
                    assertThat(ntff.records()).isEqualTo((input.length - Ntff.HEADER - message) / Ntff.RECORD);
                    if (ntff.records() < 100) {
                        Ntff plain = without(ntff.properties(), ntff);
                        assertThat(read(plain.toBytes(1)))
                                .usingRecursiveComparison()
                                .isEqualTo(plain);
                    }
                    assertThatThrownBy(() -> read(Arrays.copyOf(input, Ntff.HEADER + message - 1)))
                            .isInstanceOf(IOException.class);
                });
    }
}
