package dev.neurontest.examples.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the page has the messages as the code prints them, for readers who search for them. */
class TroubleshootingPageTest {

    private static final Pattern MESSAGE = Pattern.compile("### `(.+)`");
    private static final int SHORTEST = 10;

    @Test
    void quotesMessagesOfTheCode() throws IOException {
        List<String> messages = Files.readAllLines(Path.of("../docs/troubleshooting.md")).stream()
                .map(MESSAGE::matcher)
                .filter(Matcher::matches)
                .map(heading -> heading.group(1))
                .toList();
        Path statuses =
                Path.of("../neuron-test-extension/core/src/main/resources/dev/neurontest/internal/status/statuses.txt");
        List<String> texts = Stream.concat(
                        MainCode.files().values().stream().map(MainCode::texts), Stream.of(Files.readString(statuses)))
                .toList();

        assertThat(messages).hasSizeGreaterThan(50).doesNotHaveDuplicates();
        assertThat(messages)
                .filteredOn(message -> texts.stream().noneMatch(text -> has(text, message)))
                .as("messages of docs/troubleshooting.md that no file of the main code has")
                .isEmpty();
    }

    /** Returns whether the text contains the parts of the message between … in this order, close to each other. */
    static boolean has(String text, String message) {
        List<String> parts = List.of(message.split("…"));
        assertThat(String.join("", parts)).as(message).hasSizeGreaterThan(SHORTEST);
        StringBuilder pattern = new StringBuilder();
        for (String part : parts) {
            if (!part.isBlank()) {
                pattern.append(pattern.isEmpty() ? "" : ".{0,300}?").append(Pattern.quote(part.strip()));
            }
        }
        return Pattern.compile(pattern.toString()).matcher(text).find();
    }

    @Test
    void matchesMessagePartsInOrderOnly() {
        // given
        String text = MainCode.texts("""
                // "no text"
                "%s asks for %s, " + "but \\"%s\\" is %d%%" + '"' + "end"
                """);

        // then
        assertThat(text).isEqualTo("%s asks for %s, but \"%s\" is %d%end");
        assertThat(has(text, "… asks for …, but \"…\" is …")).isTrue();
        assertThat(has(text, "but \"…\" is … asks for …")).isFalse();
    }
}
