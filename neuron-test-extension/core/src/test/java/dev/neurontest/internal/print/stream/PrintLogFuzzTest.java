package dev.neurontest.internal.print.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fuzz.Fuzzing;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.PrintOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Fuzz tests of files of prints with errors at random places. */
class PrintLogFuzzTest {

    @TempDir
    private Path folder;

    private byte[] written(EventFixture... events) throws IOException {
        Path written = Files.createTempDirectory(folder, "seed");
        EventStore store = new EventStore(PrintOrigin.STREAM, new PrintLog(() -> written));
        for (EventFixture event : events) {
            store.add(event.source(), 3);
        }
        store.flush();
        return Files.readAllBytes(written.resolve(PrintLog.NAME));
    }

    @Test
    void brokenFileIsReadUpToItsDefect() throws IOException {
        // given
        byte[] prints = written(
                EventFixture.counting("acc", 1),
                EventFixture.print("w").tensor("bfloat16", new long[] {2, 3}, new byte[12]),
                EventFixture.print("large").tensor("uint8", new long[] {90}, new byte[90]));
        byte[] odd = written(EventFixture.print("odd").type(9).cutTo(100), EventFixture.counting("b", 2));

        // then
        Fuzzing.of(PrintLogFuzzTest.class, "print-log")
                .seeds(prints, odd)
                .check(
                        input -> {
                            Files.write(folder.resolve(PrintLog.NAME), input);
                            return UnreadPrints.in(folder).orElseThrow();
                        },
                        (input, left) -> {
                            try (left) {
                                DevicePrints all = left.prints();
                                List<DevicePrint> read = all.all();
                                assertThat(read)
                                        .allSatisfy(print ->
                                                assertThat(print.data().size()).isLessThanOrEqualTo(input.length));
                                assertThat(all.oddEvents())
                                        .allSatisfy(event -> assertThat(
                                                        event.payload().size())
                                                .isLessThanOrEqualTo(input.length));
                                assertThat(all.doubts()).isNotEmpty();
                                assertThat(all.toText()).isNotEmpty();
                                assertThat(JsonMapper.shared()
                                                .readTree(all.toJson())
                                                .isObject())
                                        .isTrue();
                            }
                        });
    }
}
