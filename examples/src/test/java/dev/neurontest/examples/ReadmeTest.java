package dev.neurontest.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the README shows is what runs here, letter by letter. */
class ReadmeTest {

    private static String readme() throws IOException {
        return Files.readString(Path.of("../README.md"));
    }

    @Test
    void showsTheFirstTest() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/neurontest/examples/FirstTest.java"));

        assertThat(readme()).contains(source.substring(source.indexOf("import ")));
    }

    @Test
    void showsTheFailureThatATestPrints() throws IOException {
        String message = FailureTablesTest.failures().get("anExecutionTimesOut");

        assertThat(readme()).contains(message.lines().collect(Collectors.joining("\n")));
    }
}
