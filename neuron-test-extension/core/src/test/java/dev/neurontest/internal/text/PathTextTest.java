package dev.neurontest.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathTextTest {

    private static final Path WORKING = Path.of("").toAbsolutePath();

    @ParameterizedTest
    @ValueSource(strings = {"target/a b/x.ntff", "./target/a b/x.ntff", "target/other/../a b/x.ntff"})
    void shortensPathBelowWorkingDirectory(String path) {
        assertThat(PathText.of(WORKING.resolve(path))).isEqualTo("target/a b/x.ntff");
        assertThat(PathText.of(Path.of(path))).isEqualTo("target/a b/x.ntff");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "../x.ntff"})
    void keepsPathThatIsNotBelowWorkingDirectory(String path) {
        // given
        Path elsewhere = WORKING.resolve(path).normalize();

        // then
        assertThat(PathText.of(elsewhere)).isEqualTo(elsewhere.toString());
        assertThat(PathText.of(Path.of(WORKING + "-2/x.ntff"))).isEqualTo(WORKING + "-2/x.ntff");
    }
}
