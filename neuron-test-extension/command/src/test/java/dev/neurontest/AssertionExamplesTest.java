package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the Javadoc of each assertion and expectation shows a success and a failure. */
class AssertionExamplesTest {

    private static final Path SOURCES = Path.of("..", "junit", "src", "main", "java", "dev", "neurontest");

    /** A comment, annotations, and a method other than a constructor. */
    private static final Pattern METHOD = Pattern.compile(
            "(?s)/\\*\\*((?:(?!\\*/).)*+)\\*/(?:\\s|@[\\w.]+(?:\\([^)]*\\))?)*public [^=;{(]+? (\\w+)\\(");

    private static List<Path> files(Path folder, String names) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches(names))
                    .sorted()
                    .toList();
        }
    }

    static List<Path> assertions() throws IOException {
        return files(SOURCES.resolve("assertj"), "(?!Abstract)\\w+Assert\\.java");
    }

    static List<Path> expectations() throws IOException {
        return files(SOURCES, "(Allow|Expect|Compare|Max|Min|Threshold)\\w*\\.java");
    }

    @ParameterizedTest
    @MethodSource("assertions")
    void eachAssertionDocumentsSuccessAndFailure(Path file) throws IOException {
        // given
        List<MatchResult> methods =
                METHOD.matcher(Files.readString(file)).results().toList();

        // then
        assertThat(methods).isNotEmpty();
        assertThat(methods)
                .filteredOn(method -> !method.group(1).contains("// succeeds")
                        || !method.group(1).contains("// fails"))
                .extracting(method -> method.group(2))
                .as("assertions of %s without an example that succeeds and one that fails", file.getFileName())
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("expectations")
    void eachExpectationDocumentsPassAndFailure(Path file) throws IOException {
        // given
        String source = Files.readString(file);

        // then
        assertThat(source.substring(0, source.indexOf("public @interface")))
                .containsPattern("(?s)<p>Passes .*\\bfails?\\b.*<pre>\\{@code");
    }

    @Test
    void findsSourcesOfAssertionsAndExpectations() throws IOException {
        // then
        assertThat(assertions()).hasSizeGreaterThan(5);
        assertThat(expectations()).hasSizeGreaterThan(11);
    }
}
