package dev.neurontest.examples.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** Tests that the project for newcomers is compiled without noise. */
class FirstProjectIT {

    private static final String COMPILER = "org.apache.maven.plugins:maven-compiler-plugin:";

    /** The local repository of this build, which Surefire passes to its JVMs. */
    private static final String REPOSITORY = "-Dmaven.repo.local="
            + System.getProperty("localRepository", System.getProperty("user.home") + "/.m2/repository");

    @TempDir(factory = TempDirFactory.Standard.class)
    private Path project;

    /** The warnings of a plugin do not depend on the dependencies, and the local repository may lack them. */
    @Test
    void compilesWithoutWarning() throws Exception {
        // given
        assumeTrue(
                Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "mvn"))),
                "no mvn in PATH");
        Files.writeString(
                project.resolve("pom.xml"),
                Files.readString(Repository.ROOT.resolve("examples/first-test/pom.xml"))
                        .replaceFirst("(?s)<dependencies>.*</dependencies>", ""));
        Files.writeString(
                Files.createDirectories(project.resolve("src/test/java")).resolve("FirstTest.java"),
                "class FirstTest {}");

        // when
        Path log = project.resolve("log");
        Process maven = new ProcessBuilder(
                        "mvn", "-o", "-B", REPOSITORY, COMPILER + "compile", COMPILER + "testCompile")
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();

        // then
        try {
            assertThat(maven.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(log)
                    .content()
                    .contains("BUILD SUCCESS", "Compiling 1 source file")
                    .doesNotContain("[WARNING]");
        } finally {
            maven.destroyForcibly();
        }
    }
}
