package dev.neurontest.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.patience.Patience;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/** The Maven in PATH, for tests that build a project without a network. */
@NullMarked
public record MavenProgram(Path file) {

    /** The end of Maven. */
    public record Ended(int status, String out) {

        public void requireSuccess() {
            assertThat(status).as(out).isZero();
        }
    }

    /** Returns the program; empty if it is not in PATH. */
    public static Optional<MavenProgram> find() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(each -> Path.of(each, "mvn"))
                .filter(Files::isExecutable)
                .findFirst()
                .map(MavenProgram::new);
    }

    /** Returns the program and options that load nothing over the network. Maven 3.10 refuses links in the repository unless {@code verifyRealPath} is false. */
    public List<String> offline(Path repository) {
        return List.of(
                file.toString(),
                "-o",
                "-B",
                "-ntp",
                "-Dmaven.repo.local=" + repository,
                "-Daether.lrm.enhanced.verifyRealPath=false");
    }

    /** Runs a command that begins with this program, with the Java of this JVM. */
    public static Ended run(Path folder, List<String> command) throws IOException, InterruptedException {
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

    /** Returns the element of a plugin with its version in this build. */
    public static String plugin(String name) {
        return "<plugin><artifactId>%s</artifactId><version>%s</version></plugin>".formatted(name, version(name));
    }

    /** Returns the version of a plugin in this build, because the local repository has it. */
    public static String version(String plugin) {
        return ofBuild("<artifactId>" + plugin + "</artifactId>\\s*(?:<!--.*?-->\\s*)?<version>([^<]+)<");
    }

    /** Returns what the first group of a pattern matches in the {@code pom.xml} of this build, two folders above the module. */
    public static String ofBuild(String pattern) {
        try {
            Matcher found = Pattern.compile(pattern).matcher(Files.readString(Path.of("..", "..", "pom.xml")));
            assertThat(found.find()).as(pattern).isTrue();
            return found.group(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
