package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.plan.Misuse;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * A JUnit that lacks what Neuron tests are built on: templates of classes that may have locks. The templates came with 5.13,
 * which fails each of their runs that has a lock; 5.14 does not.
 *
 * @param found its jar and version, such as {@code junit-jupiter-api 5.12.2}
 */
@API(status = API.Status.INTERNAL)
public record OldJUnit(String found) {

    private static final String CAME_WITH_5_14 = "org.junit.jupiter.api.MediaType";

    /** A version to name in the message, not the oldest that works. */
    private static final String GOOD = "5.14.4";

    /**
     * Does nothing when JUnit is new enough.
     *
     * @throws ExtensionConfigurationException with {@link #message()} when it is not
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

    /** What the jar of a class, or its module, calls itself. */
    static String origin(Class<?> its) {
        Package jar = its.getPackage();
        String named = Stream.of(jar.getImplementationTitle(), jar.getImplementationVersion())
                .flatMap(Stream::ofNullable)
                .collect(Collectors.joining(" "));
        return named.isEmpty()
                ? Optional.ofNullable(its.getModule().getDescriptor())
                        .map(module -> module.toNameAndVersion().replace('@', ' '))
                        .orElse("one of unknown version")
                : named;
    }

    /** What was found, what is needed, and how each build tool is told. */
    String message() {
        return """
                Neuron tests need JUnit 5.14 or later, or JUnit 6. JUnit here is %1$s. Set the version of all of JUnit, for \
                example to %2$s:
                  Spring Boot with Maven:  <junit-jupiter.version>%2$s</junit-jupiter.version> in <properties>
                  Spring Boot with Gradle: ext['junit-jupiter.version'] = '%2$s'
                  Maven:                   org.junit:junit-bom:%2$s, type pom, scope import, in <dependencyManagement> \
                before other BOMs
                  Gradle:                  testImplementation(platform("org.junit:junit-bom:%2$s"))
                Tests without Neuron need no other JUnit.""".formatted(found, GOOD);
    }
}
