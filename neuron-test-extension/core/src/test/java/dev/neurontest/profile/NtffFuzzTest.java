package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.internal.profiler.ntff.Ntff;
import dev.neurontest.fake.internal.profiler.ntff.TraceProperties;
import dev.neurontest.fuzz.Fuzzing;
import dev.neurontest.internal.text.VisibleText;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fuzz tests of traces with errors at random places. */
class NtffFuzzTest {

    private static final int HEAD = 128;
    private static final byte[] UUID = HexFormat.of().parseHex("101112131415161718191a1b1c1d1e1f");

    @TempDir
    private Path folder;

    private static byte[] ntff(int version, byte[] uuid, Ntff.Graph... graphs) {
        TraceProperties properties = new TraceProperties().with("runtime", "2.27.23");
        return new Ntff(version, "résumé", uuid, List.of(graphs), "trn2.3xlarge", properties, 2).toBytes(1);
    }

    @Test
    void brokenTracesAreReadOrReported() {
        // given
        Path file = folder.resolve("x.ntff");

        // then
        Fuzzing.of(NtffFuzzTest.class, "ntff")
                .seeds(
                        ntff(4, UUID, new Ntff.Graph("sg00", 0, 29044183)),
                        ntff(5, UUID, new Ntff.Graph("sg00", 4, 26416626), new Ntff.Graph("sg01", 5, Long.MAX_VALUE)),
                        ntff(7, new byte[16]))
                .check(input -> NtffHeader.read(Files.write(file, input)), (input, reading) -> {
                    assertThat(reading.header().isPresent() || reading.problem().isPresent())
                            .isTrue();
                    reading.problem().ifPresent(problem -> assertThat(problem).isEqualTo(VisibleText.line(problem)));
                    if (reading.header().isPresent()) {
                        assertAgrees(input, reading.header().get());
                    }
                    if (reading.problem().isEmpty()) {
                        Files.write(file, Arrays.copyOf(input, input.length - 1));
                        assertThat(NtffHeader.read(file).problem()).isPresent();
                    }
                });
    }

    private static void assertAgrees(byte[] input, NtffHeader header) {
        long message = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN).getLong(1);
        assertThat(header.version()).isEqualTo(input[0]);
        assertThat(header.notificationBytes()).isEqualTo(Math.max(0, input.length - HEAD - message));
        assertThat(header.cut()).isEqualTo(input.length - HEAD - message < 0 || (input.length - message) % 16 != 0);
        header.neffUuid().ifPresent(uuid -> assertThat(uuid).matches("([0-9a-f]{2}){1,16}"));
        header.runtimeVersion()
                .ifPresent(version -> assertThat(version).matches("[0-9]{1,6}\\.[0-9]{1,6}\\.[0-9]{1,6}"));
        header.neffName().ifPresent(name -> assertThat(name).isEqualTo(VisibleText.line(name)));
        header.graphs().forEach(graph -> {
            assertThat(graph.name()).isEqualTo(VisibleText.line(graph.name()));
            assertThat(graph.core()).isGreaterThanOrEqualTo(-1);
            graph.duration().ifPresent(time -> assertThat(time.isNegative()).isFalse());
        });
    }
}
