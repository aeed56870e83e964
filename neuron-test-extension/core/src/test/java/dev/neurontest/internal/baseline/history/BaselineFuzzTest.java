package dev.neurontest.internal.baseline.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fuzz.Fuzzing;
import dev.neurontest.internal.baseline.BaselineEntry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BaselineFuzzTest {

    private static final Path FILE = Path.of("com.acme.BertTest.json");
    private static final String WHOLE = new BaselineFile(
                    BaselineFixture.TEST_CLASS,
                    List.of(
                            new BaselineEntry(
                                    BaselineFixture.KEY,
                                    BaselineFixture.LATENCY,
                                    BaselineFixture.TRN2,
                                    BaselineFixture.around(17),
                                    Optional.of("0a1b"),
                                    BaselineFixture.TODAY,
                                    "c0ffee",
                                    "größe",
                                    List.of(new BaselineEntry.Former(0.018, BaselineFixture.TODAY, "", "first"))),
                            BaselineFixture.instructions(2_048_000)))
            .text();

    @Test
    void acceptedInputSurvivesWritingAndReading() {
        Fuzzing.of(BaselineFuzzTest.class, "baseline")
                .seeds(WHOLE, BaselineFile.empty(BaselineFixture.TEST_CLASS).text())
                .words("\"history\": []", "\"neff\": \"\"", "\"fraction\"", "\"2026-02-30\"", "\\udc00", "4.9e-324")
                .refusing(BaselineException.class)
                .check(input -> BaselineFile.read(input, FILE), (input, read) -> {
                    String text = new String(input, StandardCharsets.UTF_8);
                    assertThat(WHOLE.stripTrailing().startsWith(text) && !text.equals(WHOLE.stripTrailing()))
                            .as("the beginning of a file is no file")
                            .isFalse();
                    byte[] written = read.text().getBytes(StandardCharsets.UTF_8);
                    assertThat(BaselineFile.read(written, FILE)).isEqualTo(read);
                });
    }
}
