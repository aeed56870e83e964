package dev.neurontest.internal.text;

import static dev.neurontest.internal.text.LogCommandsFixture.assertNoCommand;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class VisibleTextTest {

    @ParameterizedTest
    @CsvSource({
        "7, \\u0007",
        "1b, \\u001b",
        "7f, \\u007f",
        "85, \\u0085",
        "9b, \\u009b",
        "ad, \\u00ad",
        "61c, \\u061c",
        "200f, \\u200f",
        "2028, \\u2028",
        "202e, \\u202e",
        "2066, \\u2066",
        "d800, \\ud800",
        "feff, \\ufeff",
        "e0041, \\udb40\\udc41"
    })
    void escapesControlAndDirectionCharacters(String point, String shown) {
        // given
        String text = Character.toString(Integer.parseInt(point, 16));

        // then
        assertThat(VisibleText.of("a" + text + "b\n")).isEqualTo("a" + shown + "b\n");
        assertThat(VisibleText.line("a" + text)).isEqualTo("a" + shown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "\\u001b", "größer µs …", "日本語", "שלום", "\ud83d\ude00"})
    void leavesLettersOfAllLanguagesAlone(String text) {
        // then
        assertThat(VisibleText.of(text)).isSameAs(text);
        assertThat(VisibleText.line(text)).isEqualTo(text);
    }

    @Test
    void keepsLineBreaksOnlyInMultilineText() {
        // then
        assertThat(VisibleText.of("a\tb\r\nc\rd\n")).isEqualTo("a\tb\nc\\u000dd\n");
        assertThat(VisibleText.line("a\tb\nc")).isEqualTo("a\\u0009b\\u000ac");
    }

    @ParameterizedTest
    @FieldSource("dev.neurontest.internal.text.LogCommandsFixture#COMMANDS")
    void escapesCommandsOfCi(String command) {
        // then
        assertNoCommand(VisibleText.of(command));
        assertNoCommand(VisibleText.of("x\n" + command));
        assertNoCommand(VisibleText.of("x\r\n" + command));
        assertNoCommand(VisibleText.of("\n\n  " + command + "\n" + command));
        assertNoCommand(VisibleText.line(command));
        assertNoCommand(VisibleText.line("x\n" + command));
        assertThat(VisibleText.of(VisibleText.of(command))).isEqualTo(VisibleText.of(command));
    }

    @Test
    void escapesOneCharacterOfCommand() {
        // then
        assertThat(VisibleText.of("::error::y\n ::error::y")).isEqualTo(":\\u003aerror::y\n :\\u003aerror::y");
        assertThat(VisibleText.of("###[a] ##vso[b]")).isEqualTo("###\\u005ba] ##vso\\u005bb]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a::b", "std::string x", "# [a]", "#[test]", "##a[b", "a: b", "[1, 2]", "12:00::"})
    void leavesOtherColonsAndBracketsAlone(String text) {
        // then
        assertThat(VisibleText.of(text)).isSameAs(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"::", "\n", " ", "##[", "##", ":", "\r", "\u00a0"})
    void finishesForLongText(String part) {
        // then
        assertThat(VisibleText.of(part.repeat(200_000))).hasSizeGreaterThanOrEqualTo(200_000);
    }
}
