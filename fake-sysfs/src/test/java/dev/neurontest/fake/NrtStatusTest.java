package dev.neurontest.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NrtStatusTest {

    @Test
    void namesAndCodesMatchTheFacts() {
        assertThat(Arrays.stream(NrtStatus.values()).map(status -> status.name() + " " + status.code()))
                .containsExactlyElementsOf(FactsFixture.nrtStatus().stream()
                        .map(fact -> FactsFixture.text(fact, "name") + " "
                                + fact.get("code").asInt())
                        .toList());
    }

    @Test
    void statusIsFoundByNameAndByNumber() {
        assertThat(NrtStatus.of(1006)).isEqualTo(NrtStatus.NRT_EXEC_OOB);
        assertThat(NrtStatus.of("5")).isEqualTo(NrtStatus.NRT_TIMEOUT);
        assertThat(NrtStatus.of("NRT_TIMEOUT")).isEqualTo(NrtStatus.NRT_TIMEOUT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"8", "12", "-1", "TIMEOUT", ""})
    void unknownStatusIsRefused(String text) {
        assertThatThrownBy(() -> NrtStatus.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text + "\"");
    }

    @ParameterizedTest
    @CsvSource({"NRT_TIMOUT, NRT_TIMEOUT", "TIMEOUT, NRT_TIMEOUT", "NRT_EXEC_OBB, NRT_EXEC_OOB"})
    void unknownStatusIsAnsweredWithNearNames(String wrong, String near) {
        assertThatThrownBy(() -> NrtStatus.of(wrong))
                .hasMessageContaining("did you mean ")
                .hasMessageContaining(near);
    }
}
