package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedOutputTest {

    @TempDir
    private Path folder;

    @Test
    void namesExecutionOfEachFile() throws IOException {
        for (String file : new String[] {"y", "y.2", "y.3", ".._block_z", ".._block_z.2", "w.2", "w.2.2"}) {
            Files.createFile(folder.resolve(file));
        }
        String stdout = """
                saved output "y" as "y"
                saved output "y" as "y.2"
                saved output "y" as "y.3"
                saved output "../block/z" as ".._block_z"
                saved output "../block/z" as ".._block_z.2"
                saved output "w.2" as "w.2"
                saved output "w.2" as "w.2.2"
                """;

        assertThat(SavedOutput.in(stdout, folder, new TracePlan(1, 1)))
                .extracting(SavedOutput::name, SavedOutput::execution, SavedOutput::file)
                .containsExactly(
                        tuple("y", 2, folder.resolve("y.2")),
                        tuple("../block/z", 2, folder.resolve(".._block_z.2")),
                        tuple("w.2", 2, folder.resolve("w.2.2")));
        assertThat(SavedOutput.in(stdout, folder, new TracePlan(0, 3)))
                .extracting(SavedOutput::execution)
                .containsExactly(1, 2, 3, 1, 2, 1, 2);
    }

    @Test
    void ignoresFilesOutsideTheFolder() throws IOException {
        Files.createSymbolicLink(folder.resolve("link"), Path.of("/etc/hostname"));
        Files.createDirectory(folder.resolve("folder"));

        assertThat(SavedOutput.in("""
                saved output "link" as "link"
                saved output "folder" as "folder"
                saved output "parent" as "../y"
                saved output "none" as "none"
                saved output "y" as ".."
                not saved output "y" as "y"
                """, folder, new TracePlan(0, 1))).isEmpty();
    }

    @Test
    void requestsOnlyMeasuredExecutionIfItIsAlone() {
        assertThat(SavedOutput.flags(new TracePlan(0, 1))).containsExactly("--save-output");
        assertThat(SavedOutput.flags(new TracePlan(3, 1))).containsExactly("--save-output", "--save-nth-output=4");
        assertThat(SavedOutput.flags(new TracePlan(1, 2))).containsExactly("--save-output");
    }
}
