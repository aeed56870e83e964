package dev.neurontest.examples.documentation;

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
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the page about supported versions has those of the build and of the fake host. */
class SupportPageTest {

    private static final Path PAGE = Repository.ROOT.resolve("docs/support.md");

    /** Returns the row that begins with a word. */
    private static String row(String name) throws IOException {
        return Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| " + name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("docs/support.md has no row " + name));
    }

    private static List<String> found(String file, String pattern) throws IOException {
        return Pattern.compile(pattern)
                .matcher(Files.readString(Repository.ROOT.resolve(file)))
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    private static Pattern word(String version) {
        return Pattern.compile("(?<![\\d.])" + Pattern.quote(version) + "(?!\\d|\\.\\d)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Java     | pom.xml                               | <maven.compiler.release>(\\d+)<
                    JUnit    | pom.xml                               | <junit6?.version>([\\d.]+)<
                    Maven    | pom.xml                               | <version>\\[([\\d.]+),\\)</version>\\s+</requireMaven
                    Maven    | .ci/newcomer                          | maven\\d=(\\S+)
                    Maven    | pom.xml                               | maven-surefire-plugin</artifactId>\\s+<version>([\\d.]+)<
                    AssertJ  | pom.xml                               | <assertj.version>([\\d.]+)<
                    Allure   | pom.xml                               | <allure.version>([\\d.]+)<
                    Allure   | neuron-test-extension/junit/pom.xml   | <allure.tested>([\\d.]+)<
                    JNA      | pom.xml                               | <jna.version>([\\d.]+)<
                    JNA      | neuron-test-extension/core/src/main/java/dev/neurontest/internal/runtime/library/Jna.java | jna:([\\d.]+)\"
                    JNA      | docs/runtime.md                       | jna:([\\d.]+)
                    DuckDB   | pom.xml                               | <duckdb.version>([\\d.]+)<
                    Kotlin   | examples/frameworks/kotlin/pom.xml    | <kotlin.version>([\\d.]+)<
                    JUnit    | docs/other-frameworks.md              | JUnit (6[.]\\d+[.]\\d+)
                    `libnrt` | fake-sysfs/src/main/java/dev/neurontest/fake/FakeRuntime.java | \\"(2\\.\\d+\\.\\d+\\.\\d)\\"[,)]
                    instance | fake-sysfs/src/main/resources/dev/neurontest/fake/internal/driver/instance/instances.txt | \\nfamily (\\w+)
                    """)
    void rowHasTheVersionsOfTheBuild(String row, String file, String pattern) throws IOException {
        assertThat(found(file, pattern))
                .isNotEmpty()
                .allSatisfy(version -> assertThat(row(row)).containsPattern(word(version)));
    }

    /** JUnit's console 1.14 runs tests of JUnit 5.14. */
    @Test
    void rowOfJUnitHasTheVersionsOfTheConsoles() throws IOException {
        assertThat(found(
                        "neuron-test-extension/junit/pom.xml",
                        "console-standalone</artifactId>\\s+<version>1(\\.\\d+\\.\\d+)<"))
                .hasSizeGreaterThan(3)
                .allSatisfy(version -> assertThat(row("JUnit")).containsPattern(word("5" + version)));
    }

    @Test
    void rowOfDriversHasTheDriverOfEachLayout() throws IOException {
        Path layouts =
                Repository.ROOT.resolve("fake-sysfs/src/main/resources/dev/neurontest/fake/internal/tree/layout");
        try (Stream<Path> files = Files.list(layouts)) {
            for (Path layout : files.filter(file -> file.toString().endsWith(".layout"))
                    .filter(file -> !file.getFileName().toString().matches("moved.*|driver-2\\.x.*"))
                    .toList()) {
                assertThat(Pattern.compile("(?m)^driver +([\\d.]+)")
                                .matcher(Files.readString(layout))
                                .results()
                                .map(MatchResult::group))
                        .as(layout.toString())
                        .isNotEmpty()
                        .allSatisfy(line ->
                                assertThat(row("driver")).containsPattern(word(line.replaceFirst("driver +", ""))));
            }
        }
    }

    @Test
    void statusesOfTheApiHaveARow() throws IOException {
        List<String> statuses = found("neuron-test-extension/api.txt", "(?m)^(\\w+) ").stream()
                .distinct()
                .toList();

        assertThat(statuses).isNotEmpty();
        assertThat(Stream.of("stable", "experimental"))
                .containsAll(statuses)
                .allSatisfy(status -> assertThat(row(status).contains("| no type |"))
                        .as(status)
                        .isNotEqualTo(statuses.contains(status)));
    }
}
