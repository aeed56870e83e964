package dev.neurontest.internal.print.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fuzz.Fuzzing;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.OddEvent;
import dev.neurontest.tensor.Abbreviation;
import dev.neurontest.tensor.DType;
import dev.neurontest.tensor.TensorBytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Fuzz tests of the output of a program, which is never refused: other text is ignored, and half a print is reported.
 */
class PrintedTextFuzzTest {

    private static final Set<String> PREFIXES = Set.of("loss");

    private static PrintFeed read(String output) {
        return PrintedText.of(output, PREFIXES, 0);
    }

    @Test
    void printIsWholeHoweverItsLinesArrive() {
        Fuzzing.of(PrintedTextFuzzTest.class, "printed-text")
                .seeds(
                        "acc: dtype=float32, shape=(2, 2), size=16\n[[1. 2.]\n [3. 4.]]\nnoise\n",
                        "[device_print] acc, int32, (2, 2), 16 bytes, saved to /tmp/x\n[[1, 2],\n [3, -4]]\n",
                        "s: dtype=int8 shape=() size=1\n7\nn float16 (3,) [nan -inf -0.0000]\nloss [[1 2]\n [3 4]]\nloss: 2.5\n",
                        "big: dtype=bfloat16, shape=(2000,)\n[0. 1. ... 1998. 1999.]\nu uint64 (1,) [18446744073709551615]\n")
                .words(
                        "[[",
                        "]]",
                        "...",
                        "True",
                        "0x7f",
                        "nan",
                        "(4294967296, 4294967296)",
                        "dtype=",
                        "shape=()",
                        "loss ")
                .check(input -> new String(input, StandardCharsets.UTF_8), (input, output) -> {
                    PrintFeed feed = read(output);
                    feed.prints().forEach(PrintedTextFuzzTest::assertWhole);
                    assertThat(orders(feed))
                            .isEqualTo(LongStream.range(0, orders(feed).size())
                                    .boxed()
                                    .toList());
                    assertThat(said(lineByLine(output))).isEqualTo(said(feed));
                });
    }

    private static List<Long> orders(PrintFeed feed) {
        return Stream.concat(
                        feed.prints().stream().map(DevicePrint::order),
                        feed.oddEvents().stream().map(OddEvent::order))
                .sorted()
                .toList();
    }

    private static PrintFeed lineByLine(String output) {
        PrintedText text = new PrintedText(PREFIXES, 0);
        for (String line : output.split("(?<=\n)")) {
            text.line(line);
        }
        text.end();
        return text;
    }

    private static List<String> said(PrintFeed feed) {
        return Stream.concat(
                        feed.prints().stream().map(print -> said(print)),
                        feed.oddEvents().stream().map(OddEvent::reason))
                .toList();
    }

    private static String said(DevicePrint print) {
        return print.prefix() + print.dtype() + print.shape() + bytes(print.data());
    }

    private static List<Byte> bytes(TensorBytes data) {
        return LongStream.range(0, data.size()).mapToObj(data::byteAt).toList();
    }

    /** Verifies that a print has no data or all of its written elements. */
    private static void assertWhole(DevicePrint print) {
        Optional<DType> dtype = DType.of(print.dtype());
        if (dtype.isPresent() && print.data().size() > 0) {
            List<Long> shape = print.abbreviation().map(Abbreviation::written).orElse(print.shape());
            long elements = shape.stream().reduce(1L, (a, b) -> a * b);
            assertThat(print.data().size()).isEqualTo(elements * dtype.get().bits() / Byte.SIZE);
        }
    }
}
