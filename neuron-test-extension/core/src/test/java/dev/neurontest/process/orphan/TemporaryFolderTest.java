package dev.neurontest.process.orphan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.process.JvmToken;
import dev.neurontest.process.ProcessFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryFolderTest {

    @TempDir
    Path parent;

    private Path ofDeadJvm() throws IOException {
        return Files.createDirectory(parent.resolve("neuron-test-" + ProcessFixture.dead() + "-123"));
    }

    @Test
    void isOfThisUserAlone() throws IOException {
        // when
        Path made = TemporaryFolder.make();

        // then
        try {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                    .isEqualTo("rwx------");
            assertThat(TemporaryFolder.left()).doesNotContain(made);
            TemporaryFolder.removeLeft();
            assertThat(made).exists();
        } finally {
            Files.delete(made);
        }
    }

    @Test
    void thatOfADeadJvmIsRemovedWithItsFiles() throws IOException {
        // given
        Path left = ofDeadJvm();
        Files.createFile(left.resolve("s"));

        // when
        assertThat(TemporaryFolder.left(parent)).containsExactly(left);
        assertThat(TemporaryFolder.removeLeft(parent)).containsExactly(left);

        // then
        assertThat(left).doesNotExist();
    }

    @Test
    void linksAreNotFollowed() throws IOException {
        // given
        Path precious = Files.createFile(
                Files.createDirectory(parent.resolve("elsewhere")).resolve("precious"));
        Path left = ofDeadJvm();
        Files.createSymbolicLink(left.resolve("file"), precious);
        Files.createSymbolicLink(left.resolve("folder"), precious.getParent());
        Path link = Files.createSymbolicLink(Path.of(left + "4"), precious.getParent());

        // when
        TemporaryFolder.removeLeft(parent);

        // then
        assertThat(left).doesNotExist();
        assertThat(Files.exists(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
        assertThat(precious).exists();
    }

    @Test
    void whatHoldsAFolderStays() throws IOException {
        // given
        Path left = ofDeadJvm();
        Path precious =
                Files.createFile(Files.createDirectory(left.resolve("folder")).resolve("precious"));

        // when
        assertThat(TemporaryFolder.removeLeft(parent)).isEmpty();

        // then
        assertThat(precious).exists();
    }

    @Test
    void thatOfAnotherUserStays() throws IOException {
        // given
        assumeThat(System.getProperty("user.name")).isEqualTo("root");
        Path left = ofDeadJvm();
        Files.setAttribute(left, "unix:uid", 65534);

        // when
        assertThat(TemporaryFolder.removeLeft(parent)).isEmpty();

        // then
        assertThat(left).exists();
    }

    @Test
    void whatIsCalledOtherwiseStays() throws IOException {
        // given
        Path living = Files.createDirectory(
                parent.resolve("neuron-test-" + JvmToken.ofThisJvm().orElseThrow() + "-123"));
        Path other = Files.createDirectory(parent.resolve("neuron-test-leases"));

        // when
        TemporaryFolder.removeLeft(parent);

        // then
        assertThat(living).exists();
        assertThat(other).exists();
    }
}
