package dev.neurontest.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DriverVersionTest {

    @ParameterizedTest
    @CsvSource({
        "2.30.2.0,true",
        "2.30,true",
        "2.31-rc1,true",
        "3.0.0,true",
        "2.9.4,false",
        "2.29.9.9,false",
        "1.40,false"
    })
    void isComparedAsNumbers(String text, boolean atLeast) {
        // given
        DriverVersion version = new DriverVersion(text);

        // then
        assertThat(version.known()).isTrue();
        assertThat(version.atLeast(2, 30)).isEqualTo(atLeast);
        assertThat(version).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource({"custom", "2", "2.x", "99999999999.1", "2.30garbage"})
    void isUnknownWhenItIsNoNumber(String text) {
        // given
        DriverVersion version = new DriverVersion(text);

        // then
        assertThat(version.known()).isFalse();
        assertThat(version.atLeast(0, 0)).isFalse();
    }

    @Test
    void isAtLeastItself() {
        // then
        assertThat(new DriverVersion("2.28.0.0").atLeast(2, 28)).isTrue();
    }
}
