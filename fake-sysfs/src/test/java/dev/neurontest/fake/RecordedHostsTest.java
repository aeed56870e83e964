package dev.neurontest.fake;

import static dev.neurontest.fake.ArchiveFixture.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole archives: of every layout on three instance types, and two that are kept beside the tests, so that what was recorded once
 * can be served for ever. {@code -Dfake.archives.write=true} writes those two anew; look at what git says has changed then.
 */
class RecordedHostsTest {

    private static final Path KEPT = Path.of("src/test/resources/dev/neurontest/fake/archives");

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "{0}@{1}")
    @CsvSource({"inf2.xlarge, docs-2023", "trn1.2xlarge, driver-2.30"})
    void keptArchiveIsWhatIsRecordedToday(String instance, String layout) throws IOException {
        // given
        Path kept = KEPT.resolve(instance + '@' + layout + ".neuron-archive.txt");

        // when
        String recorded = ArchiveFixture.of(instance, layout).text();
        if (Boolean.getBoolean("fake.archives.write")) {
            Files.createDirectories(KEPT);
            Files.writeString(kept, recorded);
        }

        // then
        assertThat(recorded).isEqualToNormalizingNewlines(Files.readString(kept));
        recordsAlike(kept, recorded, instance + '@' + layout);
    }

    @ParameterizedTest(name = "{0}@{1}")
    @MethodSource("dev.neurontest.fake.ArchiveFixture#hosts")
    void hostFromAnArchiveRecordsAsTheOneThatWasRecorded(String instance, String layout) throws IOException {
        ArchiveFixture archive = ArchiveFixture.of(instance, layout);
        recordsAlike(archive.in(folder), archive.text(), instance + '@' + layout);
    }

    private void recordsAlike(Path archive, String text, String name) throws IOException {
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().recording(archive).clock(NOON).start()) {
            assertThat(host).hasToString(name);
            assertThat(RecordingFixture.text(host)).isEqualTo(text);
        }
    }
}
