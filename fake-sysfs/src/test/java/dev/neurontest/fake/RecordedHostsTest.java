package dev.neurontest.fake;

import static dev.neurontest.fake.ArchiveFixture.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of archives among the test resources, which keep old recordings readable. */
class RecordedHostsTest {

    private static final Path KEPT = Path.of("src/test/resources/dev/neurontest/fake/archives");

    @ParameterizedTest
    @ValueSource(strings = {"inf2.xlarge@docs-2023", "trn1.2xlarge@driver-2.30"})
    void replayOfKeptArchiveRecordsTheSameText(String name) throws IOException {
        // given
        Path kept = KEPT.resolve(name + ".neuron-archive.txt");

        // when
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().recording(kept).clock(NOON).start()) {

            // then
            assertThat(host).hasToString(name);
            assertThat(RecordingFixture.text(host)).isEqualToNormalizingNewlines(Files.readString(kept));
        }
    }
}
