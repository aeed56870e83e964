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

        assertThat(SavedOutput.in(stdout, folder))
                .allMatch(saved -> saved.trouble().isEmpty())
                .extracting(SavedOutput::name, SavedOutput::execution, SavedOutput::fileName)
                .containsExactly(
                        tuple("y", 1, "y"),
                        tuple("y", 2, "y.2"),
                        tuple("y", 3, "y.3"),
                        tuple("../block/z", 1, ".._block_z"),
                        tuple("../block/z", 2, ".._block_z.2"),
                        tuple("w.2", 1, "w.2"),
                        tuple("w.2", 2, "w.2.2"));
    }

    @Test
    void readsNoFilesOutsideTheFolder() throws IOException {
        Files.createSymbolicLink(folder.resolve("link"), Path.of("/etc/hostname"));
        Files.createDirectory(folder.resolve("folder"));

        assertThat(SavedOutput.in("""
                saved output "link" as "link"
                saved output "folder" as "folder"
                saved output "parent" as "../y"
                saved output "root" as "/etc/hostname"
                saved output "none" as "none"
                saved output "nul" as "nul\0"
                saved output "y" as ".."
                saved output "y" as "."
                saved output "y" as ""
                not saved output "y" as "y"
                """, folder))
                .hasSize(9)
                .allMatch(saved -> saved.file().isEmpty() && !saved.trouble().isEmpty());
    }

    @Test
    void requestsOnlyMeasuredExecutionIfItIsAlone() {
        assertThat(SavedOutput.flags(new TracePlan(0, 1))).containsExactly("--save-output");
        assertThat(SavedOutput.flags(new TracePlan(3, 1))).containsExactly("--save-output", "--save-nth-output=4");
        assertThat(SavedOutput.flags(new TracePlan(1, 2))).containsExactly("--save-output");
    }
}
