package dev.neurontest.print.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fuzz.Fuzzing;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintOrigin;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** What is left of prints, in files that are broken anywhere. */
class LastPrintsFuzzTest {

    private static final String RUN = "run-17-9b2f0f5e-6c1d-4d0e-8a3e-1f2a3b4c5d6e";

    /** A file has many zeros. What is fuzzed are the bytes that begin its head and its first places. */
    private static final int PLACE = 4096;

    private static final int HEAD = 64;
    private static final int EVENT = 256;
    private static final int EVENTS = 4;
    private static final int LENGTH = HEAD + EVENTS * EVENT;

    @TempDir
    private Path folder;

    private Path written(String name, String test, EventFixture... events) throws IOException {
        Path named = folder.resolve(name + ".prints");
        LastPrints last = new LastPrints(() -> named, problem -> {});
        EventStore store = new EventStore(PrintOrigin.STREAM, 1 << 20, 1 << 16, () -> folder, last.begin(test));
        for (EventFixture event : events) {
            store.add(event.source(), 3);
        }
        store.flush();
        return named;
    }

    private static byte[] packed(Path file) throws IOException {
        ByteBuffer whole = ByteBuffer.wrap(Files.readAllBytes(file));
        byte[] packed = new byte[LENGTH];
        whole.get(0, packed, 0, HEAD);
        for (int event = 0; event < EVENTS; event++) {
            whole.get((event + 1) * PLACE, packed, HEAD + event * EVENT, EVENT);
        }
        return packed;
    }

    /** As much too long or too short as what is fuzzed. */
    private void unpack(byte[] packed, Path file, long size) throws IOException {
        try (FileChannel out = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            out.write(ByteBuffer.wrap(packed, 0, Math.min(HEAD, packed.length)));
            for (int from = HEAD; from < Math.min(packed.length, LENGTH); from += EVENT) {
                int length = Math.min(EVENT, packed.length - from);
                out.write(ByteBuffer.wrap(packed, from, length), (long) ((from - HEAD) / EVENT + 1) * PLACE);
            }
            long wanted = size + packed.length - LENGTH;
            if (out.size() < wanted) {
                out.write(ByteBuffer.allocate(1), wanted - 1);
            }
            out.truncate(wanted);
        }
    }

    @Test
    void areReadAsTheyWereLeftOrNotAtAll() throws IOException {
        // given
        Path prints = written(
                "prints",
                "[engine]/[test:é()]",
                EventFixture.counting("acc", 1),
                EventFixture.print("w").tensor("bfloat16", new long[] {2, 3}, new byte[12]),
                EventFixture.print("large").tensor("uint8", new long[] {90}, new byte[90]));
        Path odd = written("odd", "odd", EventFixture.print("odd").type(9).cutTo(100), EventFixture.counting("b", 2));
        long size = Files.size(prints);
        Path run = folder.resolve(RUN + ".jsonl");
        Path file = folder.resolve(RUN + ".0.prints");

        // then
        Fuzzing.of(LastPrintsFuzzTest.class, "last-prints")
                .seeds(packed(prints), packed(odd))
                .refusing(NoSuchFileException.class)
                .check(
                        input -> {
                            unpack(input, file, size);
                            return LastPrints.leftBy(run).stream()
                                    .findAny()
                                    .orElseThrow(() -> new NoSuchFileException("nothing is left"));
                        },
                        (input, left) -> {
                            assertThat(input).hasSize(LENGTH);
                            assertThat(left.test()).isNotEmpty();
                            List<DevicePrint> all = left.prints().all();
                            List<OddEvent> others = left.prints().oddEvents();
                            assertThat(all.size() + others.size()).isLessThanOrEqualTo(EVENTS);
                            assertThat(LongStream.concat(
                                                    all.stream().mapToLong(DevicePrint::order),
                                                    others.stream().mapToLong(OddEvent::order))
                                            .allMatch(order -> order >= 0 && order < left.events()))
                                    .isTrue();
                            assertThat(all)
                                    .allSatisfy(print -> assertThat(print.data().size())
                                            .isLessThanOrEqualTo(LastPrints.VALUES + 512L));
                            assertThat(left.prints().toText()).isNotEmpty();
                            assertThat(JsonMapper.shared()
                                            .readTree(left.prints().toJson())
                                            .isObject())
                                    .isTrue();
                        });
    }
}
