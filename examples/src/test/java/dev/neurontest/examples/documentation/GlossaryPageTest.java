package dev.neurontest.examples.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the code or another page uses each word of the glossary. */
class GlossaryPageTest {

    private static final Path DOCS = Path.of("../docs");
    private static final Pattern TERM = Pattern.compile("\\*\\*([^*]+)\\*\\*.*");

    @Test
    void everyTermIsUsedElsewhere() throws IOException {
        List<String> terms = Files.readAllLines(DOCS.resolve("glossary.md")).stream()
                .map(TERM::matcher)
                .filter(Matcher::matches)
                .map(term -> term.group(1))
                .toList();
        String everything = words(String.join("\n", MainCode.files().values()) + otherPages());

        assertThat(terms).hasSizeGreaterThan(30).doesNotHaveDuplicates();
        assertThat(terms)
                .filteredOn(term -> !everything.contains(words(term)))
                .as("terms of docs/glossary.md that no other page and no main code uses")
                .isEmpty();
    }

    private static String otherPages() throws IOException {
        try (Stream<Path> files = Files.walk(DOCS)) {
            return files.filter(file -> file.toString().endsWith(".md") && !file.endsWith("glossary.md"))
                    .map(GlossaryPageTest::read)
                    .collect(Collectors.joining("\n"));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String words(String text) {
        return MainCode.oneLine(text).toLowerCase(Locale.ROOT);
    }
}
