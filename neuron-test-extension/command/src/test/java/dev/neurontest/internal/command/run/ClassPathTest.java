package dev.neurontest.internal.command.run;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.launcher.Launcher;

class ClassPathTest {

    @TempDir
    private Path folder;

    private Path jar(String name, String version, Class<?>... classes) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
        Path file = folder.resolve(name);
        try (OutputStream bytes = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
            for (Class<?> each : classes) {
                String entry = each.getName().replace('.', '/') + ".class";
                jar.putNextEntry(new ZipEntry(entry));
                each.getClassLoader().getResourceAsStream(entry).transferTo(jar);
                jar.closeEntry();
            }
        }
        return file;
    }

    @Test
    void expandsFolderToItsJars() throws IOException {
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

    @ParameterizedTest
    @CsvSource({"6.1.3, true", "5.14.4, false"})
    void needsLauncherOnlyForJUnit6(String version, boolean needed) throws IOException {
        // given
        Path engine = jar("junit-platform-engine.jar", version, TestEngine.class);
        Path launcher = jar("junit-platform-launcher.jar", version, Launcher.class);

        // then
        assertThat(new ClassPath(List.of(folder, engine)).needsLauncher()).isEqualTo(needed);
        assertThat(new ClassPath(List.of(engine, launcher)).needsLauncher()).isFalse();
        assertThat(new ClassPath(List.of(folder)).needsLauncher()).isFalse();
    }

    @Test
    void refusesPathWithoutExistingEntry() {
        // then
        assertThatThrownBy(() -> ClassPath.of(List.of(folder + "/none")))
                .isInstanceOf(CommandException.class)
                .hasMessageStartingWith("No entry of the class path exists: " + folder + "/none.")
                .hasMessageContaining("--class-path");
    }

    @Test
    void namesMissingFolderOfJars() {
        // then
        assertThatThrownBy(() -> ClassPath.of(List.of(folder + "/libs/*")))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("The folder " + folder + "/libs of the class path cannot be listed");
    }
}
