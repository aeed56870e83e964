package dev.neurontest.profile;

import static dev.neurontest.profile.EventFileFixture.file;
import static dev.neurontest.profile.EventFileFixture.instruction;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileEventsExceptionTest {

    @TempDir
    Path folder;

    private static ProfileEventsException failure(Path file) {
        ProfileEventsException failure =
                catchThrowableOfType(ProfileEventsException.class, () -> ProfileEvents.read(file));
        assertThat(failure).as("failure of reading " + file).isNotNull();
        return failure;
    }

    private ProfileEventsException failure(String content) {
        return failure(file(folder, content));
    }

    @Test
    void reportsWhereFileIsCutAndKeepsEarlierRecords() {
        // given
        String complete = "{\"instruction\": [%s, {\"duration\": 2}".formatted(instruction(40, "Tensor", "o", "l"));

        // when
        ProfileEventsException failure = failure(complete + ", {\"dur");

        // then
        assertThat(failure)
                .hasMessageContaining("ntff.json is readable only until byte %s: ".formatted(complete.length() + 7))
                .hasMessageContaining("Expected the next instruction, or the end of the array.")
                .hasMessageContaining("The 2 records before it are in partial().")
                .hasMessageContaining("view the profile again with --output-format json");
        assertThat(failure.partial().orElseThrow().rows(Grouping.ENGINE))
                .extracting(EventRow::name)
                .containsExactly("Tensor", "(none)");
        assertThat(failure.partial().orElseThrow().count(Grouping.ENGINE)).isEqualTo(2);
        assertThat(failure.partial().orElseThrow().toText()).contains("Tensor");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[{\"instruction\": []}]", "17", "\"text\"", "null", "NaN"})
    void reportsFileThatIsNoJsonObject(String content) {
        // then
        assertThat(failure(content))
                .hasMessageContaining("it begins with ")
                .hasMessageContaining("Expected one JSON object, as the profiler's view writes it.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  \n"})
    void reportsEmptyFile(String content) {
        // then
        assertThat(failure(content)).hasMessageContaining("it is empty");
    }

    @Test
    void reportsContentAfterEnd() {
        // when
        ProfileEventsException failure = failure("{\"instruction\": [{\"duration\": 3}]} {}");

        // then
        assertThat(failure).hasMessageContaining("something comes after its end");
        assertThat(failure.partial().orElseThrow().count(Grouping.ENGINE)).isEqualTo(1);
    }

    @Test
    void reportsMissingFile() {
        // when
        ProfileEventsException failure = failure(folder.resolve("no.json"));

        // then
        assertThat(failure)
                .hasMessageContaining("no.json could not be read: NoSuchFileException")
                .hasMessageContaining("Use the file that the profiler's view wrote with --output-format json");
        assertThat(failure.partial().orElseThrow().count(Grouping.ENGINE)).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"instruction\": [{\"label\": \"", "{\"instruction\": [{\"crc\": \"", "{\"crc\": \"", "{\""})
    void bytesThatAreNoUtf8AreRefused(String before) {
        // given
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.writeBytes(before.getBytes(StandardCharsets.US_ASCII));
        content.write(0xff);
        content.writeBytes("\": 1}]}".getBytes(StandardCharsets.US_ASCII));

        // when
        ProfileEventsException failure = failure(file(folder, content.toByteArray()));

        // then
        assertThat(failure).hasMessageContaining("Invalid UTF-8 start byte 0xff");
    }

    @Test
    void textsInAnotherEncodingAreRefused() {
        // then
        assertThatThrownBy(() -> ProfileEvents.read(file(folder, "{}".getBytes(StandardCharsets.UTF_16LE))))
                .isInstanceOf(ProfileEventsException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"instruction\": [{\"crc\": ", "{\"metadata\": ", "{\"instruction\": ", "{\"warnings\": "})
    void deepNestingIsRefused(String before) {
        // then
        assertThat(failure(before + "[".repeat(100_000))).hasMessageContaining("depth");
    }

    @Test
    void hugeTextsAreRefusedInKnownFields() {
        // given
        String huge = "x".repeat(2_000_000);

        // then
        assertThat(failure("{\"instruction\": [{\"duration\": 1}, {\"layer\": \"%s\"}]}".formatted(huge)))
                .hasMessageContaining("1048576")
                .hasMessageContaining("The 1 records before it");
    }

    @Test
    void hugeTextsAreSkippedInUnknownFields() {
        // given
        Path file = file(
                folder, "{\"instruction\": [{\"new\": \"%s\", \"duration\": 1}]}".formatted("x".repeat(2_000_000)));

        // then
        assertThat(ProfileEvents.read(file).count(Grouping.ENGINE)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1_001, 2_000_000})
    void hugeNumbersAreRefused(int digits) {
        // then
        assertThat(failure("{\"instruction\": [{\"duration\": %s}]}".formatted("9".repeat(digits))))
                .hasMessageContaining("is readable only until byte");
    }

    @Test
    void hugeNamesAreRefused() {
        // then
        assertThat(failure("{\"%s\": 1}".formatted("n".repeat(2_000_000)))).hasMessageContaining("1024");
    }
}
