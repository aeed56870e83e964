package dev.neurontest.internal.cluster.agent;

import dev.neurontest.internal.platform.Platform;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The command that starts an agent: a fixed list of words. The JDK and the jars must have the same paths on all hosts. The class path of
 * this JVM is not used, because Surefire hides it in a temporary jar.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class AgentCommand {

    /** One class of each jar that an agent needs. */
    private static final List<Class<?>> OF_EACH_JAR = List.of(
            HostAgent.class,
            org.awaitility.Awaitility.class,
            org.hamcrest.Matcher.class,
            tools.jackson.core.JsonParser.class);

    private AgentCommand() {}

    /**
     * Returns the words of the command.
     *
     * @throws IllegalStateException if a class of this library does not come from a file
     */
    public static List<String> words() {
        Set<Path> jars = new LinkedHashSet<>();
        Stream.concat(OF_EACH_JAR.stream(), Platform.fakeClass().stream()).forEach(type -> jars.add(file(type)));
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Xmx256m",
                "-cp",
                String.join(
                        File.pathSeparator, jars.stream().map(Path::toString).toList()),
                HostAgent.class.getName()));
        return List.copyOf(words);
    }

    private static Path file(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        try {
            return Path.of(source.getLocation().toURI());
        } catch (NullPointerException | URISyntaxException | IllegalArgumentException elsewhere) {
            throw new IllegalStateException(
                    "%s does not come from a jar or folder, so no agent can be started on another host"
                            .formatted(type.getName()),
                    elsewhere);
        }
    }
}
