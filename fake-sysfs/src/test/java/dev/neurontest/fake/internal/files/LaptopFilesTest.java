package dev.neurontest.fake.internal.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.laptop.Laptop;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the files of laptops in tests lack what they lack on a laptop. */
class LaptopFilesTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void haveNoSecureDirectories(Laptop laptop) throws IOException {
        try (var files = Files.newDirectoryStream(laptop.path(folder))) {
            assertThat(files).isNotInstanceOf(SecureDirectoryStream.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/proc/self", "/sys", "/dev/shm"})
    void areNotThoseOfTheKernel(String file) {
        for (Laptop laptop : Laptop.values()) {
            Path path = laptop.path(Path.of(file));

            assertThat(path).doesNotExist();
            assertThatExceptionOfType(NoSuchFileException.class)
                    .isThrownBy(() -> Files.getFileAttributeView(path, BasicFileAttributeView.class)
                            .readAttributes());
        }
    }

    @Nested
    class OnWindows {

        private Path windows;

        @BeforeEach
        void make() {
            windows = Laptop.WINDOWS.path(folder);
        }

        @Test
        void haveADriveAndBackslashes() {
            assertThat(windows.resolve("a/b").toString())
                    .startsWith("C:\\")
                    .endsWith("\\a\\b")
                    .doesNotContain("/");
        }

        @Test
        void haveNoReservedCharactersInNames() {
            assertThatExceptionOfType(InvalidPathException.class).isThrownBy(() -> windows.resolve("a?b"));
        }

        @Test
        void haveNoIdentifiers() throws IOException {
            assertThat(Files.readAttributes(windows, BasicFileAttributes.class).fileKey())
                    .isNull();
            assertThat(Files.getFileAttributeView(windows, BasicFileAttributeView.class)
                            .readAttributes()
                            .fileKey())
                    .isNull();
        }

        @Test
        void haveNoPermissions() {
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> Files.getPosixFilePermissions(windows));
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> Files.getAttribute(windows, "unix:mode"));
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> Files.createFile(
                            windows.resolve("new"),
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))));
        }

        @Test
        void areExecutableIfReadable() throws IOException {
            assertThat(Files.createFile(windows.resolve("program"))).isExecutable();
        }

        @Test
        void haveNoLinksWithoutPrivilege() {
            assertThatExceptionOfType(FileSystemException.class)
                    .isThrownBy(() -> Files.createSymbolicLink(windows.resolve("link"), windows))
                    .withMessageContaining("privilege");
        }

        @Test
        void haveAKindWithoutMode() throws IOException {
            assertThat(RegularFile.otherKind(Laptop.WINDOWS.path(Path.of("/dev/null"))))
                    .contains("not a regular file");
        }
    }
}
