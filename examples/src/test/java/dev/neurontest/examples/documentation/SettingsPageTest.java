package dev.neurontest.examples.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.configuration.Setting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that the page of settings matches the code. {@code -Dupdate.docs=true} writes everything except the reasons.
 */
class SettingsPageTest {

    private static final Path PAGE = Path.of("../docs/settings.md");
    private static final Pattern REASON = Pattern.compile("(?s)### `([^`]+)`\n.*?\n\n(Set it .*?)(?=\n\n###? |\n*$)");

    private static final Pattern NAME =
            Pattern.compile("\\bneuron\\.test(\\.[a-z-]+)+(?![.*a-z-])|\\bNEURON_TEST(_[A-Z]+)+\\b(?!_)");

    @Test
    void matchesTheSettingsInTheCode() throws IOException {
        // given
        String page = Files.readString(PAGE);
        Map<String, String> reasons = reasons(page);
        String expected = page.substring(0, page.indexOf("\n### ") + 1)
                + Setting.all().stream()
                        .map(setting -> entry(setting, reasons.getOrDefault(setting.name(), "")))
                        .collect(Collectors.joining("\n"));

        // when
        if (Boolean.getBoolean("update.docs")) {
            Files.writeString(PAGE, expected);
        }

        // then
        assertThat(Files.readString(PAGE))
                .as("docs/settings.md; -Dupdate.docs=true writes it")
                .isEqualTo(expected);
    }

    @Test
    void everySettingHasAReason() throws IOException {
        assertThat(reasons(Files.readString(PAGE)))
                .containsOnlyKeys(Setting.all().stream().map(Setting::name).toList());
    }

    @Test
    void pagesNameOnlyExistingSettings() throws IOException {
        Set<String> known = Setting.all().stream()
                .flatMap(setting -> Stream.of(setting.name(), setting.environmentVariable()))
                .collect(Collectors.toSet());
        try (Stream<Path> pages = Files.walk(PAGE.getParent())) {
            assertThat(pages.filter(page -> page.toString().endsWith(".md"))
                            .flatMap(page -> NAME.matcher(read(page)).results())
                            .map(MatchResult::group)
                            .filter(name -> !known.contains(name))
                            .distinct())
                    .as("names in docs that are no settings")
                    .isEmpty();
        }
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> reasons(String page) {
        Map<String, String> reasons = new LinkedHashMap<>();
        Matcher entry = REASON.matcher(page);
        while (entry.find()) {
            reasons.put(entry.group(1), entry.group(2).strip());
        }
        return reasons;
    }

    private static String entry(Setting<?> setting, String reason) {
        return """
                ### `%s`

                %s

                | | |
                |---|---|
                | values | %s |
                | default | %s |
                | environment | `%s` |

                %s
                """.formatted(
                        setting.name(),
                        String.join("\n", lines(sentence(setting.meaning()))),
                        inTable(setting.expected()),
                        inTable(setting.byDefault()),
                        setting.environmentVariable(),
                        reason);
    }

    private static String sentence(String meaning) {
        return Character.toUpperCase(meaning.charAt(0)) + meaning.substring(1) + ".";
    }

    private static String inTable(String text) {
        return text.replace("<", "&lt;").replace(">", "&gt;").replace("|", "\\|");
    }

    private static List<String> lines(String text) {
        return List.of(text.replaceAll("(.{1,110})(?: |$)", "$1\n").strip().split("\n"));
    }
}
