package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.plan.Misuse;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * A JUnit version that is too old for Neuron tests, which need class templates with locks. JUnit 5.13 introduced class templates, but each
 * of their runs with a lock fails there. Since 5.14 they work.
 *
 * @param found its jar and version, such as {@code junit-jupiter-api 5.12.2}
 */
@API(status = API.Status.INTERNAL)
public record OldJUnit(String found) {

    private static final String CAME_WITH_5_14 = "org.junit.jupiter.api.MediaType";

    /** Recommended version for the message; it is not the oldest version that works. */
    private static final String GOOD = "5.14.4";

    /**
     * Throws an exception if JUnit is too old.
     *
     * @throws ExtensionConfigurationException with {@link #message()} if JUnit is too old
     */
    public static void refuse() {
        if (isHere()) {
            throw Misuse.of(new OldJUnit(origin(Extension.class)).message());
        }
    }

    /** Checks whether JUnit is too old for Neuron tests. */
    static boolean isHere() {
        try {
            Class.forName(CAME_WITH_5_14, false, Extension.class.getClassLoader());
            return false;
        } catch (ClassNotFoundException old) {
            return true;
        }
    }

    /** Returns the name and version of the jar or module of a class. */
    static String origin(Class<?> type) {
        Package jar = type.getPackage();
        String named = Stream.of(jar.getImplementationTitle(), jar.getImplementationVersion())
                .flatMap(Stream::ofNullable)
                .collect(Collectors.joining(" "));
        return named.isEmpty()
                ? Optional.ofNullable(type.getModule().getDescriptor())
                        .map(module -> module.toNameAndVersion().replace('@', ' '))
                        .orElse("of an unknown version")
                : named;
    }

    /** Returns the version found, the version needed, and how to set it in each build tool. */
    String message() {
        return """
                Neuron tests need JUnit 5.14 or later, or JUnit 6. JUnit here is %1$s. Set the version of all of JUnit, for \
                example to %2$s:
                  Spring Boot with Maven:  <junit-jupiter.version>%2$s</junit-jupiter.version> in <properties>
                  Spring Boot with Gradle: ext['junit-jupiter.version'] = '%2$s'
                  Maven:                   org.junit:junit-bom:%2$s, type pom, scope import, in <dependencyManagement> \
                before other BOMs
                  Gradle:                  testImplementation(platform("org.junit:junit-bom:%2$s"))
                Tests without Neuron run with any JUnit.""".formatted(found, GOOD);
    }
}
