package dev.neurontest.internal.command;

import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.jvm.MavenProgram;
import dev.neurontest.jvm.MavenProgram.Ended;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A Maven project that runs the compiled tests in its {@code target/test-classes} with the libraries of this JVM, offline. */
record SurefireProjectFixture(Path folder) {

    /** Writes the {@code pom.xml}. */
    static SurefireProjectFixture with(Path folder, int forks) throws IOException {
        String libraries = classPath().stream()
                .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("junit-")
                        && !entry.endsWith("test-classes"))
                .map("<entry>%s</entry>"::formatted)
                .collect(Collectors.joining("\n"));
        Files.writeString(folder.resolve("pom.xml"), """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>com.acme</groupId>
                  <artifactId>suite</artifactId>
                  <version>1</version>
                  <properties>
                    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
                  </properties>
                  <dependencies>
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
                      <plugin>
                        <artifactId>maven-surefire-plugin</artifactId>
                        <version>%s</version>
                        <configuration>
                          <forkCount>%s</forkCount>
                          <argLine>%s</argLine>
                          <additionalClasspathElements>
                %s
                          </additionalClasspathElements>
                        </configuration>
                      </plugin>
                    </plugins>
                  </build>
                </project>
                """.formatted(
                        engine().getParent().getFileName(),
                        MavenProgram.plugin("maven-resources-plugin"),
                        MavenProgram.plugin("maven-compiler-plugin"),
                        MavenProgram.version("maven-surefire-plugin"),
                        forks,
                        String.join(" ", JvmCommand.QUICK),
                        libraries));
        return new SurefireProjectFixture(folder);
    }

    /** Runs the compiled tests. */
    Ended test(String... options) throws Exception {
        List<String> command = new ArrayList<>(offline());
        command.add("surefire:test");
        command.addAll(List.of(options));
        return MavenProgram.run(folder, command);
    }

    /** Returns the program and options that print only what fails, and load nothing over the network. */
    static List<String> offline() {
        List<String> words = new ArrayList<>(MavenProgram.find().orElseThrow().offline(repository()));
        words.add("-q");
        return words;
    }

    private static List<String> classPath() {
        return List.of(System.getProperty("java.class.path").split(File.pathSeparator));
    }

    private static Path engine() {
        return classPath().stream()
                .map(Path::of)
                .filter(entry -> entry.getFileName().toString().startsWith("junit-jupiter-engine-"))
                .findFirst()
                .orElseThrow();
    }

    private static Path repository() {
        Path folder = engine();
        for (String above : List.of("version", "artifact", "jupiter", "junit", "org", "repository")) {
            folder = folder.getParent();
        }
        return folder;
    }
}
