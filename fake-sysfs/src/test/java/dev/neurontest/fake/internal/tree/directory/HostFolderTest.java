package dev.neurontest.fake.internal.tree.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests of roots of hosts where other users can create directories. */
@EnabledOnOs(OS.LINUX)
class HostFolderTest {

    @TempDir
    private Path temporary;

    private Path shared() throws IOException {
        Path shared = Files.createDirectory(temporary.toRealPath().resolve("shared"));
        Files.setAttribute(shared, "unix:mode", 01777);
        return shared;
    }

    @Test
    void isNotWritableByOtherUsers() throws IOException {
        // when
        HostFolder folder = HostFolder.claim(shared().resolve("host"));

        // then
        assertThat((int) Files.getAttribute(folder.root(), "unix:mode") & 0022).isZero();
        folder.delete();
    }

    @Test
    void refusesWorldWritableDirectory() throws IOException {
        // given
        Path open = Files.createDirectory(shared().resolve("open"));
        Files.setAttribute(open, "unix:mode", 0777);

        // then
        assertThatIOException()
                .isThrownBy(() -> HostFolder.claim(open))
                .withMessage(
                        "%s is writable for every user, who could replace the files of the host: use an absent directory, or chmod o-w %s",
                        open, open);
    }

    @Test
    void refusesForeignDirectoryInASharedParent() throws IOException {
        // given
        assumeThat(System.getProperty("user.name"))
                .as("only root gives a directory to another user")
                .isEqualTo("root");
        Path shared = shared();
        Path planted = Files.createDirectory(shared.resolve("planted"));
        Files.setAttribute(planted, "unix:uid", 65534);

        // then
        assertThatIOException()
                .isThrownBy(() -> HostFolder.claim(planted))
                .withMessage(
                        "%s belongs to %s, and every user can create directories in %s: use an absent directory",
                        planted, Files.getOwner(planted).getName(), shared);

        // when
        Files.setAttribute(shared, "unix:mode", 0755);

        // then root may serve in a directory that another user gave it
        HostFolder.claim(planted).delete();
    }
}
