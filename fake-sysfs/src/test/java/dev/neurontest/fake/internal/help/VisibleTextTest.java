package dev.neurontest.fake.internal.help;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VisibleTextTest {

    @Test
    void escapesOneCharacterOfACiCommand() {
        // then
        assertThat(VisibleText.of("::error::y\n \t::error::y\r::x"))
                .isEqualTo(":\\u003aerror::y\n \t:\\u003aerror::y\\u000d::x");
        assertThat(VisibleText.of("x ##[error]y ##vso[a]b ##TeamCity[c]"))
                .isEqualTo("x ##\\u005berror]y ##vso\\u005ba]b ##TeamCity\\u005bc]");
    }

    @Test
    void escapesCursorControlCharacters() {
        // then
        assertThat(VisibleText.of("a\u001b[2J\r\tb\n")).isEqualTo("a\\u001b[2J\\u000d\tb\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a::b", "# [a]", "a: b", "größer"})
    void leavesOtherTextAlone(String text) {
        // then
        assertThat(VisibleText.of(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"::", "\n", " ", "##[", ":"})
    void terminatesOnLongText(String part) {
        // then
        assertThat(VisibleText.of(part.repeat(200_000))).hasSizeGreaterThanOrEqualTo(200_000);
    }
}
