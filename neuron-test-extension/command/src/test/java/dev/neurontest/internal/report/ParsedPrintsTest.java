package dev.neurontest.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ParsedPrintsTest {

    @Test
    void showsUnknownLengthsOfAbbreviatedPrint() {
        assertThat(print(-1L, 512L).type()).isEqualTo("float64 [?, 512]");
        assertThat(print(128L, 512L).type()).isEqualTo("float64 [128, 512]");
    }

    private static ParsedPrints.Print print(Long... shape) {
        return new ParsedPrints.Print("", "", "acc", "float64", List.of(shape), "", Optional.empty(), Optional.empty());
    }
}
