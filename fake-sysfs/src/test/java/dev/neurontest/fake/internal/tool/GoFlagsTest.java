package dev.neurontest.fake.internal.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of command lines as the flag library of the genuine tools reads them. */
class GoFlagsTest {

    private static final GoFlags.Flag[] KNOWN = {
        GoFlags.text('n', "neff"), GoFlags.number('r', "workers"), GoFlags.flag("force")
    };

    private static GoFlags parse(String... arguments) throws ToolFailure {
        return GoFlags.parse(KNOWN, List.of(arguments));
    }

    @ParameterizedTest
    @CsvSource({"--neff=v,", "--neff,v", "-nv,", "-n=v,", "-n,v"})
    void acceptsValuesInEveryForm(String first, String second) throws Exception {
        GoFlags flags = second == null ? parse(first, "word") : parse(first, second, "word");

        assertThat(flags.get("neff", "")).isEqualTo("v");
        assertThat(flags.words()).containsExactly("word");
    }

    @Test
    void treatsWordsAfterTwoDashesAsArguments() throws Exception {
        assertThat(parse("--force", "--", "-n", "x").words()).containsExactly("-n", "x");
    }

    @ParameterizedTest
    @CsvSource({
        "--nix, unknown flag `nix'",
        "-x, unknown flag `x'",
        "--neff, 'expected argument for flag `-n, --neff'''",
        "--force=1, bool flag `--force' cannot have an argument",
        "--workers=two, 'invalid argument for flag `-r, --workers'' (expected int): strconv.ParseInt: parsing \"two\": invalid syntax'"
    })
    void refusesUnknownFlagsAndWrongValues(String argument, String message) {
        assertThatThrownBy(() -> parse(argument))
                .isInstanceOf(ToolFailure.class)
                .hasMessage(message);
    }

    @Test
    void refusesAFlagInPlaceOfAValue() {
        assertThatThrownBy(() -> parse("-n", "--force"))
                .hasMessage("expected argument for flag `-n, --neff', but got option `--force'");
    }
}
