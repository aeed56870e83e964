package dev.neurontest.internal.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TerminalTest {

    private static Map<String, String> environment(String assignments) {
        return Stream.of(assignments.split(" "))
                .filter(each -> each.contains("="))
                .map(each -> each.split("=", 2))
                .collect(Collectors.toMap(each -> each[0], each -> each[1]));
    }

    @ParameterizedTest
    @CsvSource({
        "auto, true, TERM=xterm, true",
        "auto, false, TERM=xterm, false",
        "auto, true, TERM=dumb, false",
        "auto, true, CLICOLOR=0, false",
        "auto, true, NO_COLOR=1, false",
        "auto, true, NO_COLOR=, true",
        "auto, false, FORCE_COLOR=1, true",
        "auto, false, FORCE_COLOR=0, false",
        "auto, false, FORCE_COLOR=false, false",
        "auto, false, CLICOLOR_FORCE=1, true",
        "auto, false, CLICOLOR_FORCE=0, false",
        "auto, false, FORCE_COLOR=1 TERM=dumb, true",
        "auto, true, NO_COLOR=1 FORCE_COLOR=1 CLICOLOR_FORCE=1, false",
        "auto, true, CI=true, true",
        "always, false, NO_COLOR=1 TERM=dumb, true",
        "never, true, FORCE_COLOR=1, false"
    })
    void coloursFollowOptionAndEnvironment(String choice, boolean attached, String environment, boolean expected) {
        // given
        Terminal terminal = new Terminal(environment(environment), attached);

        // when
        TerminalStyle look = terminal.style(ColorChoice.valueOf(choice.toUpperCase()), new AnsiSequences("key"));

        // then
        assertThat(look.colours().isPresent()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "true, TERM=xterm, true",
        "true, NO_COLOR=1, true",
        "true, TERM=dumb, false",
        "true, CI=true, false",
        "true, CI=false, true",
        "false, FORCE_COLOR=1, false"
    })
    void rewritesLineOnlyOnInteractiveTerminal(boolean attached, String environment, boolean expected) {
        assertThat(new Terminal(environment(environment), attached).rewrites()).isEqualTo(expected);
    }

    @Test
    void readsWidthFromColumns() {
        assertThat(new Terminal(Map.of("COLUMNS", "40"), false).width()).hasValue(40);
        assertThat(new Terminal(Map.of("COLUMNS", "40"), false)
                        .style(ColorChoice.AUTO, new AnsiSequences("key"))
                        .width())
                .isEqualTo(40);
        assertThat(new Terminal(Map.of("COLUMNS", "300"), true)
                        .style(ColorChoice.AUTO, new AnsiSequences("key"))
                        .width())
                .isEqualTo(TerminalStyle.WIDEST);
    }

    @Test
    void hasAtLeast20Columns() {
        assertThat(new Terminal(Map.of("COLUMNS", "1"), false).width()).hasValue(20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-3", "wide", "99999999999"})
    void ignoresInvalidColumns(String columns) {
        assertThat(new Terminal(Map.of("COLUMNS", columns), true).width()).isEmpty();
    }
}
