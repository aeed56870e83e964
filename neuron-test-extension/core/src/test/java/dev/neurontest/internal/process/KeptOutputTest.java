package dev.neurontest.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class KeptOutputTest {

    private final KeptOutput kept = new KeptOutput(20);

    private boolean append(String line) {
        return kept.append(line.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void keepsEverythingWithinTheLimit() {
        // when
        boolean first = append("12345678\n");
        boolean second = append("abc\n");
        boolean third = append("d\n");

        // then the third fitted the beginning, but would come before the second
        assertThat(first).isTrue();
        assertThat(second).isFalse();
        assertThat(third).isFalse();
        assertThat(kept.text()).isEqualTo("12345678\nabc\nd\n");
    }

    @Test
    void omitsMiddleAndReportsItsSize() {
        // when
        append("begin\n");
        append("12345678\n");
        append("abc\n");
        append("def\n");

        // then
        assertThat(kept.text()).isEqualTo("begin\n\n[... 9 bytes left out ...]\nabc\ndef\n");
        assertThat(kept.afterHead()).asString().isEqualTo("\n[... 9 bytes left out ...]\nabc\ndef\n");
    }

    @Test
    void keepsEndOfLineLongerThanLimit() {
        // when
        append("0123456789abcdefghijkl");
        append("ä");

        // then
        assertThat(kept.text()).isEqualTo("\n[... 14 bytes left out ...]\nefghijklä");
    }

    @Test
    void cutsNoCharacterInTwo() {
        // when
        append("äääääääääx");

        // then
        assertThat(kept.text()).isEqualTo("\n[... 10 bytes left out ...]\nääääx");
    }
}
