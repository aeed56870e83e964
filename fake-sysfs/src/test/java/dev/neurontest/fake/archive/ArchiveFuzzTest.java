package dev.neurontest.fake.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fuzz.Fuzzing;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings that are broken anywhere. */
class ArchiveFuzzTest {

    private static final String HOST = """
            neuron-archive 1
            recorded 2026-11-22T02:13:20.000Z
            writer by hand
            interval 0.100

            # a comment
            directory 0755 dev
             neuron0 0666 device 243:0
            directory 0700 sys/class/neuron_device
             a\\x20name 0644 =  two spaces \\\\ \\t\\r\\n\\xff\\x20
             é 0444 = é
             broken 0400 ! EIO as a person says
             neuron0 -> ../../a\\x20b
            timeline
            at 0.5
            directory 0755 dev
             neuron0 gone
             new neuron1 0666 device
            new directory 0755 sys/devices/virtual/neuron_device/neuron1
             reset 0644 =
            mark test-id [engine:junit-jupiter]/[class:A]/[method:b(int)]
            at 1.5
            gone sys/class/neuron_device
            mark the end\\x20
            end
            """;

    @TempDir
    private Path folder;

    @Test
    void areReadOrRefusedInOneLine() {
        // given
        Path file = folder.resolve("host");

        // then
        Fuzzing.of(ArchiveFuzzTest.class, "archive")
                .seeds(HOST)
                .words(
                        "directory 0755 dev",
                        "\nnew ",
                        " gone",
                        " -> ",
                        " = ",
                        " ! EIO",
                        "\nat 2\n",
                        "\ntimeline\n",
                        "\nend\n")
                .refusing(ArchiveException.class)
                .check(
                        input -> {
                            try {
                                return ArchiveReader.read(Files.write(file, input));
                            } catch (ArchiveException refused) {
                                assertThat(refused.getMessage()).doesNotContain("\n", "\r", "\u001b");
                                throw refused;
                            }
                        },
                        (input, archive) -> {
                            assertThat(archive.beginning())
                                    .hasSameSizeAs(archive.everything().entrySet());
                            assertThat(new String(input, StandardCharsets.UTF_8))
                                    .containsPattern("(?m)^end\r?$");
                        });
    }
}
