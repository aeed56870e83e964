package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Comments, messages and names of main code say which test, process, user or caller they mean. */
class PlainWordsTest {

    private static final Path REPOSITORY = Path.of("..", "..");
    private static final List<String> MODULES = List.of(
            "fake-sysfs", "neuron-test-extension/core", "neuron-test-extension/junit", "neuron-test-extension/command");
    private static final Pattern VAGUE = Pattern.compile("(?i)(no|some|any|every)body|whoever|\\bwhom\\b");

    @Test
    void mainCodeSaysWhoOrWhatIsMeant() throws IOException {
        // given
        List<String> vague = new ArrayList<>();

        // when
        for (String module : MODULES) {
            for (Path file : sources(REPOSITORY.resolve(module).resolve("src/main/java"))) {
                List<String> lines = Files.readAllLines(file);
                for (int i = 0; i < lines.size(); i++) {
                    if (VAGUE.matcher(lines.get(i)).find()) {
                        vague.add("%s:%d: %s"
                                .formatted(
                                        REPOSITORY.relativize(file),
                                        i + 1,
                                        lines.get(i).strip()));
                    }
                }
            }
        }

        // then
        assertThat(vague)
                .as("lines that do not name the test, process, user or caller")
                .isEmpty();
    }

    private static List<Path> sources(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> sources =
                    files.filter(file -> file.toString().endsWith(".java")).toList();
            assertThat(sources).as("sources in %s", folder).isNotEmpty();
            return sources;
        }
    }
}
