package dev.neurontest.command.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassPathTest {

    @TempDir
    private Path folder;

    private Path jar(String name, String version, String... entries) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
        Path file = folder.resolve(name);
        try (OutputStream bytes = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
            for (String entry : entries) {
                jar.putNextEntry(new ZipEntry(entry));
                jar.closeEntry();
            }
        }
        return file;
    }

    @Test
    void takesTheJarsOfAFolder() throws IOException {
        // given
        Path b = jar("b.jar", "1");
        Path a = jar("a.jar", "1");
        Files.createFile(folder.resolve("notes.txt"));

        // when
        ClassPath path = ClassPath.of(List.of(folder + File.pathSeparator + folder + "/*"));

        // then
        assertThat(path.entries()).containsExactly(folder, a, b);
        assertThat(path.folders()).containsExactly(folder);
    }

    @Test
    void tellsTheVersionOfItsJUnit() throws IOException {
        // given
        Path engine = jar("junit-platform-engine.jar", "6.1.3", "org/junit/platform/engine/TestEngine.class");

        // when
        ClassPath path = new ClassPath(List.of(folder, engine));

        // then
        assertThat(path.platformVersion()).hasValue("6.1.3");
        assertThat(path.hasLauncher()).isFalse();
    }

    @Test
    void seesALauncher() throws IOException {
        // given
        Path launcher = jar("junit-platform-launcher.jar", "6.1.3", "org/junit/platform/launcher/Launcher.class");

        // when
        ClassPath path = new ClassPath(List.of(launcher));

        // then
        assertThat(path.hasLauncher()).isTrue();
        assertThat(path.platformVersion()).isEmpty();
    }

    @Test
    void refusesAPathOfWhichNothingExists() {
        // then
        assertThatThrownBy(() -> ClassPath.of(List.of(folder + "/none")))
                .isInstanceOf(CommandException.class)
                .hasMessageStartingWith("Nothing of the class path exists: " + folder + "/none.")
                .hasMessageContaining("--class-path");
    }

    @Test
    void saysWhichFolderOfJarsIsNotThere() {
        // then
        assertThatThrownBy(() -> ClassPath.of(List.of(folder + "/libs/*")))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("The folder " + folder + "/libs of the class path cannot be listed");
    }
}
