package dev.neurontest.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineAssemblerTest {

    private final List<String> lines = new ArrayList<>();
    private final LineAssembler assembler = new LineAssembler(lines::add);

    private void read(String text) {
        byte[] block = text.getBytes(StandardCharsets.UTF_8);
        assembler.read(block, block.length);
    }

    @Test
    void assemblesSameLinesForAnyBlockBoundary() {
        // given
        byte[] text = "AWS_SECRET_ACCESS_KEY=äöü\n\nprogress 1\rprogress 2\r\nend".getBytes(StandardCharsets.UTF_8);

        for (int cut = 0; cut <= text.length; cut++) {
            // when
            lines.clear();
            assembler.read(text, cut);
            assembler.read(Arrays.copyOfRange(text, cut, text.length), text.length - cut);
            assembler.end();

            // then
            assertThat(lines)
                    .as("cut at %d", cut)
                    .containsExactly("AWS_SECRET_ACCESS_KEY=äöü\n", "\n", "progress 1\r", "progress 2\r", "\n", "end");
        }
    }

    @Test
    void cutsLongLineAndContinuesWithNext() {
        // when
        read("x".repeat(LineAssembler.LONGEST - 1));
        read("yz");
        read("z\nnext\n");

        // then
        assertThat(lines)
                .containsExactly(
                        "x".repeat(LineAssembler.LONGEST - 1) + "y [... 2 bytes of this line left out ...]\n",
                        "next\n");
    }

    @Test
    void createsNoLineFromEmptyInput() {
        // when
        assembler.end();

        // then
        assertThat(lines).isEmpty();
    }
}
