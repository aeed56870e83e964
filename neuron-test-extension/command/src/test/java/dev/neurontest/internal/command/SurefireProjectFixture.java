package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.patience.Patience;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
                        plugin("maven-resources-plugin"),
                        plugin("maven-compiler-plugin"),
                        version("maven-surefire-plugin"),
                        forks,
                        String.join(" ", JvmCommand.QUICK),
                        libraries));
        return new SurefireProjectFixture(folder);
    }

    /** The end of Maven. */
    record Ended(int status, String out) {

        void requireSuccess() {
            assertThat(status).as(out).isZero();
        }
    }

    /** Runs the compiled tests. */
    Ended test(String... options) throws Exception {
        List<String> command = new ArrayList<>(offline());
        command.add("surefire:test");
        command.addAll(List.of(options));
        Path log = Files.createTempFile(folder, "maven", ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("MAVEN_OPTS", String.join(" ", JvmCommand.QUICK));
        Process maven = builder.start();
        try {
            assertThat(maven.waitFor(5 * Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        } finally {
            maven.destroyForcibly();
        }
        return new Ended(maven.exitValue(), Files.readString(log));
    }

    /** Returns the program; empty if it is not in PATH. */
    static Optional<Path> maven() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(each -> Path.of(each, "mvn"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Returns the program and options that load nothing over the network. */
    static List<String> offline() {
        return List.of(
                maven().orElseThrow().toString(), "-o", "-B", "-ntp", "-q", "-Dmaven.repo.local=" + repository());
    }

    private static String plugin(String name) {
        return "<plugin><artifactId>%s</artifactId><version>%s</version></plugin>".formatted(name, version(name));
    }

    /** Returns the version of a plugin in this build, because the local repository has it. */
    private static String version(String plugin) {
        try {
            Matcher version = Pattern.compile(
                            "<artifactId>" + plugin + "</artifactId>\\s*(?:<!--.*?-->\\s*)?<version>([^<]+)<")
                    .matcher(Files.readString(Path.of("..", "..", "pom.xml")));
            assertThat(version.find()).isTrue();
            return version.group(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
