package dev.neurontest.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the fuzzer finds known bugs. */
class FuzzingTest {

    private static final byte[] HELLO = "hello 17".getBytes(StandardCharsets.UTF_8);

    /** An input in src/test/resources, like those that once broke a reader. */
    private static final String KEPT = "an input that is kept";

    private static String text(byte[] input) {
        return new String(input, StandardCharsets.ISO_8859_1);
    }

    private static String orRefused(byte[] input) {
        if (input.length % 2 == 1) {
            throw new IllegalArgumentException("odd");
        }
        return text(input);
    }

    private static Fuzzing fuzzing(String target) {
        return Fuzzing.of(FuzzingTest.class, target).seeds(HELLO).inputs(500).refusing(IllegalArgumentException.class);
    }

    @Test
    void passesSoundReader() {
        // then
        fuzzing("sound")
                .check(FuzzingTest::orRefused, (input, read) -> assertThat(read).hasSize(input.length));
    }

    @Test
    void keepsFailingInputAndNamesTheCopyCommand() throws Exception {
        // when
        AssertionError failure = new AssertionError();
        try {
            fuzzing("broken")
                    .check(
                            input -> ByteBuffer.wrap(input).getLong(),
                            (input, read) -> assertThat(read).isNotNull());
        } catch (AssertionError expected) {
            failure = expected;
        }

        // then
        assertThat(failure)
                .hasMessageMatching("(?s)The reader of broken was given input \\d+ of seed \\d+, and it failed: "
                        + "java.nio.BufferUnderflowException\nThe input is kept in target/fuzz/broken/[0-9a-f]{8} .*"
                        + "mkdir -p src/test/resources/dev/neurontest/fuzz/fuzz/broken && cp target/fuzz/broken/.*");
        String kept = failure.getMessage().replaceAll("(?s).*cp (\\S+) .*", "$1");
        assertThat(Files.readAllBytes(Path.of(kept))).hasSizeLessThan(Long.BYTES);
    }

    @Test
    void undocumentedExceptionIsAFailure() {
        // then
        assertThatThrownBy(() -> Fuzzing.of(FuzzingTest.class, "undocumented")
                        .seeds(HELLO)
                        .refusing(IllegalStateException.class)
                        .check(FuzzingTest::orRefused, (input, read) -> {}))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("it failed: java.lang.IllegalArgumentException: odd");
    }

    @Test
    void refusalByThePropertyIsAFailure() {
        // then written values must be read back
        assertThatThrownBy(() -> fuzzing("property").check(FuzzingTest::orRefused, (input, read) -> {
                    throw new IllegalArgumentException("not read back");
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("given a genuine file, and it failed")
                .hasMessageContaining("not read back");
    }

    @Test
    void noticesHangingReader() {
        // then
        assertThatThrownBy(() -> fuzzing("hanging")
                        .longest(Duration.ofMillis(100))
                        .check(
                                input -> {
                                    while (input.length != HELLO.length) {
                                        Thread.onSpinWait();
                                    }
                                    return "";
                                },
                                (input, read) -> {}))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("it had not come to an end");
    }

    @Test
    void noticesAnEndlessRecursion() {
        // then
        assertThatThrownBy(() -> fuzzing("deep").check(FuzzingTest::endless, (input, read) -> {}))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("StackOverflowError");
    }

    private static int endless(byte[] input) {
        return endless(input) + 1;
    }

    @Test
    void failsWhereNearlyNothingIsRead() {
        // then
        assertThatThrownBy(() -> fuzzing("refuser").check(FuzzingTest::onlyHello, (input, read) -> {}))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Of 500 inputs the reader of refuser read");
    }

    private static String onlyHello(byte[] input) {
        if (!text(input).equals("hello 17")) {
            throw new IllegalArgumentException("another");
        }
        return "";
    }

    @Test
    void failsWhereAGenuineFileIsRefused() {
        // then
        assertThatThrownBy(() -> fuzzing("seed").seeds("odd").check(FuzzingTest::orRefused, (input, read) -> {}))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("given a genuine file");
    }

    @Test
    void triesSeedsAndKeptInputsFirst() {
        // given
        List<String> seen = new ArrayList<>();

        // when
        fuzzing("kept")
                .check(
                        input -> {
                            seen.add(text(input));
                            return orRefused(input);
                        },
                        (input, read) -> {});

        // then
        assertThat(seen).startsWith("hello 17", KEPT).hasSize(502);
    }

    @Test
    void givesTheSameInputsEachTime() {
        // then
        assertThat(inputs()).isEqualTo(inputs()).doesNotHaveDuplicates().hasSizeGreaterThan(0);
    }

    private static List<String> inputs() {
        List<String> inputs = new ArrayList<>();
        fuzzing("same")
                .inputs(40)
                .check(
                        input -> {
                            inputs.add(HexFormat.of().formatHex(input));
                            return orRefused(input);
                        },
                        (input, read) -> {});
        return inputs.stream().distinct().toList();
    }

    /** Verifies that the inputs of a check contain each kind of change that breaks readers. */
    @Test
    void producesEveryKindOfBreakingChange() {
        // given
        List<byte[]> seen = new ArrayList<>();

        // when
        Fuzzing.of(FuzzingTest.class, "changes")
                .inputs(5_000)
                .seeds("{\"a\": 17,\n\"b\": [1, 2]}\n")
                .words("known")
                .check(input -> seen.add(input), (input, read) -> {});
        List<String> texts = seen.stream().map(FuzzingTest::text).toList();

        // then
        assertThat(texts)
                .anyMatch(""::equals)
                .anyMatch("{\"a\": 17,\n"::equals)
                .anyMatch(text -> text.contains("18446744073709551616"))
                .anyMatch(text -> text.contains("1e9999999990"))
                .anyMatch(text -> text.contains("\0\0\0\u0080"))
                .anyMatch(text -> text.contains("[".repeat(1000)))
                .anyMatch(text -> text.contains("known"))
                .anyMatch(text -> text.split("17", -1).length > 100);
        assertThat(seen).allMatch(input -> input.length <= 64 << 10);
    }
}
