package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.jvm.JvmCommand;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of licenses and notices in the built jars. */
class JarLicensesIT {

    private static final Path EXTENSION = Path.of(System.getProperty("command.build", "target"))
            .toAbsolutePath()
            .resolve("../..")
            .normalize();
    private static final Path ROOT = EXTENSION.getParent();
    private static final Pattern ARTIFACT =
            Pattern.compile("META-INF/maven/(?!dev\\.neurontest/)[^/]+/([^/]+)/pom.xml");
    private static final Pattern TEXT = Pattern.compile("META-INF/licenses/([^/]+)/.*(LICEN|AL2).*");

    private static final List<Path> TARGETS = Stream.of(
                    "fake-sysfs",
                    "neuron-test-extension/core",
                    "neuron-test-extension/junit",
                    "neuron-test-extension/command")
            .map(module -> Path.of(module, "target"))
            .toList();

    static List<Path> jars() throws IOException {
        List<Path> jars = new ArrayList<>();
        for (Path target : TARGETS) {
            try (Stream<Path> files = Files.list(ROOT.resolve(target))) {
                files.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(jars::add);
            }
        }
        return jars;
    }

    private static String text(ZipFile jar, String name) throws IOException {
        ZipEntry entry = jar.getEntry(name);
        assertThat(entry).as("%s in %s", name, jar.getName()).isNotNull();
        try (InputStream text = jar.getInputStream(entry)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void releaseCheckNamesMissingFiles(@TempDir Path repository) throws Exception {
        // given
        String artifact = "dev/neurontest/core/1/core-1";
        Path pom = repository.resolve(artifact + ".pom");
        Files.createDirectories(pom.getParent());
        Files.writeString(pom, "<project><parent/><url>${address}</url></project>");
        Files.writeString(repository.resolve(artifact + ".pom.sha1"), "0");

        // when
        Process check = new ProcessBuilder(JvmCommand.java(
                        ROOT.resolve(".ci/ReleaseArchive.java").toString(),
                        repository.toString(),
                        repository.resolve("archive.zip").toString(),
                        "2026-11-21T00:00:00Z"))
                .redirectErrorStream(true)
                .start();

        // then
        assertThat(new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains(
                        artifact + ".jar is missing.",
                        artifact + "-sources.jar is missing.",
                        artifact + "-javadoc.jar is missing.",
                        artifact + "-cyclonedx.json is missing.",
                        artifact + ".pom.asc is missing.",
                        artifact + ".pom.sha1 is not the SHA-1 of " + artifact + ".pom.",
                        artifact + ".pom has a parent, which is not published.",
                        artifact + ".pom contains a variable: ${address}",
                        artifact + ".pom has no licenses/license/name.");
        assertThat(check.waitFor()).isEqualTo(1);
        assertThat(repository.resolve("archive.zip")).doesNotExist();
    }

    @ParameterizedTest
    @MethodSource("jars")
    void jarsHaveLicenseAndNoticeOfProject(Path file) throws IOException {
        try (ZipFile jar = new ZipFile(file.toFile())) {
            assertThat(text(jar, "META-INF/LICENSE")).isEqualTo(Files.readString(ROOT.resolve("LICENSE")));
            assertThat(text(jar, "META-INF/NOTICE")).startsWith("Neuron Test\nCopyright ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fake-sysfs/target/fake-sysfs.jar", "neuron-test-extension/command/target/neuron-test.jar"})
    void jarsHaveLicensesOfBundledArtifacts(String file) throws IOException {
        // when
        Set<String> artifacts = new TreeSet<>();
        Set<String> licensed = new TreeSet<>();
        try (ZipFile jar = new ZipFile(ROOT.resolve(file).toFile())) {
            jar.stream().map(ZipEntry::getName).forEach(name -> {
                Matcher artifact = ARTIFACT.matcher(name);
                if (artifact.matches()) {
                    artifacts.add(artifact.group(1));
                }
                Matcher text = TEXT.matcher(name);
                if (text.matches()) {
                    licensed.add(text.group(1));
                }
            });
        }

        // then: those that Maven has built, and four of other tools
        assertThat(licensed).containsAll(artifacts).contains("jna", "picocli", "jspecify", "apiguardian-api");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jackson-core/NOTICE",
                "jackson-core/FastDoubleParser-LICENSE",
                "commons-statistics-inference/NOTICE",
                "jna/LGPL2.1",
                "junit-platform-launcher/LICENSE.md",
                "junit-jupiter-params/LICENSE-univocity-parsers.md",
                "jmustache/LICENSE",
                "HdrHistogram/LICENSE.txt"
            })
    void commandJarHasEveryLicenseText(String name) throws IOException {
        try (ZipFile jar =
                new ZipFile(EXTENSION.resolve("command/target/neuron-test.jar").toFile())) {
            assertThat(text(jar, "META-INF/licenses/" + name)).hasSizeGreaterThan(100);
        }
    }
}
