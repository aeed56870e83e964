package dev.neurontest.internal.maven;

import dev.neurontest.jvm.MavenProgram;
import dev.neurontest.jvm.MavenProgram.Ended;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A Maven project that uses the artifacts of this build, offline. Its local repository has links to the one of this build, and the
 * artifacts of this build, which are not installed.
 */
record MavenProjectFixture(Path folder, Path repository) {

    private static final String POM = """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <groupId>com.acme</groupId>
              <artifactId>suite</artifactId>
              <version>1</version>
              <properties>
                <maven.compiler.release>17</maven.compiler.release>
                <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
              </properties>
              <dependencies>
                <dependency>
                  <groupId>dev.neurontest</groupId>
                  <artifactId>neuron-test-extension</artifactId>
                  <version>%s</version>
                  <scope>test</scope>
                </dependency>
                <dependency>
                  <groupId>dev.neurontest</groupId>
                  <artifactId>fake-sysfs</artifactId>
                  <version>%s</version>
                  <scope>test</scope>
                </dependency>
                <dependency>
                  <groupId>org.junit.jupiter</groupId>
                  <artifactId>junit-jupiter</artifactId>
                  <version>%s</version>
                  <scope>test</scope>
                </dependency>
              </dependencies>
              <build>
                <plugins>
                  %s
                  %s
                  %s
                  %s
                  <plugin>
                    <groupId>dev.neurontest</groupId>
                    <artifactId>neuron-test-maven-plugin</artifactId>
                    <version>%s</version>
                    <executions>
                      <execution>
                        <goals>
                          <goal>gate</goal>
                        </goals>
                      </execution>
                    </executions>
                  </plugin>
                </plugins>
              </build>
            </project>
            """;

    private static final String TEST = """
            package com.acme;

            import dev.neurontest.NeuronTest;
            import dev.neurontest.device.NeuronCore;
            import org.junit.jupiter.api.Test;

            @NeuronTest
            class InferenceTest {
                @Test void infers(NeuronCore core) {}
            }
            """;

    /** The POMs of the artifacts without a jar. */
    private static final Map<String, String> PARENTS = Map.of("neuron-test-parent", "../..", "neuron-test", "..");

    /** The modules whose jars the project resolves, by their artifacts. */
    private static final Map<String, String> MODULES = Map.of(
            "fake-sysfs", "../../fake-sysfs",
            "neuron-test-core", "../core",
            "neuron-test-extension", "../junit",
            "neuron-test-command", "../command",
            "neuron-test-maven-plugin", ".");

    private static final String VERSION =
            MavenProgram.ofBuild("<artifactId>neuron-test-parent</artifactId>\\s*<version>([^<]+)<");

    /** Creates the local repository, and the project with one test of a fake host and the gate at the phase verify. */
    static MavenProjectFixture in(Path root) throws IOException {
        Path build = Path.of(System.getProperty("localRepository"));
        Path linked = Files.createDirectories(root.resolve("repository/dev/neurontest"));
        link(build, root.resolve("repository"), "dev");
        if (Files.isDirectory(build.resolve("dev"))) {
            link(build.resolve("dev"), linked.getParent(), "neurontest");
        }
        for (Map.Entry<String, String> parent : PARENTS.entrySet()) {
            install(linked, parent.getKey(), Path.of(parent.getValue()), "pom");
        }
        for (Map.Entry<String, String> module : MODULES.entrySet()) {
            Path folder = Path.of(module.getValue());
            Path jar = install(linked, module.getKey(), folder, "jar");
            writeJar(folder.resolve("target/classes"), jar);
        }
        Path project = Files.createDirectories(root.resolve("project"));
        Files.writeString(
                project.resolve("pom.xml"),
                POM.formatted(
                        VERSION,
                        VERSION,
                        MavenProgram.ofBuild("<junit.version>([^<]+)<"),
                        MavenProgram.plugin("maven-resources-plugin"),
                        MavenProgram.plugin("maven-compiler-plugin"),
                        MavenProgram.plugin("maven-surefire-plugin"),
                        MavenProgram.plugin("maven-jar-plugin"),
                        VERSION));
        Path test = project.resolve("src/test/java/com/acme/InferenceTest.java");
        Files.createDirectories(test.getParent());
        Files.writeString(test, TEST);
        return new MavenProjectFixture(project, root.resolve("repository"));
    }

    private static void link(Path from, Path to, String except) throws IOException {
        try (Stream<Path> entries = Files.list(from)) {
            for (Path entry : entries.toList()) {
                if (!entry.endsWith(except)) {
                    Files.createSymbolicLink(to.resolve(entry.getFileName()), entry);
                }
            }
        }
    }

    /** Copies the POM, and returns the file of the artifact. */
    private static Path install(Path repository, String artifact, Path module, String type) throws IOException {
        Path folder = Files.createDirectories(repository.resolve(artifact).resolve(VERSION));
        String name = artifact + "-" + VERSION + ".";
        Files.copy(module.resolve("pom.xml"), folder.resolve(name + "pom"));
        return folder.resolve(name + type);
    }

    /** Packages classes again, because a jar of the build is there only after the phase package. */
    private static void writeJar(Path classes, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(file);
                Stream<Path> entries = Files.walk(classes)) {
            zip.setLevel(0);
            for (Path entry : entries.filter(Files::isRegularFile).toList()) {
                zip.putNextEntry(
                        new ZipEntry(classes.relativize(entry).toString().replace(File.separatorChar, '/')));
                Files.copy(entry, zip);
                zip.closeEntry();
            }
        }
    }

    /** Runs Maven for this project in another folder. */
    Ended run(String... words) throws Exception {
        List<String> command = new ArrayList<>(MavenProgram.find().orElseThrow().offline(repository));
        command.addAll(List.of("-f", folder.toString()));
        command.addAll(List.of(words));
        return MavenProgram.run(repository, command);
    }
}
