package dev.neurontest.fake.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of large tensors, which are filled in parts. */
class FillTest {

    private static final int ELEMENTS = 140_000;

    @ParameterizedTest
    @ValueSource(ints = {0, 65_535, 65_536, 70_000, ELEMENTS - 1})
    void setsSingleElementOfEachPart(int index) {
        byte[] content = Fill.parse("ones@" + index + "=3").encode(Element.named("uint8"), ELEMENTS);

        assertThat(content).hasSize(ELEMENTS);
        assertThat(content[index]).isEqualTo((byte) 3);
        content[index] = 1;
        assertThat(content).containsOnly(1);
    }

    @Test
    void refusesTensorAboveTheLimit() {
        Element element = Element.named("uint8");

        assertThat(Fill.parse("zeros").encode(element, 64 << 20)).hasSize(64 << 20);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fill.parse("zeros").encode(element, (64 << 20) + 1))
                .withMessage("a tensor of 67108865 bytes cannot be filled with zeros: the limit is 67108864 bytes");
    }
}
